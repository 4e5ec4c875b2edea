import { join } from 'node:path'
import { StorageError, UsageError } from 'candlehouse-foundation/errors'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { type Day, dayOf } from 'candlehouse-foundation/market/day'
import type { Reader } from '../../duckdb/reader.js'
import type { Effects } from '../../effects.js'
import { type Withheld, withheldSessions } from '../../lake/withheld-rows.js'
import type { Conclusion } from '../../night/conclusion.js'
import { readConclusion } from '../../night/conclusion-file.js'
import { readGaps } from '../../night/gaps.js'
import { type LastRuns, readLastRuns } from '../../night/last-run.js'
import { hasMargins } from '../../read/has-margins.js'
import { asking, withCatalog } from '../../read/query.js'
import { readCalendarDays } from '../../settings/calendar-file.js'
import { AnswerCache } from '../answer-cache.js'
import { questionsOf, type Subjects } from '../questions.js'
import { type Account, accountsModel } from './accounts.js'
import { type Changes, changesModel, nightBefore } from './changes.js'
import { type Coverage, coverageModel } from './coverage.js'
import { type Findings, findingsModel } from './findings.js'
import { type Market, marketModel } from './market.js'
import { type PageResult, pageResults } from './page-results.js'
import { type Night, type RunFigures, runModel } from './run.js'

const SHOWN_GAPS = 12

/** Everything that the report shows, all of one publication. */
export interface Report {
  readonly day: Day
  /** Whether no night ran after the night of this day, whatever days the clock has named. */
  readonly isLastNight: boolean
  /** ISO 8601. */
  readonly writtenAt: string
  /** Of this day, also where later nights have others; null where no run has left one. */
  readonly conclusion: Conclusion | null
  readonly run: RunFigures | null
  /** Newest first. */
  readonly nights: readonly Night[]
  readonly coverage: Coverage
  readonly findings: Findings
  /** Withheld sessions, of any day. */
  readonly withheld: readonly Withheld[]
  /** Null before the first daily summaries. */
  readonly market: Market | null
  readonly accounts: readonly Account[]
  /** Null for the first night: everything is new. */
  readonly changes: Changes | null
  /** The user's own pages, in the order of their names; none unless they were wanted. */
  readonly pages: readonly PageResult[]
}

export interface WantedReport {
  /** Trading date. @default that of the last nightly, else of the last run, else of the newest requested session */
  readonly day?: Day | undefined
  /** Whether answers are kept in the home for the next report. @default false */
  readonly keep?: boolean
  /** Whether the blocks of the user's own pages are run. @default false */
  readonly hasPages?: boolean
}

/**
 * Reads the report of a day from the published catalog, `logs/last-nightly.json` and `logs/last-run.json`. Answers to questions that
 * the same files answered before are taken from `logs/report-answers.json`.
 *
 * @throws StorageError before the first publication · UsageError for a day of which nothing is known
 */
export async function reportModel(
  home: string,
  { day: wanted, keep = false, hasPages = false }: WantedReport,
  effects: Effects,
): Promise<Report> {
  return await withCatalog(home, async (reader) => {
    const file = join(home, 'logs', 'report-answers.json')
    const answers = await AnswerCache.read(reader, file)
    const report = await readFrom(home, reader, answers, readLastRuns(home), wanted, effects)
    if (keep) await answers.write(file, effects)
    // At the end: a statement of the user that breaks DuckDB breaks nothing else.
    return hasPages ? { ...report, pages: await pageResults(home, reader, effects) } : report
  })
}

async function readFrom(
  home: string,
  reader: Reader,
  answers: AnswerCache,
  last: LastRuns,
  wanted: Day | undefined,
  effects: Effects,
): Promise<Report> {
  const now = effects.now()
  const { day, session, hasSnapshots, isLastNight } = await datesOf(answers, last, wanted, home)
  const rowsOf = asking(reader)
  const today = dayOf(now)
  const subjects: Partial<Subjects> = { day, today }
  const ask = questionsOf(answers, subjects)
  const nights = await ask<Night>('nights')
  const run = await runModel(day, nights, last, (id) => questionsOf(answers, { ...subjects, run: id }))
  const before = nightBefore(nights, day)
  const coverage = await coverageModel(ask, await readGaps(rowsOf, { until: day, today, most: SHOWN_GAPS }))
  const findings = await findingsModel(rowsOf, day)
  const withheld = await withheldSessions(rowsOf)
  // Without snapshots there is nothing to plan the two largest questions for.
  const accounts = hasSnapshots ? await accountsModel(ask, await hasMargins(rowsOf)) : []
  return {
    day,
    isLastNight,
    writtenAt: new Date(now).toISOString(),
    conclusion: readConclusion(home, day),
    run,
    nights,
    coverage,
    findings,
    withheld,
    market: session ? await marketModel(questionsOf(answers, { session }), session) : null,
    accounts,
    changes: before
      ? await changesModel(questionsOf(answers, changedSince(day, before, nights, now)), before.day)
      : null,
    pages: [],
  }
}

/** What changed belongs to the day from the end of the night before to the end of its own latest night. */
function changedSince(day: Day, before: Night, nights: readonly Night[], now: number): Partial<Subjects> {
  const after = nights.find((night) => night.day === day)
  const until = after && nights[0] !== after ? after.finishedAt : new Date(now).toISOString()
  return { day, before: before.day, since: before.finishedAt, until }
}

async function datesOf(
  answers: AnswerCache,
  { nightly, later }: LastRuns,
  wanted: Day | undefined,
  home: string,
): Promise<{ day: Day; session: Day | null; hasSnapshots: boolean; isLastNight: boolean }> {
  const lookUp = async (day: Day): Promise<DatesRow | undefined> =>
    (await questionsOf(answers, { day })<DatesRow>('session'))[0]
  const newest = nightly ? null : await lookUp('9999-12-31')
  const lastDay = nightly?.tradingDate ?? newest?.night_day ?? later?.tradingDate
  const day = wanted ?? lastDay ?? newest?.newest_day
  if (!day) throw new StorageError('nothing is stored yet', { hint: 'candlehouse nightly' })
  const dates = await lookUp(day)
  if (!dates?.day_known && lastDay !== day) {
    const known = dates?.newest_day ?? 'not known'
    const calendar = loadCalendar(readCalendarDays(home))
    // A nightly of a closed day works for the session before it: it would store nothing about the day.
    const hint = calendar.isSession(day)
      ? `candlehouse nightly --date ${day}`
      : `candlehouse report --date ${calendar.previousSession(day)}    # the session before it`
    throw new UsageError(`nothing is stored about ${day}; the newest day is ${known}`, { hint })
  }
  const isLastNight = day === (lastDay ?? newest?.newest_day)
  return { day, session: dates?.session ?? null, hasSnapshots: dates?.has_snapshots ?? false, isLastNight }
}

interface DatesRow {
  session: Day | null
  day_known: boolean
  newest_day: Day | null
  night_day: Day | null
  has_snapshots: boolean
}
