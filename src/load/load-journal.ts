import type { Calendar } from 'candlehouse-foundation/market/calendar'
import type { Database } from '../duckdb/open.js'
import type { ClosedWalk, Journalled } from '../land/journal.js'
import { DATASETS } from '../plan/datasets.js'
import type { Suffixes } from './account/fields.js'
import { loadSnapshot } from './account/load-snapshot.js'
import { batchesOf, type Loaded, loadBatch } from './batch.js'

/** Where and how a journal is loaded. */
export interface JournalLoading {
  readonly home: string
  readonly calendar: Calendar
  readonly suffixes: Suffixes
  /** Stops the loading between two batches. */
  readonly signal?: AbortSignal
  /** Ids of page walks that are stored already: they are skipped. A snapshot is skipped as a whole. */
  readonly loaded?: ReadonlySet<string>
}

/**
 * Loads the closed page walks of an earlier run's journal, in the order in which that run loaded them: market data by stage,
 * then the account snapshots of its keys. Pages are compared with the SHA-256 of their lines.
 *
 * @param onLoaded called after each batch, with how many walks it had
 * @throws StorageError if a landed page is missing or changed · the signal's reason
 */
export async function loadJournal(
  database: Database,
  journal: Journalled,
  { home, calendar, suffixes, signal, loaded = new Set() }: JournalLoading,
  onLoaded: (loaded: Loaded, walks: number) => Promise<void> | void,
): Promise<void> {
  const market = journal.market.filter((walk) => !loaded.has(walk.id))
  for (const batch of batchesOf(inStageOrder(market))) {
    const [first] = batch
    if (!first) continue
    signal?.throwIfAborted()
    const options = { verify: true }
    await onLoaded(
      await loadBatch(database, home, first.window.dataset, batch, calendar, options),
      batch.length,
    )
  }
  for (const snapshot of journal.snapshots) {
    if (snapshot.some((walk) => loaded.has(walk.id))) continue
    signal?.throwIfAborted()
    await onLoaded(await loadSnapshot(database, home, snapshot, { verify: true, suffixes }), snapshot.length)
  }
}

/** Dataset by dataset, as the stages of a run load them; within a dataset in the order of closing. */
function inStageOrder(walks: readonly ClosedWalk[]): ClosedWalk[] {
  return DATASETS.flatMap((name) => walks.filter((walk) => walk.window.dataset === name))
}
