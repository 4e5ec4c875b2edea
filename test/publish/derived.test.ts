import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { ask, type Bar, candleWalk, publishTest, summaryWalk } from '../support/published.js'

/** A thin session with its corners: a hole at 9:18, the lunch break, a bar at 11:30, the closing auction at 14:45. */
const thin: readonly Bar[] = [
  ['09:15:00', '100', '110', '95', '105', '10', '1000'],
  ['09:16:00', '105', '120', '104', '118', '20', '2300.5'],
  ['09:17:00', '118', '119', '90', '92', '30', '3000'],
  ['09:19:00', '92', '93', '91', '93', '5', '460'],
  ['09:20:00', '93', '99', '93', '98', '7', '680'],
  ['11:29:00', '98', '98', '97', '97', '11', '1070'],
  ['11:30:00', '97', '97', '97', '97', '1', '97'],
  ['13:00:00', '96', '101', '96', '100', '40', '3950'],
  ['14:29:00', '100', '102', '100', '101', '2', '202'],
  ['14:45:00', '103', '103', '103', '103', '500', '51500'],
]

/** Each line: start in exchange time, open, high, low, close, volume, value. */
const expected: readonly { timeframe: string; bars: readonly string[] }[] = [
  {
    timeframe: '3m',
    bars: [
      '09:15 100 120 90 92 60 6300.50',
      '09:18 92 99 91 98 12 1140.00',
      '11:27 98 98 97 97 11 1070.00',
      '11:30 97 97 97 97 1 97.00',
      '13:00 96 101 96 100 40 3950.00',
      '14:27 100 102 100 101 2 202.00',
      '14:45 103 103 103 103 500 51500.00',
    ],
  },
  {
    timeframe: '5m',
    bars: [
      '09:15 100 120 90 93 65 6760.50',
      '09:20 93 99 93 98 7 680.00',
      '11:25 98 98 97 97 11 1070.00',
      '11:30 97 97 97 97 1 97.00',
      '13:00 96 101 96 100 40 3950.00',
      '14:25 100 102 100 101 2 202.00',
      '14:45 103 103 103 103 500 51500.00',
    ],
  },
  {
    timeframe: '15m',
    bars: [
      '09:15 100 120 90 98 72 7440.50',
      '11:15 98 98 97 97 11 1070.00',
      '11:30 97 97 97 97 1 97.00',
      '13:00 96 101 96 100 40 3950.00',
      '14:15 100 102 100 101 2 202.00',
      '14:45 103 103 103 103 500 51500.00',
    ],
  },
  {
    timeframe: '30m',
    bars: [
      '09:00 100 120 90 98 72 7440.50',
      '11:00 98 98 97 97 11 1070.00',
      '11:30 97 97 97 97 1 97.00',
      '13:00 96 101 96 100 40 3950.00',
      '14:00 100 102 100 101 2 202.00',
      '14:30 103 103 103 103 500 51500.00',
    ],
  },
  {
    timeframe: '1h',
    bars: [
      '09:00 100 120 90 98 72 7440.50',
      '11:00 98 98 97 97 12 1167.00',
      '13:00 96 101 96 100 40 3950.00',
      '14:00 100 103 100 103 502 51702.00',
    ],
  },
]

const line = `strftime(local_time, '%H:%M') || ' ' || concat_ws(' ', open::BIGINT, high::BIGINT, low::BIGINT,
  close::BIGINT, volume, value)`

async function publishWalks(...walks: Parameters<typeof loadWalks>[2]): Promise<string> {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  await loadWalks(warehouse, home, walks)
  await publishTest(warehouse, home)
  return home
}

describe('timeframes derived from one-minute bars', () => {
  let home: string
  const fetched: readonly Bar[] = [
    ['09:15:00', '1', '1', '1', '1', '1', '1'],
    ['14:45:00', '2', '2', '2', '2', '2', '2'],
  ]
  beforeAll(async () => {
    home = await publishWalks(
      // Received backwards: the first price is the earliest bar's, not the first row's.
      candleWalk('HPG', '2025-03-14', [...thin].reverse()),
      candleWalk('HPG', '2025-03-14', ['00:00:00'], '1d'),
      { ...candleWalk('HPG', '2025-03-14', [], '15m'), end: { state: 'empty', reason: null } },
      candleWalk('FPT', '2025-03-14', thin),
      // Sessions and symbols beside each other.
      candleWalk('VNM', '2025-03-13', ['14:45:00']),
      candleWalk('VNM', '2025-03-14', ['14:45:00']),
      candleWalk('VCB', '2025-03-14', ['14:45:00']),
      // Bars of five minutes that the service has.
      candleWalk('MWG', '2025-03-13', ['09:15:00', '09:20:00']),
      candleWalk('MWG', '2025-03-14', thin),
      candleWalk('SSI', '2025-03-14', ['09:15:00']),
      candleWalk('MWG', '2025-03-14', fetched, '5m'),
    )
  })

  test.each(expected)(
    '$timeframe bars follow the clock over lunch and closing auction',
    async ({ timeframe, bars }) => {
      const rows = await ask(
        home,
        `SELECT ${line} AS bar FROM market.candle WHERE symbol = 'HPG' AND timeframe = '${timeframe}' ORDER BY opened_at`,
      )
      expect(rows.map((row) => row.bar)).toEqual(bars)
    },
  )

  test('have the instant, the exchange time and the session of their bucket, and are marked as derived', async () => {
    expect(
      await ask(
        home,
        `SELECT timeframe, opened_at::VARCHAR AS opened_at, local_time, trading_date, is_derived, request_id IS NULL AS no_page
         FROM market.candle WHERE symbol = 'HPG' AND (timeframe = '1m' AND strftime(local_time, '%H:%M') = '14:45'
           OR timeframe = '1h' AND strftime(local_time, '%H:%M') = '14:00') ORDER BY timeframe DESC`,
      ),
    ).toEqual([
      {
        timeframe: '1m',
        opened_at: '2025-03-14 07:45:00+00',
        local_time: '2025-03-14 14:45:00',
        trading_date: '2025-03-14',
        is_derived: false,
        no_page: false,
      },
      {
        timeframe: '1h',
        opened_at: '2025-03-14 07:00:00+00',
        local_time: '2025-03-14 14:00:00',
        trading_date: '2025-03-14',
        is_derived: true,
        no_page: true,
      },
    ])
  })

  test('never mix symbols or sessions', async () => {
    expect(
      await ask(
        home,
        `SELECT symbol, trading_date, volume FROM market.candle WHERE timeframe = '1h' AND symbol IN ('VNM', 'VCB') ORDER BY ALL`,
      ),
    ).toEqual([
      { symbol: 'VCB', trading_date: '2025-03-14', volume: '1200' },
      { symbol: 'VNM', trading_date: '2025-03-13', volume: '1200' },
      { symbol: 'VNM', trading_date: '2025-03-14', volume: '1200' },
    ])
  })

  test('are replaced by fetched rows of the same symbol, timeframe and day only', async () => {
    const barsOf = (where: string) =>
      ask(
        home,
        `SELECT symbol, trading_date, strftime(local_time, '%H:%M') AS at, volume, is_derived
         FROM market.candle WHERE ${where} ORDER BY ALL`,
      )
    expect(await barsOf("timeframe = '5m' AND symbol IN ('MWG', 'SSI')")).toEqual([
      { symbol: 'MWG', trading_date: '2025-03-13', at: '09:15', volume: '1200', is_derived: true },
      { symbol: 'MWG', trading_date: '2025-03-13', at: '09:20', volume: '1200', is_derived: true },
      { symbol: 'MWG', trading_date: '2025-03-14', at: '09:15', volume: '1', is_derived: false },
      { symbol: 'MWG', trading_date: '2025-03-14', at: '14:45', volume: '2', is_derived: false },
      { symbol: 'SSI', trading_date: '2025-03-14', at: '09:15', volume: '1200', is_derived: true },
    ])
    // The hour is made of minutes, not of the fetched five minutes.
    expect(await barsOf("timeframe = '1h' AND symbol = 'MWG' AND trading_date = '2025-03-14'")).toMatchObject(
      [
        { at: '09:00', volume: '72' },
        { at: '11:00', volume: '12' },
        { at: '13:00', volume: '40' },
        { at: '14:00', volume: '502' },
      ],
    )
  })

  test.each([
    ['1m', false],
    ['1d', false],
    ['15m', true],
  ])('are planned where a statement asks for one of them: %s', async (timeframe, isPlanned) => {
    const [plan] = await ask(
      home,
      `EXPLAIN SELECT * FROM market.candle WHERE timeframe = '${timeframe}' AND symbol = 'MWG'`,
    )
    // The lengths of the derived timeframes are values of the view.
    expect(String(plan?.explain_value).includes('COLUMN_DATA_SCAN')).toBe(isPlanned)
  })

  test('stay if the service returns nothing for a requested timeframe', async () => {
    expect(
      await ask(
        home,
        `SELECT count(*) AS n FROM market.candle WHERE symbol = 'HPG' AND timeframe = '15m' AND is_derived`,
      ),
    ).toEqual([{ n: '6' }])
  })

  test('are all but minutes: days where a daily summary has matched volume, and no bar appears twice', async () => {
    expect(
      await ask(
        home,
        "SELECT DISTINCT timeframe, is_derived FROM market.candle WHERE symbol IN ('HPG', 'FPT') ORDER BY ALL",
      ),
    ).toEqual(
      ['15m', '1d', '1h', '1m', '30m', '3m', '5m'].map((timeframe) => ({
        timeframe,
        is_derived: timeframe !== '1d' && timeframe !== '1m',
      })),
    )
    expect(await ask(home, `SELECT symbol FROM market.candle WHERE timeframe = '1d'`)).toEqual([
      { symbol: 'HPG' },
    ])
    expect(
      await ask(
        home,
        'SELECT symbol, timeframe, opened_at FROM market.candle GROUP BY ALL HAVING count(*) > 1',
      ),
    ).toEqual([])
  })
})

describe('daily bars', () => {
  const daily = `SELECT symbol, trading_date, ${line} AS bar, is_derived, opened_at::VARCHAR AS opened_at, local_time
    FROM market.candle WHERE timeframe = '1d' ORDER BY ALL`

  test('are the daily summaries; a bar of the service wins for its symbol and day; those of a session whose bars are withheld are withheld too', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    await loadWalks(warehouse, home, [
      summaryWalk('2025-03-13', 'FPT', 'HPG'),
      summaryWalk('2025-03-14', 'HPG'),
      candleWalk(
        'HPG',
        '2025-03-14',
        [['00:00:00', '27000', '27100', '26950', '27050', '1300', '35165000']],
        '1d',
      ),
      summaryWalk('2025-03-17', 'FPT'),
    ])
    await warehouse.run(`INSERT INTO recon.finding BY NAME SELECT 8 AS rule, 'market' AS subject,
      DATE '2025-03-17' AS trading_date, 'error' AS severity, 'break' AS state, 'market.candle' AS relations`)
    await warehouse.run(`INSERT INTO ops.dirty_partition VALUES ('recon.finding', DATE '2025-03-01')`)
    await publishTest(warehouse, home)
    expect(
      await ask(home, "SELECT symbol FROM market.daily_summary WHERE trading_date = '2025-03-17'"),
    ).toEqual([{ symbol: 'FPT' }])
    const day = (date: string) => ({
      opened_at: `${before(date)} 17:00:00+00`,
      local_time: `${date} 00:00:00`,
    })
    expect(await ask(home, daily)).toEqual([
      { symbol: 'FPT', trading_date: '2025-03-13', bar: DULL_DAY, is_derived: true, ...day('2025-03-13') },
      { symbol: 'HPG', trading_date: '2025-03-13', bar: DULL_DAY, is_derived: true, ...day('2025-03-13') },
      {
        symbol: 'HPG',
        trading_date: '2025-03-14',
        is_derived: false,
        ...day('2025-03-14'),
        bar: '00:00 27000 27100 26950 27050 1300 35165000.00',
      },
    ])
  })

  test('of a symbol whose bars are withheld are missing while they are, and those of the other symbols are not', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    await loadWalks(warehouse, home, [summaryWalk('2025-03-13', 'FPT', 'HPG')])
    const session = `8 AS rule, 'market' AS subject, DATE '2025-03-13' AS trading_date`
    await warehouse.run(`INSERT INTO recon.finding BY NAME SELECT ${session}, 'error' AS severity, 'break' AS state,
      'market.candle' AS relations;
      INSERT INTO recon.offender BY NAME SELECT ${session}, 'market.candle' AS relation, 'HPG' AS key, 'HPG' AS withheld_key`)
    const publishChanged = async (): Promise<unknown[]> => {
      await warehouse.run(
        `INSERT INTO ops.dirty_partition SELECT unnest(['recon.finding', 'recon.offender']), '2025-03'`,
      )
      await publishTest(warehouse, home)
      return await ask(home, `SELECT DISTINCT symbol FROM (${daily}) ORDER BY ALL`)
    }
    expect(await publishChanged()).toEqual([{ symbol: 'FPT' }])
    await warehouse.run(`UPDATE recon.finding SET state = 'pass'`)
    expect(await publishChanged()).toEqual([{ symbol: 'FPT' }, { symbol: 'HPG' }])
  })
})

const DULL_DAY = '00:00 27000 27100 26950 27050 1200 32460000.00'

const before = (day: string): string => `${day.slice(0, 8)}${Number(day.slice(8)) - 1}`
