import type { ReaderOptions } from '../duckdb/locked.js'
import type { Reader } from '../duckdb/reader.js'
import { LiveCatalog, type OpenCatalog } from './live-catalog.js'
import { cancelled, type StatementCatalog } from './user-statement.js'

/** Catalogs for the statements of users: as many run at a time, so that two tabs do not wait for each other. Others wait. */
export class StatementLanes implements StatementCatalog {
  private readonly lanes: readonly LiveCatalog[]
  private readonly free: LiveCatalog[]
  private readonly waiting: ((lane: LiveCatalog) => void)[] = []

  constructor(home: string, options: ReaderOptions, count: number, open?: OpenCatalog) {
    this.lanes = Array.from({ length: count }, () => new LiveCatalog(home, options, open))
    this.free = [...this.lanes]
  }

  /** @throws UsageError where it is cancelled while it waits */
  async use<T>(work: (reader: Reader) => Promise<T>, cancel?: AbortSignal): Promise<T> {
    const lane = this.free.pop() ?? (await this.turn(cancel))
    try {
      return await lane.use(work)
    } finally {
      const next = this.waiting.shift()
      if (next) next(lane)
      else this.free.push(lane)
    }
  }

  async close(): Promise<void> {
    for (const lane of this.lanes) await lane.close()
  }

  private async turn(cancel: AbortSignal | undefined): Promise<LiveCatalog> {
    return await new Promise((resolve, reject) => {
      const take = (lane: LiveCatalog): void => {
        cancel?.removeEventListener('abort', leave)
        resolve(lane)
      }
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(take), 1)
        reject(cancelled())
      }
      if (cancel?.aborted) return reject(cancelled())
      cancel?.addEventListener('abort', leave, { once: true })
      this.waiting.push(take)
    })
  }
}
