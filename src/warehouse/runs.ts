import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'

export interface RunCounts {
  windows: number
  requests: number
  rows: number
  changed: number
  rejected: number
}

/** Opens the run's row. Runs that were killed keep `running` until the next one closes them. */
export async function openRun(
  database: Database,
  run: string,
  job: string,
  tradingDate: Day,
  now: number,
): Promise<void> {
  await database.run(
    `INSERT INTO ops.run (run_id, job, trading_date, started_at, state) VALUES (?, ?, ?::DATE, ?::TIMESTAMPTZ, 'running')`,
    [run, job, tradingDate, new Date(now).toISOString()],
  )
}

/** Closes the run's row, before its catalog is swapped in: what readers see is a finished run. */
export async function closeRun(
  database: Database,
  run: string,
  outcome: { state: 'done' | 'failed' | 'interrupted'; exitCode: number; counts: RunCounts; now: number },
): Promise<void> {
  const { windows, requests, rows, changed, rejected } = outcome.counts
  await database.run(
    `UPDATE ops.run SET finished_at = ?::TIMESTAMPTZ, state = ?, exit_code = ?, windows = ?, requests = ?,
       rows_received = ?, rows_changed = ?, rows_rejected = ? WHERE run_id = ?`,
    [
      new Date(outcome.now).toISOString(),
      outcome.state,
      outcome.exitCode,
      windows,
      requests,
      rows,
      changed,
      rejected,
      run,
    ],
  )
  // How a run went is published with it, also when it changed no row of the market.
  await database.run(`INSERT INTO ops.dirty_partition VALUES ('ops.run', 'all')`)
}

/** Removes the row of a run that stored nothing. */
export async function removeRun(database: Database, run: string): Promise<void> {
  await database.run('DELETE FROM ops.run WHERE run_id = ?', [run])
}

/** The run that started last; undefined in an empty warehouse. */
export async function latestRun(
  database: Database,
): Promise<{ run_id: string; trading_date: Day } | undefined> {
  const [run] = await database.rows<{ run_id: string; trading_date: Day }>(
    'SELECT run_id, CAST(trading_date AS VARCHAR) AS trading_date FROM ops.run ORDER BY run_id DESC LIMIT 1',
  )
  return run
}

/** Runs whose row was never closed: the process was killed. */
export async function killedRuns(database: Database): Promise<string[]> {
  return await database.column<string>(`SELECT run_id FROM ops.run WHERE state = 'running' ORDER BY run_id`)
}

/** Trading dates of nightlies that did not end with 0, killed ones included, in their order. */
export async function unfinishedNights(database: Database, from: Day, to: Day): Promise<Day[]> {
  return await database.column<Day>(
    `SELECT DISTINCT CAST(trading_date AS VARCHAR) AS day FROM ops.run
     WHERE job = 'nightly' AND exit_code IS DISTINCT FROM 0 AND trading_date BETWEEN ?::DATE AND ?::DATE ORDER BY day`,
    [from, to],
  )
}

/** Marks a killed run as interrupted once all its closed page walks have been loaded. */
export async function markInterrupted(database: Database, run: string): Promise<void> {
  await database.run(`UPDATE ops.run SET state = 'interrupted' WHERE run_id = ? AND state = 'running'`, [run])
}

/** What a journal has of its run. */
export interface JournalledRun {
  run: string
  job: string
  tradingDate: Day
  /** ISO 8601: first and last page received. */
  startedAt: string
  finishedAt: string
  windows: number
  requests: number
  rows: number
}

/** The row of a run that only its journal has; a row that was never closed is closed. */
export async function recordReplayedRun(database: Database, run: JournalledRun): Promise<void> {
  await markInterrupted(database, run.run)
  await database.run(
    `INSERT INTO ops.run (run_id, job, trading_date, started_at, finished_at, state, windows, requests, rows_received)
     SELECT ?, ?, ?::DATE, ?::TIMESTAMPTZ, ?::TIMESTAMPTZ, 'done', ?, ?, ?
     WHERE NOT EXISTS (SELECT 1 FROM ops.run WHERE run_id = ?)`,
    [
      run.run,
      run.job,
      run.tradingDate,
      run.startedAt,
      run.finishedAt,
      run.windows,
      run.requests,
      run.rows,
      run.run,
    ],
  )
}
