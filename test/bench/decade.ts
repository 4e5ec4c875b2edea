import { join } from 'node:path'
import type { Database } from '../../src/duckdb/open.js'
import { literal } from '../../src/duckdb/sqlfile.js'
import { packageRoot } from '../../src/package.js'
import { monthOf, type Relation, relations } from '../../src/relations.js'

/** Size of a generated history. */
export interface HistorySize {
  /** Symbols with daily figures. */
  symbols: number
  /** Of these, symbols with 225 bars of 1m in every session. */
  traded: number
  /** First and last day. */
  from: string
  to: string
  /** Months before this one (YYYY-MM) have bars of only so many symbols, spread over the alphabet: a reader of one symbol reads as much. */
  fewer?: { before: string; traded: number }
  /**
   * The history is that of the stocks and funds that the real night knows, at the reference prices of its first session, and
   * few of them trade in every minute; `symbols` is how many at most.
   */
  asMarket?: boolean
}

const BARS = 225

/** Bars of a session by a number from 0 to 99, where not every symbol has all: 111 per symbol on average. */
const BARS_OF_MARKET = `CASE WHEN share < 37 THEN ${BARS} WHEN share < 57 THEN 100 WHEN share < 80 THEN 30 ELSE 5 END`

/** Days without a session besides weekends, as the product has them. */
const CLOSED = literal(join(packageRoot, 'data/reference/calendar.csv'))

/**
 * Puts years of nights into the warehouse of a home in which one real night has run: bars, daily figures, and everything that
 * grows with nights. Rows of accounts, findings and runs are those of the real night, again for every session. What the rows
 * say is made up; how many there are, in which order, and of what shape is what nights leave.
 *
 * @param onYear called after each year
 */
export async function addHistory(
  warehouse: Database,
  size: HistorySize,
  onYear: (year: string) => Promise<void> = async () => {},
): Promise<void> {
  await listSymbols(warehouse, size)
  await listNights(warehouse, size)
  await warehouse.run('SET VARIABLE last_n = (SELECT max(n) FROM night)')
  const years = await warehouse.rows<{ year: string }>(
    `SELECT DISTINCT strftime(day, '%Y') AS year FROM night ORDER BY year`,
  )
  for (const { year } of years) {
    await addYear(warehouse, year, size)
    await onYear(year)
  }
}

/** A night of one session: what it changed is marked by session, as loading marks it. */
export async function addNight(
  warehouse: Database,
  size: Omit<HistorySize, 'from' | 'to'>,
  day: string,
): Promise<void> {
  await addHistory(warehouse, { ...size, from: day, to: day })
  const sessions = relations.filter(({ layout }) => layout === 'session').map(({ name }) => literal(name))
  await warehouse.run(`UPDATE ops.dirty_partition SET partition = ${literal(day)}
    WHERE partition = ${literal(day.slice(0, 7))} AND relation IN (${sessions.join(', ')})`)
}

/**
 * The generated symbols' prices and bars in sessions that the real night has fetched for its own symbols: the latest session
 * then has all of both.
 */
export async function addBeside(warehouse: Database, size: HistorySize): Promise<void> {
  await listSymbols(warehouse, size)
  await listNights(warehouse, size)
  await warehouse.run('SET VARIABLE last_n = NULL')
  await warehouse.run('CREATE OR REPLACE TEMP TABLE session AS FROM night ORDER BY day')
  await warehouse.transaction(async () => {
    for (const statement of BY_SYMBOL) await warehouse.run(statement)
  })
  for (const month of await monthsOfYear(warehouse)) await addBars(warehouse, month, size)
  await markDirty(warehouse)
}

async function listNights(warehouse: Database, { from, to }: HistorySize): Promise<void> {
  await warehouse.run(`CREATE OR REPLACE TEMP TABLE night AS
    SELECT day::DATE AS day, strftime(day, '%Y%m%dT110000000Z-0000') AS run_id,
      day::TIMESTAMPTZ + INTERVAL 12 HOUR AS ended_at, epoch(day)::BIGINT // 86400 AS n,
      coalesce(lag(n) OVER (ORDER BY day), n - IF(isodow(day) = 1, 3, 1)) AS n_before
    FROM generate_series(DATE ${literal(from)}, DATE ${literal(to)}, INTERVAL 1 DAY) t(day)
    WHERE isodow(day) < 6 AND day NOT IN (SELECT day FROM read_csv(${CLOSED}, types = {'day': 'DATE'})) ORDER BY day`)
}

/** Symbols of three letters, as stocks have them, that the real night does not know. */
async function listSymbols(warehouse: Database, size: HistorySize): Promise<void> {
  await warehouse.run(
    `CREATE TEMP TABLE IF NOT EXISTS stock AS ${size.asMarket ? stocksOfNight(size) : unknownStocks(size)}`,
  )
  if (size.asMarket) return
  const { from, to } = size
  const facts = `symbol, 'Công ty ' || symbol AS symbol_name_vi, exchange AS board, 100 AS lot_size,
    100000000 + i * 1000 AS listed_share, (i % 40 * 100 + 500)::VARCHAR AS icb_code, 'Sector ' || i % 40 AS icb_name`
  await warehouse.run(`INSERT INTO market.security BY NAME
    SELECT ${facts}, DATE ${literal(from)} AS first_seen, DATE ${literal(to)} AS last_seen, true AS is_listed
    FROM stock WHERE symbol NOT IN (SELECT symbol FROM market.security)`)
  await warehouse.run(`INSERT INTO market.security_history BY NAME
    SELECT ${facts}, DATE ${literal(from)} AS valid_from
    FROM stock WHERE symbol NOT IN (SELECT symbol FROM market.security_history)`)
  await warehouse.run(
    `INSERT INTO ops.dirty_partition VALUES ('market.security', 'all'), ('market.security_history', 'all')`,
  )
}

function unknownStocks({ symbols }: HistorySize): string {
  const letter = (place: string): string => `chr(65 + (code // ${place} % 26)::INTEGER)`
  return `SELECT row_number() OVER (ORDER BY symbol) - 1 AS i, symbol, i * 7 % 3 AS board,
      ['HOSE', 'HNX', 'UPCOM'][board + 1] AS exchange, 8000 + i * 17 // 100 * 100 AS base, ${BARS} AS bars
    FROM (SELECT ${letter('676')} || ${letter('26')} || ${letter('1')} AS symbol FROM range(17576) r(code)
      WHERE symbol NOT IN (SELECT symbol FROM market.security WHERE request_id IS NOT NULL) ORDER BY hash(code) LIMIT ${symbols})`
}

/** The last close of the history is the first reference price of the real nights, so that no event lies between them. */
function stocksOfNight({ symbols }: HistorySize): string {
  return `SELECT row_number() OVER (ORDER BY symbol) - 1 AS i, symbol,
      list_position(['HOSE', 'HNX', 'UPCOM'], exchange) - 1 AS board, exchange, base, ${BARS_OF_MARKET} AS bars
    FROM (SELECT symbol, exchange, ref_price::BIGINT AS base, (hash(symbol) % 100)::BIGINT AS share
      FROM market.price_limit JOIN market.security USING (symbol)
      WHERE trading_date = (SELECT min(trading_date) FROM market.price_limit) AND ref_price > 0
        AND mart.instrument_kind(symbol, NULL) IN ('stock', 'etf')
      ORDER BY hash(symbol) LIMIT ${symbols})`
}

async function addYear(warehouse: Database, year: string, size: HistorySize): Promise<void> {
  await warehouse.run(
    `CREATE OR REPLACE TEMP TABLE session AS FROM night WHERE strftime(day, '%Y') = ${literal(year)} ORDER BY day`,
  )
  await warehouse.transaction(async () => {
    for (const statement of [...BY_SYMBOL, BY_INDEX, ...LEDGER, ...(await copiedNight(warehouse))])
      await warehouse.run(statement)
  })
  for (const month of await monthsOfYear(warehouse)) await addBars(warehouse, month, size)
  await markDirty(warehouse)
}

async function monthsOfYear(warehouse: Database): Promise<string[]> {
  const months = await warehouse.rows<{ month: string }>(
    `SELECT DISTINCT strftime(day, '%Y-%m') AS month FROM session ORDER BY month`,
  )
  return months.map(({ month }) => month)
}

/** SQL for the close of a symbol, in the session of the day `n`. */
const closeOf = (n: string): string =>
  `(base + IF(${n} IS NOT DISTINCT FROM getvariable('last_n'), 0, (hash(i, ${n}) % 21)::BIGINT - 10) * 50)`

/**
 * Daily figures by session and symbol, in the order in which nights store them. References follow the close, on UPCOM the average;
 * once in 300 sessions they lie a twentieth below it, as after a corporate action.
 */
const BY_SYMBOL = [
  `INSERT INTO market.price_limit
    SELECT symbol, exchange, day, reference + 600, reference - 600, reference, run_id || '-000072', ended_at
    FROM (SELECT *, IF(board = 2, base, ${closeOf('n_before')}) AS basis,
        IF((i + n) % 300 = 0, basis * 19 // 2000 * 100, basis) AS reference FROM session, stock)
    ORDER BY day, symbol`,
  `INSERT INTO market.daily_summary BY NAME
    SELECT symbol, day AS trading_date, move * 50 AS price_change, move * 5000.0 / base AS price_change_percentage,
      base AS open, base + 500 AS high, base - 500 AS low, base + move * 50 AS close, base AS average, match AS total_match,
      match * base AS total_match_value, match + h % 5000 AS total_buy, match // 1000 AS total_trade_buy,
      match + h % 7000 AS total_sell, match // 900 AS total_trade_sell, match // 11 AS total_foreign_buy,
      match // 11 * base AS total_foreign_buy_value, match // 13 AS total_foreign_sell,
      match // 13 * base AS total_foreign_sell_value, 10000000 + h % 900000 AS remain_foreign_room,
      20000000 AS total_foreign_room, h % 3 * 1000 AS total_deal, h % 3 * 1000 * base AS total_deal_value,
      run_id || '-000016' AS request_id, ended_at AS loaded_at
    FROM (SELECT *, (${closeOf('n')} - base) // 50 AS move, (hash(n, i) % 20000)::BIGINT * 100 AS match,
        (hash(n, i, 1) % 1000000)::BIGINT AS h FROM session, stock)
    ORDER BY day, symbol`,
  `INSERT INTO market.security_daily BY NAME
    SELECT symbol, day AS trading_date, base AS i_nav, run_id || '-000001' AS request_id, ended_at AS loaded_at
    FROM session, stock WHERE i % 10 = 0 ORDER BY day, symbol`,
]

const BY_INDEX = `INSERT INTO market.index_summary BY NAME
    SELECT index_code, day AS trading_date, 1000 + (hash(index_code, n) % 500) / 10 AS index_value,
      (hash(n) % 1000000)::BIGINT * 100 AS total_match, (hash(n) % 1000000)::BIGINT * 2000000 AS total_match_value,
      (hash(n, 1) % 700)::BIGINT AS total_advance_stock, (hash(n, 2) % 700)::BIGINT AS total_decline_stock,
      run_id || '-000017' AS request_id, ended_at AS loaded_at
    FROM session, market.market_index ORDER BY day, index_code`

/** What a night asked and was answered: a request per symbol for its bars, and some for the market. */
const LEDGER = [
  `INSERT INTO ops.coverage BY NAME
    SELECT 'ohlc' AS dataset, symbol AS key, '1m' AS timeframe, day AS window_from, day AS window_to, 'complete' AS state,
      bars AS row_count, day + 366 AS expires_on, run_id || '-' || lpad((100 + i)::VARCHAR, 6, '0') AS request_id
    FROM session, stock ORDER BY day, symbol`,
  `INSERT INTO ops.coverage BY NAME
    SELECT 'ohlc' AS dataset, symbol AS key, timeframe, day AS window_from, day AS window_to, 'complete' AS state,
      45 AS row_count, day + 366 AS expires_on, run_id || '-' || lpad((3000 + i)::VARCHAR, 6, '0') AS request_id
    FROM session, stock, (VALUES ('5m'), ('15m'), ('1h')) t(timeframe) WHERE (i + n) % 60 = 0 ORDER BY day, symbol`,
  `INSERT INTO ops.request BY NAME
    SELECT request_id, left(request_id, 24) AS run_id, dataset, dataset AS endpoint,
      '{"symbol":"' || key || '","timeframe":"1m","fromDate":"' || window_from || '","toDate":"' || window_from
        || '","page":1,"pageSize":1000}' AS query,
      left(request_id, 24) || '-w' || right(request_id, 6) AS walk, 1 AS page, 1 AS attempts, 200 AS status,
      window_from::TIMESTAMPTZ + INTERVAL 11 HOUR AS received_at, (30000 + hash(request_id) % 9000)::BIGINT AS bytes,
      row_count, sha256(request_id) AS sha256,
      'raw/ohlc/' || left(request_id, 24) || '/' || request_id || '.json.gz' AS raw_file
    FROM ops.coverage SEMI JOIN session ON window_from = day AND request_id LIKE run_id || '%'
    ORDER BY request_id`,
]

/** Rows of the real night, once more for every session of the year: accounts, findings, coverage of the market, the run. */
async function copiedNight(warehouse: Database): Promise<string[]> {
  const [last] = await warehouse.rows<{ run: string; day: string }>(
    `SELECT run_id AS run, CAST(trading_date AS VARCHAR) AS day FROM ops.run WHERE run_id NOT LIKE '%-0000' ORDER BY run_id DESC LIMIT 1`,
  )
  if (!last) throw new Error('run one night in the home first')
  const run = literal(last.run)
  const day = `DATE ${literal(last.day)}`
  const id = (column: string): string => `replace(copied.${column}, ${run}, session.run_id) AS ${column}`
  const account = relations.filter(({ name }) => name.startsWith('account.') && name !== 'account.account')
  return [
    ...account.map(
      ({ name }) =>
        `INSERT INTO ${name} SELECT copied.* REPLACE (${[
          id('snapshot_id'),
          ...(name === 'account.snapshot'
            ? ['session.day AS as_of', 'session.ended_at AS received_at']
            : [id('request_id'), 'session.ended_at AS loaded_at']),
        ].join(', ')}) FROM session, ${name} copied WHERE copied.snapshot_id = ${run} ORDER BY session.day`,
    ),
    `INSERT INTO ops.run SELECT copied.* REPLACE (${id('run_id')}, session.day AS trading_date, session.ended_at AS started_at,
      session.ended_at AS finished_at, session.ended_at AS judged_at) FROM session, ops.run copied WHERE copied.run_id = ${run} ORDER BY session.day`,
    `INSERT INTO ops.coverage SELECT copied.* REPLACE (session.day AS window_from, session.day AS window_to, ${id('request_id')})
      FROM session, ops.coverage copied WHERE dataset <> 'ohlc' AND window_from = ${day}
        AND left(request_id, 24) <> session.run_id AND request_id LIKE ${run} || '%' ORDER BY session.day`,
    `INSERT INTO recon.finding SELECT copied.* REPLACE (session.day AS trading_date, ${id('run_id')}, session.ended_at AS since,
      session.ended_at AS judged_at) FROM session, recon.finding copied WHERE trading_date = ${day} AND copied.run_id = ${run} ORDER BY session.day`,
    `INSERT INTO recon.offender SELECT copied.* REPLACE (session.day AS trading_date) FROM session, recon.offender copied
      WHERE trading_date = ${day} ORDER BY session.day`,
    `INSERT INTO recon.checked_input SELECT copied.* REPLACE (session.day AS trading_date)
      FROM session, recon.checked_input copied WHERE trading_date = ${day} ORDER BY session.day`,
    // As many as nights: readers ask for the latest.
    `INSERT INTO ops.publication SELECT (SELECT max(publication_id) FROM ops.publication) + row_number() OVER (ORDER BY session.day),
      session.run_id, session.ended_at, copied.versions FROM session, (FROM ops.publication ORDER BY publication_id LIMIT 1) copied`,
  ]
}

/**
 * A month of bars, by session, symbol and minute, and what `mart.intraday` has of them. Prices move a little from bar to bar,
 * so that they compress as prices do. Some symbols have longer bars too, as cross checks leave them.
 */
async function addBars(
  warehouse: Database,
  month: string,
  { traded: all, fewer }: HistorySize,
): Promise<void> {
  const traded = fewer && month < fewer.before ? fewer.traded : all
  const step = Math.floor(all / traded)
  await warehouse.run(`CREATE OR REPLACE TEMP TABLE month_session AS
    SELECT *, row_number() OVER (ORDER BY day) - 1 AS d FROM session WHERE strftime(day, '%Y-%m') = ${literal(month)}`)
  const [days] = await warehouse.rows<{ count: bigint }>('SELECT count(*) AS count FROM month_session')
  const bars = await listBars(warehouse, traded, step)
  await warehouse.run(`INSERT INTO market.candle
    WITH place AS (
      SELECT k // ${bars} AS d, k % ${bars} AS place FROM range(${Number(days?.count) * bars}) t(k)
    ), bar AS (
      SELECT *, hash(n * 1000000 + i * 1000 + bar) AS h,
        base + 50 * (round(5 * sin((n * 225 + bar + i * 31) / 40.0))::BIGINT + (h % 7)::BIGINT) AS open,
        open + 50 * ((h >> 3) % 5)::BIGINT - 100 AS close,
        (h >> 16 & 255)::BIGINT * (h >> 24 & 127)::BIGINT * 100 AS volume,
        CASE WHEN bar < 135 THEN bar WHEN bar < 224 THEN bar + 90 ELSE 330 END AS minute
      FROM place
      JOIN stock_bar USING (place)
      JOIN month_session USING (d)
    )
    SELECT symbol, '1m', make_timestamptz((n * 86400 + 8100 + minute * 60) * 1000000), day,
      open, greatest(open, close) + 50 * (h >> 6 & 1)::BIGINT, least(open, close) - 50 * (h >> 7 & 1)::BIGINT, close,
      volume, volume * open + (h >> 40 & 65535)::BIGINT * 10, false, run_id || '-' || page, ended_at
    FROM bar`)
  const inMonth = `trading_date BETWEEN DATE '${month}-01' AND last_day(DATE '${month}-01')`
  await warehouse.run(`INSERT INTO market.candle
    SELECT symbol, timeframe, ended_at + to_minutes(135 + bar * minutes), day, base, base + 100, base - 100, base + 50,
      (hash(i, bar, n) % 3000)::BIGINT * 100, 1000000, false, run_id || '-' || lpad((3000 + i)::VARCHAR, 6, '0'), ended_at
    FROM (SELECT * REPLACE (day::TIMESTAMPTZ AS ended_at) FROM session WHERE strftime(day, '%Y-%m') = ${literal(month)}) session,
      stock, (VALUES ('5m', 5, 45), ('15m', 15, 15), ('1h', 60, 5)) t(timeframe, minutes, bars), range(45) b(bar)
    WHERE (i + n) % 60 = 0 AND bar < t.bars AND i < ${all}
    ORDER BY day, symbol, timeframe, bar`)
  await warehouse.run(`INSERT INTO mart.intraday BY NAME
    SELECT symbol, day AS trading_date, exchange AS board, bars,
      day::TIMESTAMPTZ + INTERVAL 135 MINUTE AS first_bar_at, day::TIMESTAMPTZ + INTERVAL 465 MINUTE AS last_bar_at,
      (hash(i, n) % 50000)::BIGINT * 100 AS volume, volume * base AS value, volume // 10 AS ato_volume,
      volume // 9 AS atc_volume, volume // 3 AS morning_volume, volume // 2 AS afternoon_volume,
      (hash(n, i) % 1000000)::BIGINT / 1e9 AS realised_variance
    FROM session, stock WHERE strftime(day, '%Y-%m') = ${literal(month)} AND i < ${all} ORDER BY day, symbol`)
  await warehouse.run(`INSERT INTO ops.dirty_partition
    SELECT relation, ${literal(month)} FROM (VALUES ('market.candle'), ('mart.intraday')) t(relation)
    WHERE EXISTS (FROM market.candle WHERE ${inMonth})`)
}

/**
 * The bars of a session: of every `step`th symbol, those with fewer spread over the day.
 *
 * @returns how many
 */
async function listBars(warehouse: Database, traded: number, step: number): Promise<number> {
  await warehouse.run(`CREATE OR REPLACE TEMP TABLE stock_bar AS
    SELECT row_number() OVER (ORDER BY i, k) - 1 AS place, i, symbol, base, k * ${BARS} // bars AS bar,
      lpad((100 + i)::VARCHAR, 6, '0') AS page
    FROM stock, range(${BARS}) t(k) WHERE k < bars AND i % ${step} = 0 AND i // ${step} < ${traded}`)
  return await warehouse.count('SELECT count(*) FROM stock_bar')
}

/** Marks what the year has as to be published: whole months, since bars of a month are one file. */
async function markDirty(warehouse: Database): Promise<void> {
  const filled = relations.filter(
    ({ name }) => !['market.candle', 'mart.intraday', 'mart.session_factor'].includes(name),
  )
  for (const relation of filled)
    await warehouse.run(
      `INSERT INTO ops.dirty_partition SELECT DISTINCT ${literal(relation.name)}, ${partitionsOf(relation)}`,
    )
}

function partitionsOf({ name, dated }: Relation): string {
  if (!dated) return `'all' FROM ${name}`
  return `${monthOf(dated)} AS month FROM ${name} WHERE month IN (SELECT strftime(day, '%Y-%m') FROM session)`
}
