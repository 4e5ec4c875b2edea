import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import type { TestAnswer, TestWalk } from '../support/landed.js'

/** Sessions of the small market: enough for rules that learn from sessions before. */
export const SESSIONS = loadCalendar().sessionsBetween('2025-03-05', '2025-03-13')
const SYMBOLS = ['HPG', 'FPT', 'VCB', 'SHS', 'BSR', 'E1VFVN30', 'VN30F2503']

/** What arrives at once: a night, a part of a backfill, a file, a snapshot of the accounts. */
export interface Arrival {
  readonly name: string
  readonly tradingDate: string
  readonly walks: readonly TestWalk[]
  /** Snapshots come in the order they were taken: the service has no earlier state of an account. */
  readonly snapshot?: readonly TestAnswer[]
}

/**
 * Everything that is to arrive: in whatever order, but for snapshots among themselves. Prices follow from symbol and
 * session alone.
 *
 * @param count of sessions, the last ones
 */
export function arrivals(count: number): Arrival[] {
  const sessions = SESSIONS.slice(-count)
  return [
    ...sessions.map((day) => ({ name: `night ${day}`, tradingDate: day, walks: night(day) })),
    {
      name: 'bars',
      tradingDate: LAST,
      walks: sessions.flatMap((day) => [bars('HPG', day), bars('SHS', day)]),
    },
    {
      name: 'minutes',
      tradingDate: LAST,
      walks: sessions
        .filter((_, at) => at % 2 === 0)
        .flatMap((day) => [minutes('HPG', day), minutes('FPT', day)]),
    },
    // As a night asks for the service's own bars of half a year: one page of one symbol, where it was not traded too.
    ...['E1VFVN30', 'BSR'].map((symbol) => ({
      name: `cross-check of ${symbol}`,
      tradingDate: LAST,
      walks: [dailyBars(symbol, sessions)],
    })),
    ...SNAPSHOT_DAYS.filter((day) => sessions.includes(day)).map((day) => ({
      name: `snapshot ${day}`,
      tradingDate: day,
      walks: [],
      snapshot: snapshot(day),
    })),
    {
      name: 'file',
      tradingDate: LAST,
      walks: ['2025-02-26', '2025-02-27', '2025-02-28'].map((day) => ({
        ...summaries(day),
        end: { state: 'imported' as const, reason: null },
      })),
    },
  ]
}

const LAST = SESSIONS.at(-1) ?? ''

/** Some sessions end without a snapshot: the next one then looks back over them. */
const SNAPSHOT_DAYS = SESSIONS.filter((_, at) => [0, 1, 3, 4, 6].includes(at))

/** A number from 0 to `below` that belongs to a text. */
function drawn(text: string, below: number): number {
  let hash = 2166136261
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619) >>> 0
  return (hash >>> 8) % below
}

function boardOf(symbol: string): string {
  return symbol === 'SHS' ? 'HNX' : symbol === 'BSR' ? 'UPCOM' : 'HOSE'
}

function night(day: string): TestWalk[] {
  return [
    lists(day, 'HOSE'),
    lists(day, 'HNX'),
    lists(day, 'UPCOM'),
    members(day),
    summaries(day),
    limits(day),
    index(day),
  ]
}

const slashed = (day: string): string => day.replaceAll('-', '/')
const window = (dataset: TestWalk['window']['dataset'], key: string, day: string): TestWalk['window'] => ({
  dataset,
  key,
  timeframe: '' as const,
  from: day,
  to: day,
})
const close = (symbol: string, day: string): number => 27000 + 50 * drawn(`${symbol} ${day}`, 12)

/** Others that stay: a list that names less than four fifths of what is stored would not be believed. */
const OTHERS = ['HOSE', 'HNX', 'UPCOM'].flatMap((board) =>
  Array.from({ length: 10 }, (_, at) => ({
    symbol: `${board.slice(0, 2)}${at}`,
    board,
    lotSize: '100',
    firstTradingDate: '2010/01/04',
  })),
)

/** FPT moves to HNX in the middle, VCB leaves, the contract comes with the third list. */
function lists(day: string, board: string): TestWalk {
  const at = SESSIONS.indexOf(day)
  const data = SYMBOLS.filter(
    (symbol) => !(symbol === 'VCB' && at > 4) && !(symbol === 'VN30F2503' && at < 2),
  )
    .filter((symbol) => (symbol === 'FPT' && at > 3 ? 'HNX' : boardOf(symbol)) === board)
    .map((symbol) => ({
      symbol,
      board,
      lotSize: '100',
      firstTradingDate: symbol === 'VN30F2503' ? '2025/03/05' : '2010/01/04',
      icbName: symbol === 'HPG' && at % 3 === 1 ? 'Iron' : 'Steel',
    }))
  const others = OTHERS.filter((other) => other.board === board)
  return { window: window('securities', board, day), bodies: [[...data, ...others]] }
}

function members(day: string): TestWalk {
  const at = SESSIONS.indexOf(day)
  const data = ['HPG', at % 4 === 2 ? 'SHS' : 'FPT'].map((symbol) => ({ symbol, board: 'HOSE' }))
  return { window: window('indexMembers', 'VN30', day), bodies: [data] }
}

function summaries(day: string): TestWalk {
  const data = SYMBOLS.filter((symbol) => drawn(`traded ${symbol} ${day}`, 7) > 0).map((symbol) => {
    const price = close(symbol, day)
    return {
      symbol,
      tradingDate: slashed(day),
      priceChange: '50',
      priceChangePercentage: '0.19',
      open: `${price}`,
      high: `${price + 50}`,
      low: `${price - 50}`,
      close: `${price}`,
      average: `${price}`,
      totalMatch: '1000',
      totalMatchValue: `${price * 1000}`,
      totalBuy: '1500',
      totalTradeBuy: '9',
      totalSell: '1400',
      totalTradeSell: '9',
      totalForeignBuy: '100',
      totalForeignBuyValue: `${price * 100}`,
      totalForeignSell: '50',
      totalForeignSellValue: `${price * 50}`,
      totalDeal: '0',
      totalDealValue: '0',
      remainForeignRoom: `${500 - 50 * drawn(`room ${symbol} ${day}`, 3)}`,
      totalForeignRoom: '1000',
      openInterest: `${1 + 40 * drawn(`open ${day}`, 2)}`,
      settlementPrice: `${price}`,
    }
  })
  return { window: window('securitiesSummary', '*', day), bodies: [{ data }] }
}

/** Some sessions have no limits: boards are then those of the lists. */
function limits(day: string): TestWalk {
  const data = SYMBOLS.filter((symbol) => drawn(`limits ${symbol} ${day}`, 4) > 0).map((symbol) => ({
    symbol,
    exchange: boardOf(symbol),
    tradingDate: slashed(day),
    ceiling: '28900',
    floor: '25150',
    refPrice: `${27000 + 50 * drawn(`ref ${symbol} ${day}`, 3)}`,
  }))
  return { window: window('masterdata', '*', day), bodies: [{ data }] }
}

function index(day: string): TestWalk {
  const value = 1300 + drawn(`index ${day}`, 3)
  const count = drawn(`volume ${day}`, 3) === 0 ? '2100' : '2000'
  const row = {
    tradingDate: slashed(day),
    totalTrade: count,
    totalTradeValue: '54000000',
    totalMatch: '2000',
    totalMatchValue: '54000000',
    totalDeal: '0',
    totalDealValue: '0',
    indexChange: '1',
    indexChangePercentage: '0.08',
    indexValue: `${value}`,
    totalAdvanceStock: '1',
    totalCeilingStock: '0',
    totalDeclineStock: '1',
    totalFloorStock: '0',
    totalNoChangeStock: '1',
  }
  return {
    window: window('indexSummary', drawn(`code ${day}`, 2) === 0 ? 'VN30' : 'VNINDEX', day),
    bodies: [[row]],
  }
}

function bars(symbol: string, day: string): TestWalk {
  const price = close(symbol, day)
  const volume = drawn(`bar ${symbol} ${day}`, 4) === 0 ? '900' : '1000'
  const bar = {
    symbol,
    tradingDate: `${slashed(day)} 00:00:00`,
    open: `${price}`,
    high: `${price + 50}`,
    low: `${price - 50}`,
    close: `${price}`,
    volume,
    value: `${price * 1000}`,
  }
  return {
    window: { dataset: 'ohlc', key: symbol, timeframe: '1d', from: day, to: day },
    bodies: [{ data: [bar] }],
  }
}

/** One answer for all sessions; some have no bar. */
function dailyBars(symbol: string, sessions: readonly string[]): TestWalk {
  const [from = '', to = from] = [sessions[0], sessions.at(-1)]
  const data = sessions
    .filter((day) => drawn(`has bar ${symbol} ${day}`, 4) > 0)
    .flatMap((day) => bars(symbol, day).bodies.flatMap((body) => (body as { data: unknown[] }).data))
  return { window: { dataset: 'ohlc', key: symbol, timeframe: '1d', from, to }, bodies: [{ data }] }
}

/** Minutes that add up to the daily volume, or lack a part. */
function minutes(symbol: string, day: string): TestWalk {
  const price = close(symbol, day)
  const data = ['09:15:00', '09:16:00', '14:45:00'].map((time, at) => {
    const volume = at === 2 && drawn(`minute ${symbol} ${day}`, 3) === 0 ? 300 : 400 - 100 * (at % 2)
    return {
      symbol,
      tradingDate: `${slashed(day)} ${time}`,
      open: `${price}`,
      high: `${price + 50}`,
      low: `${price - 50}`,
      close: `${price}`,
      volume: `${volume}`,
      value: `${price * volume}`,
    }
  })
  return {
    window: { dataset: 'ohlc', key: symbol, timeframe: '1m', from: day, to: day },
    bodies: [{ data }],
  }
}

const ACCOUNT = '0691234561'

/** Holdings that move by what the order book filled, or by something else; balances that follow, or do not. */
function snapshot(day: string): TestAnswer[] {
  const held = ['HPG', 'FPT', 'SHS'].filter((symbol) => drawn(`held ${symbol} ${day}`, 5) > 0)
  const filled = drawn(`filled ${day}`, 3) * 100
  const order = {
    clientRequestId: `r ${day}`,
    orderId: `o ${day}`,
    symbol: 'HPG',
    side: 'B',
    orderType: 'LO',
    quantity: '200',
    filledQty: `${filled}`,
    cancelQty: `${200 - filled}`,
    price: `${close('HPG', day)}`,
    avgPrice: filled > 0 ? `${close('HPG', day) - 25 * drawn(`mean ${day}`, 4)}` : '0',
    inputTime: `${slashed(day)} 09:30:00`,
    modifiedTime: '',
    orderStatus: 'FFPC',
    message: '',
  }
  const balance = {
    accountNo: ACCOUNT,
    accountBalance: `${100_000_000 - drawn(`cash ${day}`, 3) * 1_000_000}`,
    totalDebt: '0',
    withdrawable: '90000000',
    buyT0: `${filled * close('HPG', day)}`,
    sellT0: '0',
  }
  const lmv =
    held.reduce((sum, symbol) => sum + 1000 * close(symbol, day), 0) + drawn(`lmv ${day}`, 2) * 500_000
  return [
    {
      part: 'accountInfo',
      account: '',
      key: '*',
      bodies: [[{ accountNo: ACCOUNT, accountType: 'CASH' }]],
    },
    { part: 'accountBalance', account: ACCOUNT, bodies: [{ equity: balance }] },
    {
      part: 'ppmmrAccount',
      account: ACCOUNT,
      bodies: [{ equity: { ...balance, lmv: `${lmv}`, withdrawable: '90000000' } }],
    },
    {
      part: 'position',
      account: ACCOUNT,
      bodies: [{ data: { equity: held.map((symbol) => holding(symbol, day)), derivative: null } }],
    },
    {
      part: 'orderBook',
      account: ACCOUNT,
      bodies: [{ data: { accountNo: ACCOUNT, totalRecord: 1, orderList: [order] } }],
    },
  ]
}

function holding(symbol: string, day: string): Record<string, string> {
  const quantity = `${1000 + 100 * drawn(`quantity ${symbol} ${day}`, 3)}`
  return {
    accountNo: ACCOUNT,
    symbol,
    quantity,
    sellableQuantity: quantity,
    costPrice: '26000',
    blockQuantity: '0',
    dividendQuantity: '0',
    buyingQuantity: '0',
    boughtQuantity: '0',
    sellingQuantity: '0',
    soldQuantity: '0',
    t1SellQuantity: '0',
    t2SellQuantity: '0',
    mortgageQuantity: '0',
    restrictedQuantity: '0',
  }
}
