import { availableParallelism } from 'node:os'

/** Memory that each thread needs for itself, as DuckDB's guide says, MB. */
const THREAD_MB = 125

/**
 * Threads of a database that works beside other work of this process: all cores but one, which fetches, lands or serves meanwhile,
 * and no more than its memory has room for.
 */
export function threadsWithin(memoryLimit: `${number}MB`): number {
  const most = Math.floor(Number.parseInt(memoryLimit, 10) / THREAD_MB)
  return Math.max(1, Math.min(most, availableParallelism() - 1))
}
