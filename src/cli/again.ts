import { shellWord } from 'candlehouse-foundation/command-line/shell-word'
import { type Calendar, loadCalendar } from 'candlehouse-foundation/market/calendar'
import type { CommandLine } from '../night/conclusion.js'
import { closedDayNotes, tradingDateOf } from '../run/jobs/goals.js'
import type { RunSpec } from '../run/jobs/run-spec.js'
import { readCalendarDays } from '../settings/calendar-file.js'
import type { Call } from './verb.js'

/** Options that decide what a run is for, in the order in which a command line repeats them. */
const REPEATED = [
  'date',
  'from',
  'to',
  'sessions',
  'symbols',
  'allowUnknown',
  'timeframe',
  'symbol',
  'index',
  'skipAccounts',
  'key',
] as const

type GivenOptions = {
  readonly [Name in (typeof REPEATED)[number]]?: string | number | true | readonly string[] | undefined
}

/** The command line that does again what was asked for; a conclusion shows it. */
export function againOf(words: readonly string[], options: GivenOptions): CommandLine {
  const given = REPEATED.flatMap((name) => wordsOf(name, options[name]))
  return `candlehouse ${[...words, ...given].map(shellWord).join(' ')}`
}

function wordsOf(name: string, value: GivenOptions['key']): string[] {
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  if (value === undefined) return []
  return value === true ? [flag] : [flag, String(value)]
}

/** The calendar that a run of this home goes by. */
export function calendarOf({ settings }: Call): Calendar {
  return loadCalendar(readCalendarDays(settings.home))
}

/** What the runs of all jobs have: the trading date of --date or the latest closed session, and how to run them again. */
export function runFor(
  words: readonly string[],
  options: GivenOptions & { readonly date?: string | undefined },
  calendar: Calendar,
  { effects }: Call,
): Pick<RunSpec, 'tradingDate' | 'notes' | 'again'> {
  return {
    tradingDate: tradingDateOf(options.date, calendar, effects.now()),
    notes: closedDayNotes(options.date, calendar),
    again: againOf(words, options),
  }
}
