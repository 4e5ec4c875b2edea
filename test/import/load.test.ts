import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { installParsers } from '../../src/duckdb/parse.js'
import { readStatus } from '../../src/read/index.js'
import { readCoverage } from '../../src/warehouse/read-coverage.js'
import { temporaryFolder } from '../support/folder.js'
import { fileOf, importFile, landFile, parquetOf } from '../support/imported.js'
import { loadWalks, type TestWalk } from '../support/landed.js'
import { emptyWarehouse } from '../support/memory.js'
import { candleWalk, evening, publishTest } from '../support/published.js'

const DAILY = 'symbol,trading_date,close,total_match\n'
const BARS = 'symbol,timeframe,opened_at,open,high,low,close,volume,value\n'

/** In memory, emptied for each test: a file takes ten times as long to make. */
async function opened() {
  const warehouse = await emptyWarehouse()
  await installParsers(warehouse)
  return helpersOf(temporaryFolder(), warehouse)
}

function helpersOf(home: string, warehouse: Database) {
  return {
    home,
    warehouse,
    daily: (rows: string) => importFile(warehouse, home, 'securitiesSummary', fileOf(DAILY + rows)),
    bars: (rows: string) => importFile(warehouse, home, 'ohlc', fileOf(BARS + rows)),
    importFile: (
      ...args: Parameters<typeof importFile> extends [unknown, unknown, ...infer Rest] ? Rest : never
    ) => importFile(warehouse, home, ...args),
    service: (walks: readonly TestWalk[]) =>
      loadWalks(warehouse, home, walks, {
        tradingDate: '2025-06-27',
        receivedAt: '2025-07-02T12:00:00.000Z',
      }),
    closes: async () =>
      (
        await warehouse.rows<{ said: string }>(
          `SELECT concat_ws(' ', symbol, trading_date, printf('%g', close::DOUBLE)) AS said FROM market.daily_summary ORDER BY ALL`,
        )
      ).map(({ said }) => said),
    times: async () =>
      (
        await warehouse.rows<{ said: string }>(
          `SELECT strftime(opened_at + INTERVAL 7 HOUR, '%H:%M ') || printf('%g', close::DOUBLE) AS said FROM market.candle ORDER BY ALL`,
        )
      ).map(({ said }) => said),
    coverage: async () =>
      (
        await warehouse.rows<{ said: string }>(
          `SELECT concat_ws(' ', dataset, key, nullif(timeframe, ''), window_from, state, row_count) AS said FROM ops.coverage ORDER BY ALL`,
        )
      ).map(({ said }) => said),
    revisions: async () =>
      (
        await warehouse.rows<{ said: string }>(
          `SELECT concat_ws(' ', relation, "column", old, new) AS said FROM market.revision WHERE "column" <> '*'
           UNION ALL SELECT concat_ws(' ', relation, key, 'withdrawn') FROM market.revision WHERE "column" = '*' ORDER BY ALL`,
        )
      ).map(({ said }) => said),
  }
}

/** The service's summaries of one session, of the whole market. */
function summaries(day: string, closes: Record<string, string>): TestWalk {
  const data = Object.entries(closes).map(([symbol, close]) => ({
    symbol,
    tradingDate: day,
    close,
    totalMatch: '10',
  }))
  return {
    window: { dataset: 'securitiesSummary', key: '*', timeframe: '', from: day, to: day },
    bodies: [{ data }],
  }
}

describe('an import', () => {
  test('goes through the same reading: what cannot be believed waits in quarantine, whole', async () => {
    const { warehouse, daily, closes, coverage } = await opened()
    const done = await daily(`FPT,2015-01-05,105,10
FPT,06/01/2015,NaN,10
FPT,2015-01-07,1e400,10
FPT,2015-01-08,105,12.6
FPT,2015-02-30,105,10
FPT,1999-12-31,105,10
,2015-01-09,105,10
`)
    expect(done).toMatchObject({ rows: 7, changed: 1, rejected: 6 })
    expect(await closes()).toEqual(['FPT 2015-01-05 105'])
    const rejected = await warehouse.rows<{ reason: string; payload: string }>(
      'SELECT reason, payload FROM ops.quarantine ORDER BY reason',
    )
    expect(rejected.map(({ reason }) => reason)).toEqual([
      "close: '1e400' is not a plain number with at most 6 decimals",
      "close: 'NaN' is not a plain number with at most 6 decimals",
      'symbol is missing',
      "totalMatch: '12.6' is not a whole number",
      "tradingDate: '2015-02-30' is not a date",
      'tradingDate: 1999-12-31 is outside of the window asked, 2015-01-05 to 2015-01-09',
    ])
    expect(rejected[1]?.payload).toBe(
      '{"symbol":"FPT","tradingDate":"06/01/2015","close":"NaN","totalMatch":"10"}',
    )
    // A session of which nothing was believed is not held.
    expect(await coverage()).toEqual(['securitiesSummary * 2015-01-05 imported 1'])
  })

  test('of rows that say the same twice takes one; of rows that contradict each other none', async () => {
    const { daily, closes } = await opened()
    const rows = 'FPT,2015-01-05,105,10\nHPG,2015-01-05,50,10\n'
    expect(
      await daily(
        `${rows}${rows}VNM,2015-01-05,1,10\nVNM,2015-01-05,2,10\nVIC,2015-01-05,7,10\nVIC,2015/01/05,7.0,10\n`,
      ),
    ).toMatchObject({
      rows: 6,
      changed: 3,
      rejected: 2,
    })
    expect(await closes()).toEqual(['FPT 2015-01-05 105', 'HPG 2015-01-05 50', 'VIC 2015-01-05 7'])
  })

  test('of symbols of any kind keeps each of them apart', async () => {
    const { warehouse, importFile: bring } = await opened()
    const odd = ['fpt', 'FPT', "O'Neil", '"', 'Ð\u0301', '*', '{}', '%', 'x'.repeat(3000), '__proto__']
    const values = odd.map(
      (symbol) => `('${symbol.replaceAll("'", "''").replaceAll('\u0000', "' || chr(0) || '")}')`,
    )
    const path = await parquetOf(
      `SELECT symbol, '1d' AS timeframe, DATE '2015-01-05' AS trading_date, 1 AS open, 1 AS high, 1 AS low, 1 AS close, 1 AS volume, 1 AS value
       FROM (VALUES ${values.join(', ')}) s(symbol)`,
    )
    expect(await bring('ohlc', path)).toMatchObject({ changed: odd.length, rejected: 0 })
    const held = await warehouse.rows<{ symbol: string }>('SELECT symbol FROM market.candle')
    expect(held.map(({ symbol }) => symbol).sort()).toEqual([...odd].sort())
    expect(await bring('ohlc', path)).toMatchObject({ changed: 0, rejected: 0 })
  })

  test('of indexes and of price limits knows them by their own columns', async () => {
    const { warehouse, importFile: bring } = await opened()
    await bring('indexSummary', fileOf('trading_date,index_value\n2015-01-05,545.63\n'), { index: 'VNINDEX' })
    await bring('indexSummary', fileOf('INDEX,tradingDate,indexValue\nHNX,2015-01-05,83\n,2015-01-05,1\n'))
    await bring(
      'masterdata',
      fileOf('symbol,board,tradingDate,ceiling,floor,refPrice\nFPT,HOSE,05/01/2015,"28,900",25150,27000\n'),
    )
    expect(
      await warehouse.rows(
        'SELECT index_code, trading_date, index_value FROM market.index_summary ORDER BY 1',
      ),
    ).toEqual([
      { index_code: 'HNX', trading_date: '2015-01-05', index_value: '83.000000' },
      { index_code: 'VNINDEX', trading_date: '2015-01-05', index_value: '545.630000' },
    ])
    expect(await warehouse.rows('SELECT reason FROM ops.quarantine')).toEqual([
      { reason: 'index is missing' },
    ])
    expect(await warehouse.rows('SELECT symbol, exchange, ceiling FROM market.price_limit')).toEqual([
      { symbol: 'FPT', exchange: 'HOSE', ceiling: '28900.000000' },
    ])
  })

  test('may be corrected by a later one, which withdraws nothing', async () => {
    const { daily, closes, revisions } = await opened()
    await daily('FPT,2015-01-05,105,10\nHPG,2015-01-05,50,10\nVNM,2015-01-05,60,10\n')
    expect(await daily('FPT,2015-01-05,106,10\n')).toMatchObject({ changed: 1, blocked: { rows: 0 } })
    expect(await closes()).toEqual(['FPT 2015-01-05 106', 'HPG 2015-01-05 50', 'VNM 2015-01-05 60'])
    expect(await revisions()).toEqual(['market.daily_summary close 105.000000 106.000000'])
    expect(await daily('FPT,2015-01-05,106,10\n')).toMatchObject({ changed: 0 })
  })

  test('lands a long file in pages and walks of a reasonable size, a session in one of them', async () => {
    const home = temporaryFolder()
    const path =
      await parquetOf(`SELECT unnest(['A', 'B']) AS symbol, '1m' AS timeframe, day + to_minutes(m) AS local_time, 1 AS close
      FROM (SELECT unnest(generate_series(TIMESTAMP '2015-01-01', TIMESTAMP '2016-07-13', INTERVAL 1 DAY)) AS day), range(120) t(m)
      UNION ALL SELECT 'C', '1m', TIMESTAMP '2015-01-05' + to_days(i * 40), 1 FROM range(3) t(i)`)
    const walks = await landFile(home, 'ohlc', path)
    const size = (pages: readonly { rows: number }[]) => pages.map(({ rows }) => rows).join('+')
    expect(
      walks.map(({ window: { key, from, to }, pages }) => `${key} ${from} ${to} ${size(pages)}`).sort(),
    ).toEqual([
      'A 2015-01-01 2016-05-14 20000+20000+20000',
      'A 2016-05-15 2016-07-13 7200',
      'B 2015-01-01 2016-05-14 20000+20000+20000',
      'B 2016-05-15 2016-07-13 7200',
      'C 2015-01-05 2015-01-05 1',
      'C 2015-02-14 2015-02-14 1',
      'C 2015-03-26 2015-03-26 1',
    ])
  })
})

describe('an import beside the records of the service', () => {
  test('never changes what the service has said of a session, nor adds to it', async () => {
    const { bars, daily, service, closes, times, coverage, revisions } = await opened()
    await service([summaries('2025-06-27', { FPT: '100' }), candleWalk('FPT', '2025-06-27', ['09:15:00'])])
    const before = await coverage()
    expect(await daily('FPT,2025-06-27,999,10\nOLD,2025-06-27,5,10\nFPT,2025-06-26,99,10\n')).toMatchObject({
      changed: 2,
      rejected: 0,
      blocked: { rows: 1, sessions: 1 },
    })
    const bar = (time: string, timeframe = '1m') => `FPT,${timeframe},2025-06-27 ${time},1,1,1,1,1,1\n`
    expect(await bars(bar('09:15:00') + bar('09:16:00') + bar('00:00:00', '1d'))).toMatchObject({
      changed: 1,
      blocked: { rows: 2, sessions: 1 },
    })
    expect(await closes()).toEqual(['FPT 2025-06-26 99', 'FPT 2025-06-27 100', 'OLD 2025-06-27 5'])
    expect(await times()).toEqual(['00:00 1', '09:15 27050'])
    expect(await revisions()).toEqual([])
    expect(await coverage()).toEqual(
      [...before, 'ohlc FPT 1d 2025-06-27 imported 1', 'securitiesSummary * 2025-06-26 imported 1'].sort(),
    )
  })

  test('gives way to what the service says later: it revises, and withdraws bars that it does not have', async () => {
    const { bars, service, times, revisions, coverage } = await opened()
    const day = ['09:15', '09:16', '09:17', '09:18']
    await bars(day.map((time) => `FPT,1m,2025-06-27 ${time}:00,1,1,1,1,1,1\n`).join(''))
    expect(await coverage()).toEqual(['ohlc FPT 1m 2025-06-27 imported 4'])
    // Three of four are missing: of the service's own rows that would be an alarm.
    const [done] = await service([candleWalk('FPT', '2025-06-27', ['09:15:00'])])
    expect(done).toMatchObject({ changed: 4, missing: [] })
    expect(await times()).toEqual(['09:15 27050'])
    expect(await coverage()).toEqual(['ohlc FPT 1m 2025-06-27 complete 1'])
    expect((await revisions()).filter((each) => each.endsWith('withdrawn'))).toHaveLength(3)
    expect(await bars('FPT,1m,2025-06-27 09:15:00,1,1,1,1,1,1\n')).toMatchObject({
      changed: 0,
      blocked: { rows: 1 },
    })
  })

  test('keeps symbols that an answer for the whole market does not name: they are no longer listed', async () => {
    const { daily, service, closes, coverage } = await opened()
    await daily('FPT,2025-06-27,99,10\nGONE,2025-06-27,5,10\nGONE2,2025-06-27,5,10\n')
    const [done] = await service([summaries('2025-06-27', { FPT: '100' })])
    expect(done).toMatchObject({ changed: 1, missing: [] })
    expect(await closes()).toEqual(['FPT 2025-06-27 100', 'GONE 2025-06-27 5', 'GONE2 2025-06-27 5'])
    expect(await coverage()).toEqual(['securitiesSummary * 2025-06-27 complete 1'])
  })

  test('that the service confirms is the service’s from then on', async () => {
    const { warehouse, daily, service, closes } = await opened()
    await daily('FPT,2025-06-27,100,10\n')
    const [done] = await service([summaries('2025-06-27', { FPT: '100' })])
    expect(done).toMatchObject({ changed: 0 })
    expect(
      await warehouse.rows(
        `SELECT endpoint, strftime(loaded_at, '%Y-%m-%d') AS known FROM market.daily_summary JOIN ops.request USING (request_id)`,
      ),
    ).toEqual([{ endpoint: 'securitiesSummary', known: '2025-07-01' }])
    expect(await warehouse.rows('SELECT endpoint, key_name FROM ops.request ORDER BY 1')).toEqual([
      { endpoint: 'import', key_name: null },
      { endpoint: 'securitiesSummary', key_name: 'default' },
    ])
    expect(await daily('FPT,2025-06-27,999,10\n')).toMatchObject({ changed: 0, blocked: { rows: 1 } })
    expect(await closes()).toEqual(['FPT 2025-06-27 100'])
  })

  test('casts no doubt on candles, neither when it is corrected nor when the service says otherwise', async () => {
    const { daily, service, coverage } = await opened()
    await service([candleWalk('FPT', '2025-06-27', ['09:15:00'])])
    await daily('FPT,2025-06-27,99,10\n')
    await daily('FPT,2025-06-27,98,10\n')
    await service([summaries('2025-06-27', { FPT: '100' })])
    expect(await coverage()).toContain('ohlc FPT 1m 2025-06-27 complete 1')
    await service([summaries('2025-06-27', { FPT: '101' })])
    expect(await coverage()).toContain('ohlc FPT 1m 2025-06-27 incomplete 1')
  })

  test('keeps nobody from asking the service', async () => {
    const { warehouse, daily, bars } = await opened()
    await daily('FPT,2025-06-27,99,10\n')
    await bars('FPT,1m,2025-06-27 09:15:00,1,1,1,1,1,1\n')
    const coverage = await readCoverage(warehouse, {
      tradingDate: '2025-06-30',
      from: '2025-06-01',
      to: '2025-06-30',
      crossChecks: 0,
    })
    expect(coverage.stateOf('securitiesSummary', '*', '', '2025-06-27')).toBeUndefined()
    expect(coverage.stateOf('ohlc', 'FPT', '1m', '2025-06-27')).toBeUndefined()
    expect(coverage).toMatchObject({ summaryForm: 'market', learnedOpen: [], learnedClosed: [] })
  })

  test('is told by the status, and is no use of the key', async () => {
    const { home, warehouse, daily } = await opened()
    await daily('FPT,2025-06-27,99,10\nFPT,2025-06-26,98,10\n')
    await publishTest(warehouse, home)
    const { datasets, gapCount, lastRequestAt } = await readStatus(home, evening())
    expect(datasets).toMatchObject([
      { dataset: 'securitiesSummary', complete: 0, incomplete: 0, imported: 2 },
    ])
    expect({ gapCount, lastRequestAt }).toEqual({ gapCount: 0, lastRequestAt: null })
  })
})
