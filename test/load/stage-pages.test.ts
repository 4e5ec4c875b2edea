import { StorageError } from 'candlehouse-foundation/errors'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { loadSnapshot } from '../../src/load/account/load-snapshot.js'
import { loadBatch } from '../../src/load/batch.js'
import { MOST_WHOLE_BYTES } from '../../src/load/stage-pages.js'
import { temporaryFolder } from '../support/folder.js'
import { landParts, landWalks, openTestWarehouse } from '../support/landed.js'

// With a separator, so that the page is read as text.
const bar = {
  symbol: 'FPT',
  tradingDate: '2025/06/02',
  open: '1',
  high: '1',
  low: '1',
  close: '1',
  volume: '1,000',
  value: '10',
}
const window = { dataset: 'ohlc', key: 'FPT', timeframe: '1d', from: '2025-06-02', to: '2025-06-02' } as const

/** The same database, of which staging pages as a whole fails as DuckDB fails. */
function failing(database: Database, error: () => Error): Database & { failures: number } {
  const wrapped = {
    ...database,
    failures: 0,
    run: async (sql: string, values?: Parameters<Database['run']>[1]) => {
      if (wrapped.failures === 0 && sql.includes('TEMP TABLE typed_record')) {
        wrapped.failures += 1
        throw error()
      }
      await database.run(sql, values)
    },
  }
  return wrapped
}

async function loadThrough(error: () => Error) {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const walks = await landWalks(home, [{ window, bodies: [{ data: [bar] }] }])
  const database = failing(warehouse, error)
  const loading = loadBatch(database, home, 'ohlc', walks, loadCalendar(), { verify: true })
  const loaded = await loading.catch((reason: unknown) => ({ reason }))
  const candles = await warehouse.rows('FROM market.candle')
  return { loaded, candles, failures: database.failures }
}

test('a page that DuckDB cannot read as a whole is read record by record', async () => {
  for (const message of ['Invalid Input Error: Malformed JSON', 'Conversion Error: of that page']) {
    const { loaded, candles, failures } = await loadThrough(() => new Error(message))
    expect(failures).toBe(1)
    expect(loaded).toMatchObject({ rows: 1, rejected: 0 })
    expect(candles).toHaveLength(1)
  }
})

test('a disk that refuses while pages are read is not taken for a bad page', async () => {
  const full = new StorageError('cannot write warehouse.duckdb: No space left on device', { hint: '' })
  const { loaded, candles } = await loadThrough(() => full)
  expect(loaded).toEqual({ reason: full })
  expect(candles).toEqual([])
})

test('nor is a lack of memory, or a mistake of ours', async () => {
  for (const message of ['Out of Memory Error: could not allocate block', 'Binder Error: no such column']) {
    const error = new Error(message)
    expect((await loadThrough(() => error)).loaded).toEqual({ reason: error })
  }
})

test('DuckDB calls a record of another shape an invalid input', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  // The first record decides how a page is read; the second one is not an object.
  const walks = await landWalks(home, [{ window, bodies: [{ data: [bar, 7] }] }])
  const loaded = await loadBatch(warehouse, home, 'ohlc', walks, loadCalendar(), { verify: true })
  expect(loaded).toMatchObject({ rows: 2, rejected: 1 })
})

test('market data loads after a snapshot as it does before one: both name their records alike', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const parts = [
    {
      part: 'accountInfo' as const,
      account: '',
      key: '*',
      bodies: [[{ accountNo: 'A1', accountType: 'CASH' }]],
    },
  ]
  const suffixes = { broker: 'Broker', depository: 'Depository' }
  for (const [round, day] of ['2025-06-02', '2025-06-03'].entries()) {
    const bodies = [{ data: [{ ...bar, tradingDate: day.replaceAll('-', '/') }] }]
    const walks = await landWalks(home, [{ window: { ...window, from: day, to: day }, bodies }])
    await loadBatch(warehouse, home, 'ohlc', walks, loadCalendar(), { verify: true })
    const run = `2025060${round + 2}T130000000Z-case`
    const snapshot = await landParts(home, parts, { run, tradingDate: day })
    await loadSnapshot(warehouse, home, snapshot, { verify: true, suffixes })
  }
  expect(await warehouse.rows('FROM market.candle')).toHaveLength(2)
})

test('pages of any size are read where DuckDB has many threads and little memory; a record of four megabytes is rejected by itself', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  await warehouse.run("SET threads = 16; SET memory_limit = '512MB'")
  const record = (symbol: string, symbolNameVi: string) => ({ symbol, board: 'HOSE', symbolNameVi })
  const list = (board: string, data: unknown[]) => ({
    window: {
      dataset: 'securities',
      key: board,
      timeframe: '',
      from: '2025-06-02',
      to: '2025-06-02',
    } as const,
    bodies: [{ data }],
  })
  const long = 'x'.repeat(2000)
  const walks = await landWalks(home, [
    list(
      'HOSE',
      Array.from({ length: 3000 }, (_, at) => record(`S${at}`, long)),
    ),
    list('HNX', [record('FPT', 'FPT'), record('HPG', 'y'.repeat(4 * 2 ** 20))]),
    list('UPCOM', [record('VCB', 'VCB')]),
  ])
  expect(walks[0]?.pages[0]?.bytes).toBeGreaterThan(MOST_WHOLE_BYTES)
  const loaded = await loadBatch(warehouse, home, 'securities', walks, loadCalendar(), { verify: true })
  expect(loaded).toMatchObject({ rejected: 1 })
  const [stored] = await warehouse.rows(`SELECT count(*) AS rows, min(symbol) AS first FROM market.security`)
  expect(stored).toEqual({ rows: 3002n, first: 'FPT' })
  expect(await warehouse.column('SELECT reason FROM ops.quarantine')).toEqual([
    expect.stringMatching(/^\d+ bytes: no record has more than 4194304$/),
  ])
})
