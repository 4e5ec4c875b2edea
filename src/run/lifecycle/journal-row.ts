import type { Database } from '../../duckdb/open.js'
import type { Journalled } from '../../land/journal.js'
import { recordReplayedRun } from '../../warehouse/runs.js'
import { startOf } from './run-id.js'

/**
 * Writes the row of a run that only its journal knows. A journal without a line that can be read still is a run that has ended:
 * its id says when it began.
 */
export async function recordJournalledRun(
  warehouse: Database,
  run: string,
  { market, snapshots, damaged }: Journalled,
): Promise<void> {
  const walks = [...market, ...snapshots.flat()]
  const pages = walks.flatMap((walk) => walk.pages)
  const received = pages.map((page) => page.received_at).sort()
  const [first] = pages
  if (!first) {
    const startedAt = startOf(run)
    if (damaged.length === 0 || startedAt === undefined) return
    const period = { tradingDate: startedAt.slice(0, 10), startedAt, finishedAt: startedAt }
    const nothing = { windows: 0, requests: 0, rows: 0 }
    return await recordReplayedRun(warehouse, { run, job: 'unknown', ...period, ...nothing })
  }
  await recordReplayedRun(warehouse, {
    run,
    job: first.job,
    tradingDate: first.trading_date,
    startedAt: received[0] ?? first.received_at,
    finishedAt: received.at(-1) ?? first.received_at,
    windows: walks.length,
    requests: pages.length,
    rows: pages.reduce((sum, page) => sum + page.rows, 0),
  })
}
