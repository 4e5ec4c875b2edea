import { expect, test } from 'vitest'
import { sqlFile } from '../../src/duckdb/sqlfile.js'
import { emptyWarehouse } from '../support/memory.js'

const DAY = '2025-03-14'

/** Whether a trading date counts as unseen, with these windows: dataset, day, state, rows. */
async function isUnseen(
  ...windows: readonly (readonly [string, string, string, number])[]
): Promise<boolean> {
  const warehouse = await emptyWarehouse()
  for (const [dataset, day, state, rows] of windows)
    await warehouse.run(
      `INSERT INTO ops.coverage BY NAME
       SELECT ? AS dataset, '*' AS key, '' AS timeframe, ?::DATE AS window_from, ?::DATE AS window_to, ? AS state,
         ? AS row_count`,
      [dataset, day, day, state, rows],
    )
  return (await warehouse.rows(sqlFile('warehouse/unseen_session.sql'), [DAY])).length > 0
}

test.each([
  ['nothing was requested', [], false],
  ['its summaries are empty', [['securitiesSummary', DAY, 'empty', 0]], true],
  ['its summaries are incomplete', [['securitiesSummary', DAY, 'incomplete', 0]], false],
  ['a day before is empty', [['securitiesSummary', '2025-03-13', 'empty', 0]], false],
  [
    'bars of it came',
    [
      ['securitiesSummary', DAY, 'empty', 0],
      ['ohlc', DAY, 'complete', 3],
    ],
    false,
  ],
  [
    'bars of it were imported',
    [
      ['securitiesSummary', DAY, 'empty', 0],
      ['ohlc', DAY, 'imported', 3],
    ],
    true,
  ],
  [
    'a later session has summaries',
    [
      ['securitiesSummary', DAY, 'empty', 0],
      ['securitiesSummary', '2025-03-17', 'complete', 9],
    ],
    false,
  ],
] as const)('a trading date of which %s is unseen or not', async (_, windows, expected) => {
  expect(await isUnseen(...windows)).toBe(expected)
})
