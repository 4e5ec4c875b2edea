import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { literal } from '../../src/duckdb/sqlfile.js'
import { installMart } from '../../src/mart/install.js'
import { refreshMaterialized } from '../../src/mart/materialized.js'
import { martObjects } from '../../src/mart/objects.js'
import { migrate } from '../../src/warehouse/migrate.js'
import { LONG } from '../support/long.js'

const BOARDS = ['HOSE', 'HNX', 'UPCOM', 'DERIVATIVE', 'none'] as const
/** One before the hours changed, one while one phase alone differed, one by today's hours. */
const DAYS = ['2012-06-04', '2013-07-22', '2025-03-10'] as const

let database: Database

beforeAll(async () => {
  database = await openDatabase(':memory:')
  await migrate(database)
  await installMart(database)
  // Hours of an earlier time: a morning in three parts without an opening auction, then an auction dated by itself.
  await database.run(`
    DELETE FROM mart.trading_phase WHERE board = 'HOSE' AND valid_to < DATE '9999-12-31';
    UPDATE mart.trading_phase SET valid_from = DATE '2013-07-22' WHERE board = 'HOSE' AND phase <> 'ato';
    UPDATE mart.trading_phase SET valid_from = DATE '2014-01-01' WHERE board = 'HOSE' AND phase = 'ato';
    INSERT INTO mart.trading_phase
    SELECT 'HOSE', phase, starts::TIME, ends::TIME, DATE '2000-01-01', DATE '2013-07-21', 'test'
    FROM (VALUES ('continuous', '08:30', '09:30'), ('continuous', '09:30', '10:15'), ('atc', '10:15', '10:30')) t(phase, starts, ends)`)
  await database.run(martObjects().find(({ name }) => name === 'day_minute')?.text ?? '')
})

afterAll(() => database.close())

interface Bar {
  board: (typeof BOARDS)[number]
  day: (typeof DAYS)[number]
  minute: number
  price: number
  volume: number
}

/** One symbol a board; minutes near the edges of phases as often as any other. */
const bars = fc.uniqueArray(
  fc.record<Bar>({
    board: fc.constantFrom(...BOARDS),
    day: fc.constantFrom(...DAYS),
    minute: fc.oneof(
      fc.integer({ min: 0, max: 1439 }),
      fc.integer({ min: 505, max: 905 }),
      fc.constantFrom(
        525,
        539,
        540,
        554,
        555,
        570,
        615,
        629,
        630,
        689,
        690,
        691,
        779,
        780,
        869,
        870,
        884,
        885,
        886,
        899,
        900,
        901,
      ),
    ),
    price: fc.integer({ min: 1, max: 900 }).map((ticks) => ticks * 50),
    volume: fc.integer({ min: 0, max: 100_000 }),
  }),
  { minLength: 1, maxLength: 120, selector: ({ board, day, minute }) => `${board} ${day} ${minute}` },
)

const symbolOf = (board: Bar['board']): string => (board === 'DERIVATIVE' ? 'VN30F1206' : `${board}X`)

async function hold(some: readonly Bar[]): Promise<void> {
  await database.run('DELETE FROM market.candle; DELETE FROM market.price_limit; DELETE FROM mart.intraday')
  const rows = some.map(
    ({ board, day, minute, price, volume }) =>
      `(${literal(symbolOf(board))}, '1m', mart.session_instant(DATE '${day}', ${minute}), DATE '${day}', ${price}, ${price + 50}, ${price - 50}, ${price}, ${volume}, ${price * volume})`,
  )
  await database.run(
    `INSERT INTO market.candle (symbol, timeframe, opened_at, trading_date, open, high, low, close, volume, value) VALUES ${rows.join(', ')}`,
  )
  const listed = BOARDS.filter((board) => board !== 'none').flatMap((board) =>
    DAYS.map(
      (day) =>
        `(${literal(symbolOf(board))}, ${literal(board === 'DERIVATIVE' ? 'HNX' : board)}, DATE '${day}', 100)`,
    ),
  )
  await database.run(
    `INSERT INTO market.price_limit (symbol, exchange, trading_date, ref_price) VALUES ${listed.join(', ')}`,
  )
  await database.run(
    `INSERT INTO ops.dirty_partition SELECT DISTINCT 'market.candle', CAST(trading_date AS VARCHAR) FROM market.candle`,
  )
  await refreshMaterialized(database)
  await database.run('DELETE FROM ops.dirty_partition')
}

const TIMEFRAMES = ['1m', '3m', '5m', '7m', '8m', '15m', '30m', '45m', '1h', '2h', '4h']
const ALL = `mart.session_bars('${TIMEFRAMES.join(',')}')`

async function expectWholeBars(): Promise<void> {
  const broken = await database.rows(`
    WITH session_bar AS (FROM ${ALL}), local_bar AS (
      SELECT session_bar.timeframe, session_bar.symbol, session_bar.opened_at, session_bar.phase, session_bar.bars, session_bar.open, session_bar.close,
        session_bar.trading_date, mart.exchange_time(session_bar.opened_at) = session_bar.exchange_time AS is_local
      FROM session_bar
    )
    SELECT 'twice' AS what, timeframe, symbol, opened_at FROM local_bar GROUP BY ALL HAVING count(*) > 1
    UNION ALL
    SELECT 'local time', timeframe, symbol, opened_at FROM local_bar WHERE NOT is_local OR CAST(mart.exchange_time(opened_at) AS DATE) <> trading_date
    UNION ALL
    -- Two minutes as far apart as the timeframe, and one more in the phase's last bar, are in no bar together.
    SELECT 'too many', timeframe, symbol, opened_at FROM local_bar
    WHERE phase NOT IN ('ato', 'atc', 'plo') AND bars > mart.timeframe_minutes(timeframe) + CASE WHEN timeframe = '1m' THEN 0 ELSE 1 END`)
  expect(broken).toEqual([])
  const totals = await database.rows(`
    SELECT timeframe, sum(volume) AS volume, sum(value) AS value, sum(bars) AS bars, max(high) AS high, min(low) AS low
    FROM ${ALL} GROUP BY timeframe HAVING (sum(volume), sum(value), sum(bars), max(high), min(low)) IS DISTINCT FROM
      (SELECT (sum(volume), sum(value), count(*), max(high), min(low)) FROM market.candle)`)
  expect(totals).toEqual([])
  const itself = `(SELECT symbol, opened_at, open, high, low, close, volume, value FROM`
  const [differing] = await database.rows<{ n: bigint }>(
    `SELECT count(*) AS n FROM (FROM ${itself} market.candle) EXCEPT ALL FROM ${itself} ${ALL} WHERE timeframe = '1m'))`,
  )
  expect(differing?.n).toBe(0n)
}

async function expectNoneOfTwoPhases(timeframe: string): Promise<void> {
  // Of each phase of each day the bars hold as many minutes as it has: none has passed into a bar of another.
  const counted = (of: string): string =>
    `SELECT symbol, trading_date, phase, sum(bars) AS bars FROM mart.session_bars('${of}') GROUP BY ALL`
  const passed = await database.rows(`FROM (${counted('1m')}) EXCEPT ALL FROM (${counted(timeframe)})`)
  expect(passed).toEqual([])
}

async function expectFilledGrid(): Promise<void> {
  const broken = await database.rows(`
    WITH filled AS (FROM mart.candle_filled), day AS (
      SELECT symbol, trading_date, count(*) AS minutes, count(DISTINCT opened_at) AS apart, sum(volume) AS volume,
        count_if(close IS NULL AND NOT is_filled) AS priceless FROM filled GROUP BY ALL
    ), wanted AS (
      SELECT made.symbol, made.trading_date, sum(made.volume) FILTER (WHERE made.phase NOT IN ('plo', 'outside')) AS volume
      FROM mart.session_bars('1m') made GROUP BY ALL
    ), regular AS (
      SELECT board, valid_from, valid_to, count(*) AS minutes FROM mart.trading_minute WHERE is_regular GROUP BY ALL
    )
    SELECT wanted.*, day.*, regular.minutes
    FROM wanted
    LEFT JOIN day USING (symbol, trading_date)
    LEFT JOIN market.price_limit band USING (symbol, trading_date)
    LEFT JOIN regular ON regular.board = mart.trading_board(band.symbol, band.exchange) AND wanted.trading_date BETWEEN regular.valid_from AND regular.valid_to
    WHERE day.minutes IS DISTINCT FROM regular.minutes OR day.apart <> day.minutes OR day.priceless > 0
      OR (day.minutes IS NOT NULL AND day.volume <> coalesce(wanted.volume, 0))`)
  expect(broken).toEqual([])
}

test('bars of any timeframe on every board and in every era: unique, whole, and within their phase; none holds minutes of two phases, nor of both sides of lunch; the filled grid has every regular minute once, the volume of its bars, and no price before the first', async () => {
  await fc.assert(
    fc.asyncProperty(bars, fc.constantFrom('3m', '7m', '1h', '4h'), async (some, timeframe) => {
      await hold(some)
      await expectWholeBars()
      await expectNoneOfTwoPhases(timeframe)
      await expectFilledGrid()
    }),
    { numRuns: LONG ? 100 : 8 },
  )
})

test('hours follow the day: the same minutes in two eras', async () => {
  const at = (day: Bar['day'], minute: number): Bar => ({
    board: 'HOSE',
    day,
    minute,
    price: 10_000,
    volume: 100,
  })
  await hold(DAYS.flatMap((day) => [at(day, 9 * 60 + 15), at(day, 9 * 60 + 30), at(day, 10 * 60 + 30)]))
  const rows = await database.rows(`
    SELECT strftime(exchange_time, '%Y %H:%M') AS at, phase, auction, bars FROM mart.session_bars('30m') ORDER BY exchange_time`)
  expect(rows).toEqual([
    { at: '2012 09:00', phase: 'morning', auction: null, bars: 1n },
    { at: '2012 09:30', phase: 'morning', auction: null, bars: 1n },
    { at: '2012 10:30', phase: 'atc', auction: 'atc', bars: 1n },
    { at: '2013 09:15', phase: 'morning', auction: null, bars: 2n },
    { at: '2013 10:15', phase: 'morning', auction: null, bars: 1n },
    { at: '2025 09:15', phase: 'morning', auction: 'ato', bars: 2n },
    { at: '2025 10:15', phase: 'morning', auction: null, bars: 1n },
  ])
  const eras = await database.rows(
    `SELECT DISTINCT CAST(valid_from AS VARCHAR) AS "from", CAST(valid_to AS VARCHAR) AS "to" FROM mart.trading_minute WHERE board = 'HOSE' ORDER BY 1`,
  )
  expect(eras).toEqual([
    { from: '2000-01-01', to: '2013-07-21' },
    { from: '2013-07-22', to: '2013-12-31' },
    { from: '2014-01-01', to: '9999-12-31' },
  ])
})

test('what is no timeframe is an error', async () => {
  for (const text of ['1d', '0m', '1.5h', 'm', ''])
    await expect(database.rows(`FROM mart.session_bars('${text}')`)).rejects.toThrow(/no timeframe/)
})
