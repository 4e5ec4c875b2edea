import { join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import type { Day } from 'candlehouse-foundation/market/day'
import { counted } from 'candlehouse-foundation/number-text'
import { audit, scopeOfRuns } from '../../audit/index.js'
import { closedWalks, journalledRuns } from '../../land/journal.js'
import { loadJournal } from '../../load/load-journal.js'
import { daysOfRun, weighEvidence } from '../../load/weigh-evidence.js'
import type { RunSummary } from '../../night/summary.js'
import { type Settings, suffixesOf } from '../../settings/index.js'
import { recordJournalledRun } from '../lifecycle/journal-row.js'
import { type ComparedRaw, comparisonNotes, describeLoss, requireNoLoss } from '../lifecycle/raw-loss.js'
import type { Run } from '../lifecycle/run.js'
import type { RunIo } from '../lifecycle/run-io.js'
import { withRun } from '../lifecycle/with-run.js'
import { type DeletedMonths, deletedMonths } from './deleted-months.js'
import { Replacement, type SessionRange } from './replacement.js'

export interface ReplayRequest extends SessionRange {
  /** Rebuild without pages that are gone or changed, also if what they brought is stored now. */
  readonly withoutMissing?: boolean
}

/**
 * Rebuilds the typed tables from raw pages, run after run, as they were loaded the first time. The new file is built beside
 * the old one and replaces it at the end. With a range, only the rows of those sessions are replaced; where a user has deleted
 * raw months, only the rows of sessions that no deleted page was asked for: the others stay as the warehouse has them.
 *
 * Before, raw/ is compared with the pages that the old warehouse and the published lake name, page by page: what the comparison
 * takes for lost is named, and is what the rebuild leaves out.
 *
 * @throws StorageError when there are no journals, a page that was loaded is gone or changed, or the
 * old warehouse cannot be read and may be the only place that has what deleted months brought
 */
export async function runReplay(settings: Settings, request: ReplayRequest, io: RunIo): Promise<RunSummary> {
  const { home } = settings
  const runs = journalledRuns(home)
  const deleted = deletedMonths(home, runs)
  const accept = (compared: ComparedRaw): void => {
    if (runs.length === 0) throw nothingToReplay(home, compared)
    if (!request.withoutMissing) requireNoLoss(compared)
  }
  const replacement = new Replacement(home, request, deleted, accept, io.effects)
  const open = () => replacement.open()
  const { summary } = await withRun(settings, { job: 'replay', kind: 'rebuild', open }, io, {
    async work(run) {
      const { compared } = replacement
      run.tradingDate = (await replayRuns(run, runs, compared?.unusable ?? new Set())) ?? run.tradingDate
      const { unreadable } = run.tally
      run.report.notes.push(
        `${counted(runs.length, 'run')} replayed from ${join(home, 'raw')}`,
        ...(unreadable > 0 ? [`${unreadable} landed pages are not JSON: see ops.quarantine`] : []),
        ...(compared ? comparisonNotes(compared) : []),
        ...noteOfDeleted(deleted, replacement.keepsDeleted),
      )
      run.report.exitCode = unreadable > 0 && (await hasGaps(run)) ? 4 : 0
    },
  })
  return summary
}

function nothingToReplay(home: string, { losses, ledgers }: ComparedRaw): StorageError {
  const nothing = `no journals in ${join(home, 'raw', 'journal')}: there is nothing to replay`
  if (losses.length === 0) return new StorageError(nothing, { hint: 'candlehouse nightly' })
  return new StorageError(
    `${nothing}, and ${ledgers.join(' and ')} ${ledgers.length > 1 ? 'have' : 'has'} ${describeLoss(losses)}; nothing was replaced`,
    { hint: 'restore raw/ from a backup; what is stored and published stays as it is until then' },
  )
}

function noteOfDeleted({ months, days }: DeletedMonths, keeps: boolean): string[] {
  if (months.length === 0) return []
  const range = days.length > 0 ? `, days from ${days[0]} to ${days.at(-1)}` : ''
  const outcome = keeps
    ? 'their sessions stay as the warehouse has them, and so do lists, account snapshots and the ledger'
    : 'what only they brought cannot be rebuilt'
  return [`raw pages were deleted (${months.join(', ')}${range}): ${outcome}`]
}

/** Whether a window is incomplete: what a page that cannot be read should have brought may have come later. */
async function hasGaps(run: Run): Promise<boolean> {
  const gaps = await run.warehouse.rows(
    "SELECT 1 AS gap FROM ops.coverage WHERE state = 'incomplete' LIMIT 1",
  )
  return gaps.length > 0
}

/** Returns the trading date of the last run that landed anything; undefined where all of it was deleted. */
async function replayRuns(
  run: Run,
  ids: readonly string[],
  unusable: ReadonlySet<string>,
): Promise<Day | undefined> {
  let tradingDate: Day | undefined
  run.io.progress.phase('replay', ids.length, 'runs')
  for (const id of ids) {
    tradingDate = (await replayRun(run, id, unusable)) ?? tradingDate
    run.io.progress.advance(1, id)
  }
  run.io.progress.done()
  await checkAll(run, ids)
  return tradingDate
}

/** Returns the run's trading date; undefined where it landed nothing. */
async function replayRun(run: Run, id: string, unusable: ReadonlySet<string>): Promise<Day | undefined> {
  const { warehouse, home, calendar, tally } = run
  const { signal } = run.io
  const journal = closedWalks(home, id, unusable)
  const loading = { home, calendar, suffixes: suffixesOf(run.settings), signal }
  await loadJournal(warehouse, journal, loading, (loaded, walks) => {
    tally.addWindows(loaded.dataset, walks)
    tally.addLoaded(loaded)
  })
  await weighEvidence(warehouse, daysOfRun(home, id), { beforeCandles: false })
  await recordJournalledRun(warehouse, id, journal)
  const [page] = [...journal.market, ...journal.snapshots.flat()].flatMap(({ pages }) => pages)
  return page?.trading_date
}

/**
 * Checks every session and snapshot once all of them are loaded: what a rule looks back at is there, in whatever order it
 * came. The last run that loaded one counts as the one that checked it, as it does without a replay.
 */
async function checkAll({ warehouse, home, calendar, io }: Run, ids: readonly string[]): Promise<void> {
  const { signal, effects, progress } = io
  const scope = scopeOfRuns(home, ids)
  const sessions = new Map<Day, string>()
  const snapshots = new Map<Day, string>()
  for (const id of ids) {
    const { days, snapshots: dates } = scopeOfRuns(home, [id])
    for (const day of days) sessions.set(day, id)
    for (const day of dates) snapshots.set(day, id)
  }
  progress.phase('check')
  const options = {
    home,
    calendar,
    runIdOf: (subject: string, day: Day) =>
      (subject === 'market' ? sessions : snapshots).get(day) ?? ids.at(-1) ?? '',
    onRule: ({ title }: { title: string }) => progress.advance(1, title),
    signal,
  }
  await audit(warehouse, scope, options, effects)
  progress.done()
}
