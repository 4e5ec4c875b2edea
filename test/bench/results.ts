import { appendFileSync } from 'node:fs'

/** A figure of a bench, beside what it is compared with in the same run. */
export interface Result {
  /** What is measured: `land + load of 1m candles`. */
  readonly what: string
  /** Ours and the other, each with its unit: `2.5 CPU-s per million`. */
  readonly ours: string
  readonly beside: string
  /** Ours divided by the other, or the other way round; `what` says which where it is not obvious. */
  readonly ratio: number
}

/** Prints a figure, and keeps it for docs/benchmarks.md where `make bench` asked for it (BENCH_RESULTS). */
export function record(result: Result): void {
  const { what, ours, beside, ratio } = result
  process.stdout.write(`${what}: ${ours}; beside ${beside}: ratio ${ratio.toFixed(2)}\n`)
  const file = process.env.BENCH_RESULTS
  if (file) appendFileSync(file, `${JSON.stringify(result)}\n`)
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
}
