import type { DuckDBConnection } from '@duckdb/node-api'

/** What a process has resident before any is given back, at least: most runs never have as much. */
const USUAL_BYTES = 208 * 2 ** 20

/** How much it gains before it gives back. */
const STEP_BYTES = 48 * 2 ** 20

/** A statement that takes less leaves too little behind to look. */
const SHORT_MS = 5

/**
 * Gives the memory that statements have freed back to the system. DuckDB's allocator keeps it for ten seconds or longer, beside what the
 * memory limit counts: a backfill of 1.2 million bars had 570 MB resident, of which 320 were in use. To set the limit, to whatever value,
 * gives it back: a millisecond where there is nothing.
 */
export class FreedMemory {
  private kept: number

  /**
   * @param limit DuckDB's own, which stays as it is
   * @param resident bytes that the process has resident
   */
  constructor(
    private readonly connection: Pick<DuckDBConnection, 'run'>,
    private readonly limit: string,
    private readonly resident: () => number = () => process.memoryUsage.rss(),
  ) {
    this.kept = Math.max(USUAL_BYTES, resident())
  }

  /** After a statement that took so many milliseconds. */
  async giveBack(ms: number): Promise<void> {
    if (ms < SHORT_MS || this.resident() < this.kept + STEP_BYTES) return
    // What cannot be given back stays: no statement fails for it.
    await this.connection.run(`SET memory_limit = '${this.limit}'`).catch(() => undefined)
    this.kept = Math.max(USUAL_BYTES, this.resident())
  }
}
