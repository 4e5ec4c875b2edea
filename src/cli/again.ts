import { shellWord } from 'candlehouse-foundation/command-line/shell-word'
import type { Day } from 'candlehouse-foundation/market/day'
import type { CommandLine } from '../night/conclusion.js'

/** Options that decide what a run is for, as they were given. */
interface GivenOptions {
  readonly date?: Day | undefined
  readonly from?: Day | undefined
  readonly to?: Day | undefined
  readonly sessions?: number | undefined
  readonly symbols?: readonly string[] | undefined
  readonly allowUnknown?: true | undefined
  readonly timeframe?: string | undefined
  readonly symbol?: string | undefined
  readonly index?: string | undefined
  readonly skipAccounts?: true | undefined
  readonly key?: string | undefined
}

/** The command line that does again what was asked for; a conclusion shows it. */
export function againOf(words: readonly string[], options: GivenOptions): CommandLine {
  const { date, from, to, sessions, symbols, allowUnknown, timeframe, symbol, index, skipAccounts, key } =
    options
  const option = (name: string, value: string | number | undefined): string[] =>
    value === undefined ? [] : [name, String(value)]
  const all = [
    ...words,
    ...option('--date', date),
    ...option('--from', from),
    ...option('--to', to),
    ...option('--sessions', sessions),
    ...option('--symbols', symbols?.join(',')),
    ...(allowUnknown ? ['--allow-unknown'] : []),
    ...option('--timeframe', timeframe),
    ...option('--symbol', symbol),
    ...option('--index', index),
    ...(skipAccounts ? ['--skip-accounts'] : []),
    ...option('--key', key),
  ]
  return `candlehouse ${all.map(shellWord).join(' ')}`
}
