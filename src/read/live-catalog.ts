import { statSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import type { ReaderOptions } from '../duckdb/locked.js'
import type { Reader } from '../duckdb/reader.js'
import { openCatalog } from './query.js'

/** Opens the published catalog of a home, or a view of it. */
export type OpenCatalog = (home: string, options: ReaderOptions) => Promise<Reader>

/**
 * The published catalog as it is now: opened anew when a publication has replaced its file. One piece of work at a time:
 * a reader has one connection.
 */
export class LiveCatalog {
  private open: { reader: Reader; stamp: string } | undefined
  private last: Promise<unknown> = Promise.resolve()
  private isClosed = false

  constructor(
    private readonly home: string,
    private readonly options: ReaderOptions = {},
    private readonly openAgain: OpenCatalog = openCatalog,
  ) {}

  /**
   * Runs work on the catalog once earlier work has ended. All its statements see one publication.
   *
   * @throws StorageError before the first publication
   */
  async use<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const turn = this.last.then(async () => await this.run(work))
    this.last = turn.catch(() => undefined)
    return await turn
  }

  /** Closes the catalog after the work that is under way. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.last
    this.forget()
  }

  private async run<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    if (this.isClosed) throw new StorageError('the catalog is closed: the program is stopping')
    const stamp = catalogStamp(this.home)
    if (this.open?.stamp !== stamp) this.forget()
    this.open ??= { reader: await this.openAgain(this.home, this.options), stamp }
    try {
      return await work(this.open.reader)
    } catch (error) {
      // A file that was swept away or damaged: the next work begins with a new look at the catalog.
      if (error instanceof StorageError) this.forget()
      throw error
    }
  }

  private forget(): void {
    this.open?.reader.close()
    this.open = undefined
  }
}

/** Changes whenever the catalog is replaced; empty where there is none. */
export function catalogStamp(home: string): string {
  const stats = statSync(join(home, 'catalog.duckdb'), { bigint: true, throwIfNoEntry: false })
  return stats ? `${stats.dev}:${stats.ino}:${stats.ctimeNs}` : ''
}
