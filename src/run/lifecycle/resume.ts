import type { Database } from '../../duckdb/open.js'
import { type ClosedWalk, closedWalks, journalledRuns } from '../../land/journal.js'
import type { Suffixes } from '../../load/account/fields.js'
import { loadSnapshot } from '../../load/account/snapshot.js'
import { batchesOf, type Loaded, loadBatch } from '../../load/batch.js'
import type { Calendar } from '../../market/calendar.js'
import { DATASETS } from '../../plan/datasets.js'
import { killedRuns, markInterrupted } from '../../warehouse/runs.js'
import { recordJournalled } from './journal-row.js'

/**
 * Loads what former runs landed and did not live to commit. A run whose row is closed has committed all of
 * it; a run that was killed, or whose row was lost with the warehouse, is read from its journal.
 */
export async function adoptLanded(
  database: Database,
  home: string,
  calendar: Calendar,
  current: string,
  suffixes: Suffixes,
  onLoaded: (loaded: Loaded) => Promise<void>,
): Promise<void> {
  const known = await database.rows<{ run_id: string; state: string }>('SELECT run_id, state FROM ops.run')
  const closed = new Set(known.filter(({ state }) => state !== 'running').map((row) => row.run_id))
  for (const run of journalledRuns(home)) {
    if (closed.has(run) || run === current) continue
    const loaded = new Set(
      (
        await database.rows<{ walk: string }>('SELECT DISTINCT walk FROM ops.request WHERE run_id = ?', [run])
      ).map((row) => row.walk),
    )
    const journalled = closedWalks(home, run)
    const walks = journalled.market.filter((walk) => !loaded.has(walk.id))
    for (const batch of batchesOf(inStageOrder(walks))) {
      const [first] = batch
      if (first) {
        await onLoaded(
          await loadBatch(database, home, first.window.dataset, batch, calendar, { verify: true }),
        )
      }
    }
    const { snapshot } = journalled
    if (snapshot.length > 0 && !snapshot.some((walk) => loaded.has(walk.id))) {
      await onLoaded(await loadSnapshot(database, home, snapshot, { verify: true, suffixes }))
    }
    if (!known.some(({ run_id }) => run_id === run)) {
      const pages = [...journalled.market, ...snapshot].flatMap((walk) => walk.pages)
      await recordJournalled(database, run, pages, journalled.market.length + snapshot.length)
    }
  }
  for (const run of await killedRuns(database)) if (run !== current) await markInterrupted(database, run)
}

/** As the run itself loads: dataset by dataset in the order of the stages, each in the order of closing. */
export function inStageOrder(walks: readonly ClosedWalk[]): ClosedWalk[] {
  return DATASETS.flatMap((name) => walks.filter((walk) => walk.window.dataset === name))
}
