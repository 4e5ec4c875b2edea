import type { Database } from '../../duckdb/open.js'
import type { Journalled } from '../../land/journal.js'
import { recordReplayedRun } from '../../warehouse/runs.js'

/** Writes the row of a run that only its journal knows. */
export async function recordJournalledRun(
  warehouse: Database,
  run: string,
  { market, snapshots }: Journalled,
): Promise<void> {
  const walks = [...market, ...snapshots.flat()]
  const pages = walks.flatMap((walk) => walk.pages)
  const received = pages.map((page) => page.received_at).sort()
  const [first] = pages
  if (!first) return
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
