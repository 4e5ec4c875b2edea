import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type AuditScope, audit, scopeOfRuns } from '../../audit/index.js'
import { type Database, openDatabase } from '../../duckdb/open.js'
import { installParsers } from '../../duckdb/parse.js'
import { literal } from '../../duckdb/sqlfile.js'
import { LockedError, StorageError } from '../../errors.js'
import { closedWalks, journalledRuns } from '../../land/journal.js'
import type { Suffixes } from '../../load/account/fields.js'
import { loadJournal } from '../../load/journal.js'
import { loadCalendar } from '../../market/calendar.js'
import type { Day } from '../../market/day.js'
import { relations } from '../../relations.js'
import { type Settings, suffixesOf } from '../../settings/index.js'
import { openWarehouse } from '../../warehouse/open.js'
import { recordJournalled } from '../lifecycle/journal-row.js'
import { newRunId } from '../lifecycle/run-id.js'
import type { RunIo } from '../lifecycle/run-io.js'
import { createTally } from '../lifecycle/tally.js'
import { writeLastRun } from '../report/last-run.js'
import { refreshMetrics } from '../report/metrics.js'
import { summarise } from '../report/summarise.js'
import type { RunSummary } from '../report/summary.js'

/** Tables that only the old warehouse knows: how runs went, what was published. Carried over where it can be read. */
const CARRIED = ['ops.run', 'ops.publication', 'ops.lake_file']

/**
 * Rebuilds the typed tables from raw pages, run after run, as they were loaded the first time. The new file is
 * built beside the old one and renamed over it at the end: a kill leaves the old one. With a range, only the
 * rows of those sessions are taken over from the rebuilt tables.
 *
 * @throws StorageError when there are no journals, or a landed page is gone or changed
 */
export async function runReplay(
  settings: Settings,
  range: { from: Day | undefined; to: Day | undefined },
  io: RunIo,
): Promise<RunSummary> {
  const { home } = settings
  const file = join(home, 'warehouse.duckdb')
  const side = `${file}.replay`
  const runs = journalledRuns(home)
  if (runs.length === 0) {
    throw new StorageError(`no journals in ${join(home, 'raw', 'journal')}: there is nothing to replay`, {
      hint: 'candlehouse nightly',
    })
  }
  const startedAt = io.effects.now()
  const runId = newRunId(runs, io.effects)
  const old = await openOld(file)
  const tally = createTally()
  let tradingDate = ''
  try {
    await rm(side, { force: true })
    await rm(`${side}.wal`, { force: true })
    const fresh = await openWarehouse(side)
    try {
      await installParsers(fresh)
      if (old) await carryOver(old, fresh)
      tradingDate = await replayRuns(fresh, home, runs, suffixesOf(settings), tally, io)
      await fresh.run('CHECKPOINT')
    } finally {
      fresh.close()
    }
    if (old && (range.from || range.to)) await takeRange(old, side, range)
  } finally {
    old?.close()
  }
  if (old && (range.from || range.to)) await rm(side, { force: true })
  else {
    // A log left by the old file must not be applied to the new one.
    await rm(`${file}.wal`, { force: true })
    await rename(side, file)
  }
  const summary = summarise({
    job: 'replay',
    runId,
    tradingDate,
    startedAt,
    finishedAt: io.effects.now(),
    exitCode: 0,
    tally,
    missing: [],
    checks: null,
    leftOut: [],
    notes: [`${runs.length} runs replayed from ${join(home, 'raw')}`],
    next: [],
    failure: undefined,
  })
  await writeLastRun(home, { ...summary, next: ['candlehouse publish'] })
  await refreshMetrics(home, io.effects, summary)
  return { ...summary, next: ['candlehouse publish'] }
}

/** The old warehouse, held open as the lock; undefined when there is none or it cannot be read. */
async function openOld(file: string): Promise<Database | undefined> {
  if (!existsSync(file)) return undefined
  try {
    return await openDatabase(file)
  } catch (error) {
    if (error instanceof LockedError) throw error
    return undefined
  }
}

async function carryOver(old: Database, fresh: Database): Promise<void> {
  for (const table of CARRIED) {
    const rows = await old
      .rows<Record<string, string | bigint | number | null>>(`FROM ${table}`)
      .catch(() => [])
    for (const row of rows) {
      const names = Object.keys(row)
      await fresh.run(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        Object.values(row),
      )
    }
  }
  // Also what the replay loads nothing for: a partition that is empty now must go from the lake.
  await fresh.run(
    'INSERT INTO ops.dirty_partition SELECT relation, partition FROM ops.lake_file WHERE removed_at IS NULL',
  )
}

async function replayRuns(
  warehouse: Database,
  home: string,
  runs: readonly string[],
  suffixes: Suffixes,
  tally: ReturnType<typeof createTally>,
  io: RunIo,
): Promise<Day> {
  const calendar = loadCalendar()
  const scopes = lastScopes(home, runs)
  let tradingDate = ''
  io.progress.phase('replay', runs.length, 'runs')
  for (const run of runs) {
    const journal = closedWalks(home, run)
    await loadJournal(
      warehouse,
      journal,
      { home, calendar, suffixes, signal: io.signal },
      (loaded, walks) => {
        for (let walk = 0; walk < walks; walk++) tally.window(loaded.dataset)
        tally.loaded(loaded)
      },
    )
    tradingDate =
      journal.market[0]?.pages[0]?.trading_date ?? journal.snapshot[0]?.pages[0]?.trading_date ?? tradingDate
    await recordJournalled(warehouse, run, journal)
    const scope = scopes.get(run)
    if (scope) await audit(warehouse, scope, { home, calendar, runId: run, signal: io.signal }, io.effects)
    io.progress.advance(1, run)
  }
  io.progress.done()
  return tradingDate
}

/**
 * What each run judges: only the last of the runs that brought a session or snapshot, since verdicts take the place of
 * the ones before.
 */
function lastScopes(home: string, runs: readonly string[]): Map<string, AuditScope> {
  const last = new Map<string, AuditScope>()
  const seen = { days: new Set<Day>(), snapshots: new Set<Day>() }
  for (const run of [...runs].reverse()) {
    const scope = scopeOfRuns(home, [run])
    last.set(run, {
      runs: scope.runs,
      days: scope.days.filter((day) => !seen.days.has(day)),
      snapshots: scope.snapshots.filter((day) => !seen.snapshots.has(day)),
    })
    for (const day of scope.days) seen.days.add(day)
    for (const day of scope.snapshots) seen.snapshots.add(day)
  }
  return last
}

/** Sessions of the range, taken over from the rebuilt file; everything else stays as it is. */
async function takeRange(
  old: Database,
  side: string,
  range: { from: Day | undefined; to: Day | undefined },
): Promise<void> {
  const within = `trading_date BETWEEN ${literal(range.from ?? '0001-01-01')} AND ${literal(range.to ?? '9999-12-31')}`
  await old.run(`ATTACH ${literal(side)} AS rebuilt (READ_ONLY)`)
  await old.transaction(async () => {
    for (const { name } of relations.filter((relation) => relation.layout === 'session')) {
      await old.run(`INSERT INTO ops.dirty_partition SELECT DISTINCT ${literal(name)}, CAST(trading_date AS VARCHAR)
        FROM (SELECT trading_date FROM ${name} WHERE ${within} UNION SELECT trading_date FROM rebuilt.${name} WHERE ${within})`)
      await old.run(`DELETE FROM ${name} WHERE ${within}`)
      await old.run(`INSERT INTO ${name} SELECT * FROM rebuilt.${name} WHERE ${within}`)
    }
  })
  await old.run('DETACH rebuilt')
}
