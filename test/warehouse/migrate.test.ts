import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWarehouse } from '../../src/warehouse/open.js'
import { temporaryFolder } from '../support/folder.js'

test('windows marked by their sentence get the reason code, all others none', async () => {
  const file = join(temporaryFolder(), 'warehouse.duckdb')
  const before = await openWarehouse(file)
  await before.run('DELETE FROM ops.migration WHERE version IN (11, 12)')
  await before.run('ALTER TABLE ops.coverage DROP COLUMN reason_code')
  await before.run(
    `INSERT INTO ops.coverage BY NAME
     SELECT 'ohlc' AS dataset, unnest(['FPT', 'HPG', 'VCB']) AS key, '1m' AS timeframe, 'incomplete' AS state,
       unnest(['its daily summary was restated', '3 rows where itemsCount says 5', NULL]) AS reason`,
  )
  before.close()
  const after = await openWarehouse(file)
  try {
    const rows = await after.rows('SELECT key, reason_code AS code FROM ops.coverage ORDER BY key')
    expect(rows).toEqual([
      { key: 'FPT', code: 'summary_restated' },
      { key: 'HPG', code: null },
      { key: 'VCB', code: null },
    ])
  } finally {
    after.close()
  }
})
