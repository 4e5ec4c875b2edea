import type { DuckDBConnection } from '@duckdb/node-api'
import { every } from 'candlehouse-foundation/timers'
import type { Effects } from '../effects.js'

export interface Stop {
  /** Interrupts the statement; then its reason is thrown. */
  readonly signal: AbortSignal
  readonly effects: Pick<Effects, 'after'>
}

/** Often enough for a person who waits. */
const INTERRUPT_MS = 100

/** Interrupts what the connection runs when the signal aborts, and again until it has ended: it may be between two statements. */
export async function interruptible<Result>(
  connection: DuckDBConnection,
  stop: Stop | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!stop) return await work()
  const { signal, effects } = stop
  let end: (() => void) | undefined
  const interrupt = (): void => {
    connection.interrupt()
    end ??= every(INTERRUPT_MS, () => connection.interrupt(), effects)
  }
  signal.addEventListener('abort', interrupt)
  try {
    return await work()
  } catch (cause) {
    throw signal.aborted ? signal.reason : cause
  } finally {
    signal.removeEventListener('abort', interrupt)
    end?.()
  }
}
