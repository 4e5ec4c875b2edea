import type { WalkBatch } from './walk-batch.js'

/**
 * Creates temp view `received_row`: one row per key. Pages that shifted between requests repeat rows: equal rows are one row.
 * Rows of one key that differ within one answer contradict each other, so all of them are rejected.
 *
 * @param isDistinct whether it is known that no key was received twice: counting the keys of a million bars costs 0.13 CPU-seconds,
 * and as much memory as the bars
 */
export async function keepDistinctRows({ steps, dataset }: WalkBatch, isDistinct: boolean): Promise<void> {
  if (isDistinct) return await steps.run('load/candles/distinct')
  const parts = { key: dataset.key.join(', ') }
  if ((await steps.count('load/batch/repeated_keys', { parts })) === 0) return
  if (dataset.name === 'ohlc') await steps.run('load/candles/stage')
  await steps.run('load/batch/distinct_rows', { parts })
}
