import { BarFiller, type Bars } from './bars.js'
import { type Daily, type DailyBook, dailyBook } from './daily.js'
import { futures, warrants } from './derivatives.js'
import { mix } from './hash.js'
import { INDEXES, membersAt } from './indexes.js'
import { type Instrument, isListedAt } from './instrument.js'
import { indexLogLevel } from './log-levels.js'
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
  members(index: string, session: number): readonly Instrument[]
  /** Close of an index in points, rounded to hundredths. */
  indexValue(index: string, session: number): number
  bars: (instrument: Instrument, session: number, into: Bars) => void
  prices: Prices
  reference: DailyBook['reference']
  daily: DailyBook['daily']
  /** Daily figures of every listed instrument, in the order of `listed`. */
  sheet(session: number): readonly Daily[]
}

/** Sessions whose daily figures are cached: summaries and the totals of eleven indexes are computed from each. */
const CACHED_SESSIONS = { demo: 64, full: 6 }

export function world(universe: 'demo' | 'full', seed: number): World {
  const time = timeline()
  const permanent = permanentStocks(seed)
  const vn30 = permanent.filter(({ board }) => board === 'HOSE').slice(0, 30)
  const stocks = stocksAndFunds(universe, seed, time)
  const underlyings = vn30.slice(0, universe === 'full' ? 26 : 4)
  const instruments = [
    ...stocks,
    ...warrants(underlyings, universe === 'full' ? 10 : 2, seed, time),
    ...futures(seed, time),
  ]
  const bySymbol = new Map(instruments.map((instrument) => [instrument.symbol, instrument]))
  const prices = new SimulatedPrices(time, seed, vn30)
  const filler = new BarFiller(time, prices)
  const book = dailyBook(prices, filler)
  const lists = new Memo<number, readonly Instrument[]>(600)
  const memberships = new Memo<string, readonly Instrument[]>(400)
  const cached = new Memo<number, Map<Instrument, Daily>>(CACHED_SESSIONS[universe])
  const market = mix(seed, 0x3a9)
  const listed = (session: number) =>
    lists.get(session, () => instruments.filter((instrument) => isListedAt(instrument, session)))
  const daily: DailyBook['daily'] = (instrument, session, untilMinute) => {
    if (untilMinute !== undefined) return book.daily(instrument, session, untilMinute)
    const days = cached.get(session, () => new Map())
    const day = days.get(instrument) ?? book.daily(instrument, session)
    days.set(instrument, day)
    return day
  }

  return {
    time,
    instruments,
    find: (symbol) => bySymbol.get(symbol),
    listed,
    members: (index, session) =>
      memberships.get(`${index} ${session}`, () => membersAt(index, instruments, session, time)),
    indexValue(code, session) {
      const index = INDEXES.find((candidate) => candidate.code === code)
      if (!index) return 0
      const members = code === 'VN30' ? vn30 : permanent.filter(({ board }) => board === index.board)
      return Math.round(index.base * Math.exp(indexLogLevel(members, session, market)) * 100) / 100
    },
    bars: (instrument, session, into) => filler.fill(instrument, session, into),
    prices,
    reference: book.reference,
    daily,
    sheet: (session) => listed(session).map((instrument) => daily(instrument, session)),
  }
}
