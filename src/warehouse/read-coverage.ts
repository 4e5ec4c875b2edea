import type { LearnedDays } from 'candlehouse-foundation/market/calendar'
import { addDays, type Day } from 'candlehouse-foundation/market/day'
import { isTimeframe } from 'candlehouse-foundation/market/timeframe'
import type { Database } from '../duckdb/open.js'
import { sqlFile } from '../duckdb/sqlfile.js'
import type { Coverage, CoverageState, SymbolCheck, TradedDay } from '../plan/coverage.js'
import { firstCompared, latestTurns } from '../plan/daily-cross-checks.js'
import type { FetchedName, Window } from '../plan/datasets.js'
import type { Goal } from '../plan/goal.js'
import { brokenCandles } from './wanted-windows.js'

interface CoverageRow {
  dataset: string
  key: string
  timeframe: string
  day: Day
  state: CoverageState
  reason_code: string | null
}

/**
 * Reads from the ledger what the planner needs for the goal's sessions. Rows of a user's file are not an answer: the service
 * is still to be asked.
 */
export async function readCoverage(
  database: Database,
  goal: Pick<Goal, 'tradingDate' | 'from' | 'to' | 'crossChecks' | 'mustBeKnown'>,
): Promise<Coverage> {
  const { from, to } = goal
  const listed = await database.column<string>(
    'SELECT symbol FROM market.security WHERE is_listed ORDER BY symbol',
  )
  const summarised = await database.rows<TradedDay>(
    `SELECT symbol, CAST(trading_date AS VARCHAR) AS day, total_match <> 0 AS traded
     FROM market.daily_summary WHERE trading_date BETWEEN ?::DATE AND ?::DATE`,
    [from, to],
  )
  const coverage = await database.rows<CoverageRow>(sqlFile('warehouse/window_states.sql'), [
    from,
    to,
    goal.tradingDate,
  ])
  const windows = new Map(coverage.map((row) => [nameOf(row), row]))
  return {
    listed,
    delisted: await database.column<string>(sqlFile('warehouse/delisted_symbols.sql'), [from, to]),
    typed: await checkSymbols(database, goal.mustBeKnown),
    indexes: await database.column<string>(
      'SELECT index_code FROM market.market_index WHERE left_on IS NULL ORDER BY index_code',
    ),
    ...(await learnedDays(database, from, to)),
    summaryForm: await summaryForm(database),
    traded: summarised,
    unfinished: coverage.flatMap(({ dataset, key, timeframe, day, state }) =>
      dataset === 'ohlc' && state === 'incomplete' && isTimeframe(timeframe)
        ? [{ symbol: key, timeframe, day }]
        : [],
    ),
    broken: await brokenCandles(database, from, to),
    uncompared: goal.crossChecks > 0 ? await uncompared(database, listed, goal) : new Map(),
    stateOf: (dataset, key, timeframe, day) => windows.get(nameOf({ dataset, key, timeframe, day }))?.state,
    isRefusedQuery: (dataset, key, day) =>
      windows.get(nameOf({ dataset, key, timeframe: '', day }))?.reason_code === 'refusal',
  }
}

function nameOf(window: Pick<CoverageRow, 'dataset' | 'key' | 'timeframe' | 'day'>): string {
  return `${window.dataset} ${window.timeframe} ${window.day} ${window.key}`
}

/** In how many runs in a row each window failed: the most of its sessions; 0 for one that has not. */
export async function readFailedRuns(database: Database): Promise<(window: Window<FetchedName>) => number> {
  const rows = await database.rows<{ name: string; days: { day: Day; runs: number }[] }>(
    sqlFile('warehouse/failed_runs.sql'),
  )
  const failed = new Map(rows.map(({ name, days }) => [name, days]))
  return ({ dataset, key, timeframe, from, to }) =>
    (failed.get(`${dataset} ${timeframe} ${key}`) ?? [])
      .filter(({ day }) => from <= day && day <= to)
      .reduce((most, { runs }) => Math.max(most, runs), 0)
}

/** Sessions before the goal's, of the symbols that have their turn in it. */
async function uncompared(
  database: Database,
  listed: readonly string[],
  { from, to }: Pick<Goal, 'from' | 'to'>,
): Promise<Coverage['uncompared']> {
  const days: Day[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  const turnOf = latestTurns(days)
  const symbols = listed.filter((symbol) => turnOf(symbol) !== undefined)
  if (symbols.length === 0) return new Map()
  const rows = await database.rows<{ symbol: string; days: string }>(sqlFile('warehouse/uncompared.sql'), [
    JSON.stringify({ symbols, from: firstCompared(from), before: from }),
  ])
  return new Map(rows.map((row) => [row.symbol, row.days.split(' ')]))
}

/**
 * By symbol when the latest question for the whole market was refused, or was answered with nothing on days for
 * which single symbols have summaries.
 */
async function summaryForm(database: Database): Promise<Coverage['summaryForm']> {
  const [form] = await database.rows<{ by_symbol: boolean | null }>(sqlFile('warehouse/summary_form.sql'))
  return form?.by_symbol ? 'symbol' : 'market'
}

/**
 * Days of a range of which the answers say whether they are sessions. A day is learned closed only once a later session has
 * data: until then an empty answer may just be early. A day with data is open, whatever the table says.
 */
export async function learnedDays(database: Database, from: Day, to: Day): Promise<LearnedDays> {
  const closed = await database.column<Day>(sqlFile('warehouse/learned_closed.sql'), [from, to])
  const open = await database.column<Day>(sqlFile('warehouse/learned_open.sql'), [from, to])
  return { learnedClosed: closed, learnedOpen: open }
}

/**
 * The largest page size each endpoint served in its latest run: a refused size is not tried again by the next one, and
 * a list that was walked again with small pages is asked with large ones.
 */
export async function servedPageSizes(database: Database): Promise<Record<string, number>> {
  const rows = await database.rows<{ endpoint: string; size: number }>(
    sqlFile('warehouse/served_page_sizes.sql'),
  )
  return Object.fromEntries(rows.map((row) => [row.endpoint, row.size]))
}

/** A symbol is known from a list, now or in the past, or from stored data: a delisted one, one of a user's file. */
async function checkSymbols(database: Database, symbols: readonly string[] = []): Promise<SymbolCheck> {
  if (symbols.length === 0) return { unknown: [], known: [] }
  const known = new Set(
    await database.column<string>(
      'SELECT symbol FROM market.security UNION SELECT symbol FROM market.security_history ORDER BY ALL',
    ),
  )
  const unlisted = symbols.filter((symbol) => !known.has(symbol))
  for (const symbol of unlisted) {
    const [stored] = await database.rows<{ is_stored: boolean }>(
      `SELECT EXISTS (FROM market.daily_summary WHERE symbol = $1) OR EXISTS (FROM market.candle WHERE symbol = $1)
         OR EXISTS (FROM market.price_limit WHERE symbol = $1) AS is_stored`,
      [symbol],
    )
    if (stored?.is_stored) known.add(symbol)
  }
  return { unknown: symbols.filter((symbol) => !known.has(symbol)), known: [...known] }
}
