import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { rounded } from './rounded-market.js'
import { bar, covered, type Given, limit, type Row } from './world.js'

/** 3 February to 15 April 2025: the sessions of the measured set (docs/market-facts.md#pass-rates). */
export const SESSIONS = loadCalendar().sessionsBetween('2025-02-03', '2025-04-15')

/** A session of which no row was omitted. */
export const WHOLE_SESSION = SESSIONS[44] ?? ''

/** Names by board: most of those with days of odd lots trade on UPCOM. */
const NAMES = { HOSE: 60, HNX: 30, UPCOM: 52 } as const
const BANDS = { HOSE: 0.07, HNX: 0.1, UPCOM: 0.15 } as const
export type StockBoard = keyof typeof NAMES

/** Rows of the measured set: the others of 142 names and 51 sessions were omitted. */
export const ROWS = 5951

/** Name number `at` of a board: `HAA`, `XAB`, `UBC`. */
export function nameOf(board: StockBoard, at: number): string {
  const letter = (number: number): string => String.fromCharCode(65 + (number % 26))
  return `${{ HOSE: 'H', HNX: 'X', UPCOM: 'U' }[board]}${letter(Math.floor(at / 26))}${letter(at)}`
}

const SYMBOLS = (Object.keys(NAMES) as StockBoard[]).flatMap((board) =>
  Array.from({ length: NAMES[board] }, (_, at) => ({ board, symbol: nameOf(board, at), at })),
)

/** All names trade around a price of their own, on the tick of every board. */
const priceOf = (at: number): number => 12_000 + 100 * (at % 60)

/** 27 days of odd lots on 20 sessions, 23 of them on UPCOM; the volume of one is above a lot, as of one in twenty. */
export const ODD_DAYS = Array.from({ length: 27 }, (_, at) => {
  const board: StockBoard = at % 7 === 3 ? (at % 2 === 0 ? 'HNX' : 'HOSE') : 'UPCOM'
  const session = SESSIONS[2 * (at % 20) + 3] ?? ''
  return { board, symbol: nameOf(board, at), session, volume: at === 26 ? 300 : [2, 4, 7, 51, 99][at % 5] }
})

/** The name whose summary was omitted on a day of -7 %; limits and a 1d bar of that day are stored. */
export const OMITTED = {
  symbol: nameOf('HOSE', 59),
  session: SESSIONS[30] ?? '',
  before: 29_000,
  after: 27_000,
}

const keyOf = (symbol: string, session: string): string => `${symbol} ${session}`

function summaryOf(symbol: string, session: string, price: number, volume: number): Row {
  const foreign = Math.floor(volume / 11)
  return {
    symbol,
    trading_date: session,
    price_change: '0',
    // A source that computes differences in doubles.
    price_change_percentage: '1.4210854715202004e-14',
    open: price,
    high: price + 100,
    low: price - 100,
    close: price,
    average: price,
    total_match: volume,
    total_match_value: rounded(price * volume),
    total_buy: volume + 130,
    total_sell: volume + 170,
    total_trade_buy: 3,
    total_trade_sell: 3,
    total_foreign_buy: foreign,
    total_foreign_buy_value: rounded(price * foreign),
    total_foreign_sell: foreign,
    total_foreign_sell_value: rounded(price * foreign),
    total_deal: 0,
    total_deal_value: 0,
  }
}

export function limitOf(board: StockBoard, symbol: string, session: string, price: number): Row {
  const width = Math.floor((price * BANDS[board]) / 100) * 100
  return limit({
    symbol,
    exchange: board,
    trading_date: session,
    ref_price: price,
    ceiling: price + width,
    floor: price - width,
  })
}

function priceOn(symbol: string, at: number, session: string): number {
  if (symbol !== OMITTED.symbol) return priceOf(at)
  return session < OMITTED.session ? OMITTED.before : OMITTED.after
}

/** 5,951 daily summaries as they were measured: values rounded, days of odd lots, rows omitted. */
function summaries(): Row[] {
  const odd = new Map(ODD_DAYS.map((day) => [keyOf(day.symbol, day.session), day.volume]))
  const needed = new Set([...odd.keys(), ...SESSIONS.map((session) => keyOf(OMITTED.symbol, session))])
  const all = SESSIONS.flatMap((session, day) =>
    SYMBOLS.map(({ symbol, at }, number) => ({ symbol, at, session, day, number })),
  ).filter(({ symbol, session }) => symbol !== OMITTED.symbol || session !== OMITTED.session)
  // 7,919 is prime: it spreads what is omitted over names and sessions.
  const order = all.map((row, index) => ({ row, rank: (index * 7919) % all.length }))
  const optional = order.filter(
    ({ row }) => row.session !== WHOLE_SESSION && !needed.has(keyOf(row.symbol, row.session)),
  )
  const omitted = new Set(
    optional
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, all.length - ROWS)
      .map(({ row }) => row),
  )
  return all
    .filter((row) => !omitted.has(row))
    .map(({ symbol, at, session, day, number }) => {
      const price = priceOn(symbol, at, session)
      const volume = odd.get(keyOf(symbol, session))
      if (volume === undefined)
        return summaryOf(symbol, session, price, 1003 + 137 * ((number * 31 + day * 17) % 97))
      const above = price + 100
      return { ...summaryOf(symbol, session, price, volume), open: above, high: above, low: above }
    })
}

/** The market of the measured set, as a warehouse has it (docs/market-facts.md#pass-rates). */
export function genuineMarket(): Given {
  return {
    'market.daily_summary': summaries(),
    'market.price_limit': SESSIONS.flatMap((session, day) =>
      SYMBOLS.map(({ board, symbol, at }) =>
        // The reference is the price before: of the omitted name it falls on the session after.
        limitOf(board, symbol, session, priceOn(symbol, at, SESSIONS[day - 1] ?? session)),
      ),
    ),
    'market.candle': [
      bar({
        symbol: OMITTED.symbol,
        trading_date: OMITTED.session,
        opened_at: `${OMITTED.session} 00:00:00+07`,
        open: OMITTED.before,
        high: OMITTED.before,
        low: OMITTED.after,
        close: OMITTED.after,
      }),
    ],
    'ops.coverage': [
      ...SESSIONS.flatMap((session) =>
        ['securitiesSummary', 'masterdata'].map((dataset) =>
          covered(dataset, { window_from: session, window_to: session, row_count: '142' }),
        ),
      ),
      covered('ohlc', {
        key: OMITTED.symbol,
        timeframe: '1d',
        window_from: OMITTED.session,
        window_to: OMITTED.session,
      }),
    ],
  }
}
