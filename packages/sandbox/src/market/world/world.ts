import { BarFiller, type Bars, basisOf } from './bars.js'
import { type Daily, type DailyBook, dailyBook } from './daily.js'
import { futures, warrants } from './derivatives.js'
import { type DayPrice, IndexLevels } from './index-levels.js'
import { INDEXES, membersAt, reviewTerms } from './indexes.js'
import { boardAt, type Instrument, isListedAt } from './instrument.js'
import { type MarketEvents, withEvents } from './market-events.js'
import { Memo } from './memo.js'
import { type Prices, SimulatedPrices } from './prices.js'
import { permanentStocks, stocksAndFunds } from './stocks.js'
import { type Timeline, timeline } from './timeline.js'

/** The whole market as pure functions of (seed, universe): any symbol, any day, at the same cost. */
export interface World {
  time: Timeline
  instruments: readonly Instrument[]
  /** The instrument with this symbol; symbols are never used twice. */
  find(symbol: string): Instrument | undefined
  listed(session: number): readonly Instrument[]
  /** Number of listed instruments: a long range of sessions is counted without making their lists. */
  listedCount(session: number): number
  members(index: string, session: number): readonly Instrument[]
  /**
   * Price from which a stock moves its index on a session: the reference; on UPCOM the last close, adjusted, since the
   * reference is an average there, and from average to close half of each move would count twice.
   */
  indexBasis(instrument: Instrument, session: number): number
  /** Points of an index after a session; a move after it is a fraction. Rounded to hundredths. */
  indexValue(index: string, session: number, move?: number): number
  bars: (instrument: Instrument, session: number, into: Bars) => void
  prices: Prices
  reference: DailyBook['reference']
  daily: DailyBook['daily']
  /** Daily figures of every listed instrument, in the order of `listed`. */
  sheet(session: number): readonly Daily[]
}

/** Sessions whose daily figures are cached: summaries and the totals of eleven indexes are computed from each. */
const CACHED_SESSIONS = { demo: 64, full: 6 }

/** @throws UsageError for an event that the market cannot have */
export function world(universe: 'demo' | 'full', seed: number, events: MarketEvents = {}): World {
  const time = timeline()
  const permanent = permanentStocks(seed)
  const vn30 = permanent.filter(({ board }) => board === 'HOSE').slice(0, 30)
  const stocks = withEvents(stocksAndFunds(universe, seed, time), events, time)
  const underlyings = vn30.slice(0, universe === 'full' ? 26 : 4)
  const instruments = [
    ...stocks,
    ...warrants(underlyings, universe === 'full' ? 10 : 2, seed, time),
    ...futures(seed, time),
  ]
  const bySymbol = new Map(instruments.map((instrument) => [instrument.symbol, instrument]))
  const limited = new Set((events.limitDays ?? []).map(time.at))
  const prices: Prices = new SimulatedPrices(time, seed, limited, (session) => levels.level('VN30', session))
  const filler = new BarFiller(time, prices)
  const book = dailyBook(prices, filler)
  const lists = new Memo<number, readonly Instrument[]>(600)
  const memberships = new Memo<string, readonly Instrument[]>(400)
  const terms = reviewTerms(time)
  const spans = membershipSpans(instruments, terms)
  const cached = new Memo<number, Map<Instrument, Daily>>(CACHED_SESSIONS[universe])
  const listed = (session: number) =>
    lists.get(session, () => instruments.filter((instrument) => isListedAt(instrument, session)))
  const daily: DailyBook['daily'] = (instrument, session, untilMinute) => {
    if (untilMinute !== undefined) return book.daily(instrument, session, untilMinute)
    const days = cached.get(session, () => new Map())
    const day = days.get(instrument) ?? book.daily(instrument, session)
    days.set(instrument, day)
    return day
  }

  const counts = listedCounts(instruments, time.days.length)
  const members: World['members'] = (index, session) =>
    memberships.get(`${index} ${spanAt(spans, session)}`, () => membersAt(index, instruments, session, time))
  const indexBasis: World['indexBasis'] = (instrument, session) =>
    boardAt(instrument, session) === 'UPCOM'
      ? basisOf(prices, instrument, session)
      : book.reference(instrument, session).reference
  const stocksOf = new Memo<readonly Instrument[], readonly Instrument[]>(400)
  const pricesOf = new Memo<number, Map<Instrument, DayPrice>>(300)
  const levels = new IndexLevels({
    terms,
    stocks(code, session) {
      const all = members(code, session)
      return stocksOf.get(all, () => all.filter(({ kind }) => kind === 'stock'))
    },
    prices(instrument, session) {
      const ofSession = pricesOf.get(session, () => new Map())
      const known = ofSession.get(instrument)
      if (known) return known
      const before = indexBasis(instrument, session)
      const price = prices.traded(instrument, session) ? prices.close(instrument, session) : before
      const day = { before, price }
      ofSession.set(instrument, day)
      return day
    },
    worth: (instrument, session) => prices.close(instrument, session),
    growth: (instrument, from, to) => prices.growth(instrument, from, to),
  })

  return {
    time,
    instruments,
    find: (symbol) => bySymbol.get(symbol),
    listed,
    listedCount: (session) => counts[session] ?? 0,
    members,
    indexBasis,
    indexValue(code, session, move = 0) {
      const index = INDEXES.find((candidate) => candidate.code === code)
      return index ? Math.round(index.base * levels.level(code, session) * (1 + move) * 100) / 100 : 0
    },
    bars: (instrument, session, into) => filler.fill(instrument, session, into),
    prices,
    reference: book.reference,
    daily,
    sheet: (session) => listed(session).map((instrument) => daily(instrument, session)),
  }
}

/** Listed instruments of every session, from what is added and removed on each. */
function listedCounts(instruments: readonly Instrument[], sessions: number): Int32Array {
  const counts = new Int32Array(sessions + 1)
  for (const { first, last } of instruments) {
    if (first > last || first >= sessions) continue
    counts[Math.max(0, first)] = (counts[Math.max(0, first)] ?? 0) + 1
    if (last + 1 < sessions) counts[last + 1] = (counts[last + 1] ?? 0) - 1
  }
  for (let session = 1; session < sessions; session++)
    counts[session] = (counts[session] ?? 0) + (counts[session - 1] ?? 0)
  return counts
}

/** Sessions, ascending, at which the members of an index may change: reviews, listings, delistings, moves. */
function membershipSpans(instruments: readonly Instrument[], terms: readonly number[]): number[] {
  const changes = new Set(terms)
  for (const { kind, first, last, moved } of instruments) {
    if (kind !== 'stock' && kind !== 'etf') continue
    for (const session of [first, last + 1, moved?.from ?? 0])
      if (Number.isFinite(session)) changes.add(session)
  }
  return [...changes].sort((a, b) => a - b)
}

/** Number of the last span that begins on or before a session. */
function spanAt(spans: readonly number[], session: number): number {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle] ?? 0) <= session) low = middle + 1
    else high = middle
  }
  return low - 1
}
