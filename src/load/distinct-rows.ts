import type { Dataset } from '../plan/datasets.js'
import type { Steps } from './steps.js'

/**
 * Temp view `received_row`: one row per key. Pages that shifted between requests make equal rows, which are one row; rows
 * of one key that differ within one answer contradict each other: none is believed, all go to quarantine.
 *
 * @param isDistinct whether it is known that no key came twice: counting the keys of a million bars costs 0.13 CPU-seconds,
 * and as much memory as the bars
 */
export async function keepDistinctRows(steps: Steps, dataset: Dataset, isDistinct: boolean): Promise<void> {
  if (isDistinct) return await steps.run('load/candles/distinct')
  const parts = { key: dataset.key.join(', ') }
  const [repeated] = await steps.rows<{ keys: bigint }>('load/batch/repeated_keys', { parts })
  if (!repeated?.keys) return
  if (dataset.name === 'ohlc') await steps.run('load/candles/stage')
  await steps.run('load/batch/distinct_rows', { parts })
}
