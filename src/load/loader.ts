import type { Calendar } from 'candlehouse-foundation/market/calendar'
import type { Database } from '../duckdb/open.js'
import type { ClosedWalk, PageRecord } from '../land/journal.js'
import { batchesOf, type Loaded, loadBatch, PAGES_PER_BATCH, RECORDS_PER_BATCH } from './batch.js'
import { LandedColumns } from './candles/landed-columns.js'

/** Page walks of one dataset that were not loaded yet. */
interface Waiting {
  readonly walks: ClosedWalk[]
  pages: number
  records: number
}

/** Loads closed page walks in batches, one batch at a time, while others are being fetched. */
export interface Loader {
  /** Takes the text of a page that was landed just now (`LandingRun.onLanded`), so that its file need not be read. */
  landed(page: PageRecord, body: Uint8Array): void
  /** Resolves at once if few pages wait; else after the batch being loaded, so that memory stays limited. @throws errors of loading */
  add(walk: ClosedWalk): Promise<void>
  /** Loads everything that was added. @throws errors of loading */
  flush(): Promise<void>
}

export function createLoader(
  database: Database,
  home: string,
  calendar: Calendar,
  onLoaded: (loaded: Loaded) => Promise<void>,
): Loader {
  const landed = new LandedColumns()
  const waiting = new Map<string, Waiting>()
  let loading: Promise<void> = Promise.resolve()
  let failed: unknown
  const load = (walks: readonly ClosedWalk[]): Promise<void> => {
    loading = loading.then(async () => {
      if (failed) return
      try {
        for (const batch of batchesOf(walks)) {
          const [first] = batch
          if (!first) continue
          await onLoaded(
            await loadBatch(database, home, first.window.dataset, batch, calendar, { verify: false, landed }),
          )
        }
      } catch (error) {
        failed = error
      }
    })
    return loading
  }
  return {
    landed: (page, body) => landed.keep(page, body),
    async add(walk) {
      const { dataset } = walk.window
      const batch = waiting.get(dataset) ?? { walks: [], pages: 0, records: 0 }
      waiting.set(dataset, batch)
      batch.walks.push(walk)
      batch.pages += walk.pages.length
      batch.records += walk.pages.reduce((sum, page) => sum + page.rows, 0)
      // Security lists are loaded in one batch: a symbol that one board no longer lists may be on another.
      const isFull = batch.pages >= PAGES_PER_BATCH || batch.records >= RECORDS_PER_BATCH
      if (dataset === 'securities' || !isFull) return
      waiting.delete(dataset)
      await loading
      if (failed) throw failed
      void load(batch.walks)
    },
    async flush() {
      for (const { walks } of waiting.values()) void load(walks)
      waiting.clear()
      await loading
      if (failed) throw failed
    },
  }
}
