import type { Database } from '../duckdb/open.js'
import type { ClosedWalk } from '../land/journal.js'
import type { Calendar } from '../market/calendar.js'
import { batchesOf, type Loaded, loadBatch, PAGES_PER_BATCH, RECORDS_PER_BATCH } from './batch.js'

/** Takes closed walks as they come and loads them in batches, one at a time, beside the fetching. */
export interface Loader {
  /** Resolves at once while few pages wait; else when the loading has caught up: memory stays bounded. */
  add(walk: ClosedWalk): Promise<void>
  /** Loads everything that was added. @throws what the loading threw */
  flush(): Promise<void>
}

export function createLoader(
  database: Database,
  home: string,
  calendar: Calendar,
  options: { verify: boolean; onLoaded: (loaded: Loaded) => Promise<void> },
): Loader {
  const waiting = new Map<string, ClosedWalk[]>()
  let loading: Promise<void> = Promise.resolve()
  let failed: unknown
  const load = (walks: readonly ClosedWalk[]): Promise<void> => {
    loading = loading.then(async () => {
      if (failed) return
      try {
        for (const batch of batchesOf(walks)) {
          const [first] = batch
          if (!first) continue
          await options.onLoaded(
            await loadBatch(database, home, first.window.dataset, batch, calendar, options),
          )
        }
      } catch (error) {
        failed = error
      }
    })
    return loading
  }
  return {
    async add(walk) {
      const { dataset } = walk.window
      const walks = [...(waiting.get(dataset) ?? []), walk]
      waiting.set(dataset, walks)
      // Security lists are judged together: absence from one board may be presence on another.
      if (dataset === 'securities' || !fillBatch(walks)) return
      waiting.delete(dataset)
      await loading
      if (failed) throw failed
      void load(walks)
    },
    async flush() {
      for (const walks of waiting.values()) void load(walks)
      waiting.clear()
      await loading
      if (failed) throw failed
    },
  }
}

function fillBatch(walks: readonly ClosedWalk[]): boolean {
  const pages = walks.flatMap((walk) => walk.pages)
  return (
    pages.length >= PAGES_PER_BATCH || pages.reduce((sum, page) => sum + page.rows, 0) >= RECORDS_PER_BATCH
  )
}
