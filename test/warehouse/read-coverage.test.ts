import { expect, test } from 'vitest'
import { readCoverage } from '../../src/warehouse/read-coverage.js'
import { temporaryFolder } from '../support/folder.js'
import { openTestWarehouse } from '../support/landed.js'

test('a service that is asked by symbol is asked for symbols that left the lists, of sessions that they may have', async () => {
  const warehouse = await openTestWarehouse(temporaryFolder())
  await warehouse.run(`INSERT INTO market.security BY NAME
    FROM (VALUES ('FPT', 'HOSE', DATE '2025-03-14', true), ('OUT', 'HNX', DATE '2025-03-05', false))
      AS named (symbol, board, last_seen, is_listed)
    SELECT *, DATE '2025-01-02' AS first_seen, 'r' AS request_id, now() AS loaded_at`)
  // No list has named it, on any day: price limits have.
  await warehouse.run(`INSERT INTO market.price_limit BY NAME
    SELECT 'BYE' AS symbol, DATE '2025-03-12' AS trading_date, 'r' AS request_id, now() AS loaded_at`)
  const delistedFrom = async (from: string, to: string) =>
    (await readCoverage(warehouse, { tradingDate: '2025-03-14', from, to, crossChecks: 0 })).delisted
  expect(await delistedFrom('2025-02-03', '2025-02-28')).toEqual(['OUT'])
  expect(await delistedFrom('2025-03-05', '2025-03-12')).toEqual(['BYE', 'OUT'])
  expect(await delistedFrom('2025-03-10', '2025-03-14')).toEqual(['BYE'])
  expect(await delistedFrom('2025-03-13', '2025-03-14')).toEqual([])
})
