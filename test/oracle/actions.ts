/** What the home of the oracle has beside the market of the sandbox: declarations, right and wrong, and restated values. */
import type { Day } from 'candlehouse-foundation/market/day'
import type { Restatement } from 'candlehouse-sandbox'
import { exDates } from '../../packages/sandbox/src/market/world/corporate-actions.js'
import type { Instrument } from '../../packages/sandbox/src/market/world/instrument.js'
import { type World, world } from '../../packages/sandbox/src/market/world/world.js'

const HEAD = 'symbol,ex_date,kind,ratio,amount,price,is_withdrawn'
/** Cash dividends of the sandbox have factors above, stock dividends below. */
const SHARES = 0.95
/** Sessions around the middle in which a stock with declarations of its own has no action. */
const QUIET = 20

interface Action {
  readonly instrument: Instrument
  readonly session: number
  readonly factor: number
}

export interface Story {
  /** Restated from the beginning, for good. */
  readonly restated: readonly Restatement[]
  /** Two files: declarations of before the evenings, and of after them, which change some of the first. */
  readonly declarations: readonly [string, string]
  /** Values of the last sessions as the service has them one day, and the next day: some return to what they were. */
  readonly revised: readonly [readonly Restatement[], readonly Restatement[]]
}

/** @param last session numbers count from here backwards: `sessions` of them are stored */
export function makeStory(last: Day, sessions: number): Story {
  const market = world('demo', 1)
  const end = market.time.days.indexOf(last)
  const first = end - sessions + 1
  const stocks = market.listed(end).filter(({ kind }) => kind === 'stock')
  const actions = stocks.flatMap((instrument) =>
    exDates(instrument, end + 1)
      .filter(({ session }) => session > first + 1 && session <= end)
      .map(({ session, factor }): Action => ({ instrument, session, factor })),
  )
  const teller = new Teller(market)
  const restated = actions.flatMap((action, place) => teller.restated(action, place))
  const middle = end - Math.floor(sessions / 2)
  const [rise, consolidated, small, faint, late, nameless] = stocks.filter(
    ({ symbol }) =>
      !actions.some(
        ({ instrument, session }) => instrument.symbol === symbol && Math.abs(session - middle) <= QUIET,
      ),
  )
  if (rise) restated.push(teller.reference(rise, middle, 1.05))
  if (consolidated) restated.push(teller.reference(consolidated, middle, 10))
  const early = actions.flatMap((action, place) => teller.declared(action, place))
  const day = (session: number) => market.time.days[session] ?? ''
  const extra = (instrument: Instrument | undefined, session: number, rest: string): string[] =>
    instrument ? [`${instrument.symbol},${day(session)},${rest}`] : []
  early.push(
    ...extra(consolidated, middle, 'consolidation,0.1,,,'),
    ...extra(small, middle, 'cash_dividend,,1,,'),
    ...extra(faint, middle, 'cash_dividend,,5000,,'),
    ...extra(faint, middle + 2, 'rights,0.5,,9000000,'),
    ...extra(late, end - 1, 'bonus,0.25,,,'),
    ...extra(nameless, first, 'split,2,,,'),
    ...extra(nameless, middle, 'cash_dividend,,700,,'),
    ...extra(nameless, middle, 'bonus,0.1,,,'),
    ...extra(small, end + 5, 'split,3,,,'),
    `NOBODY,${day(middle)},split,2,,,`,
  )
  const changed = [
    ...extra(small, middle, 'cash_dividend,,2,,'),
    ...extra(faint, middle, 'cash_dividend,,5000,,true'),
    ...extra(nameless, middle + 3, 'stock_dividend,0.05,,,'),
    ...actions.slice(0, 2).flatMap((action) => teller.declared(action, 1)),
  ]
  return {
    restated,
    declarations: [[HEAD, ...early, ''].join('\n'), [HEAD, ...changed, ''].join('\n')],
    revised: [revisedOnce(market, end, stocks), revisedAgain(market, end, stocks)],
  }
}

/** Declares each action of the market in one of several ways, right and wrong. */
class Teller {
  constructor(private readonly market: World) {}

  reference(instrument: Instrument, session: number, factor: number): Restatement {
    const { reference } = this.market.reference(instrument, session)
    const tradingDate = this.market.time.days[session] ?? ''
    return {
      symbol: instrument.symbol,
      tradingDate,
      field: 'refPrice',
      value: String(reference * factor),
      route: 'masterdata',
    }
  }

  /** Each seventh reference repeats the close before, as if nothing had happened. */
  restated({ instrument, session }: Action, place: number): Restatement[] {
    if (place % 7 !== 6) return []
    const { close } = this.market.daily(instrument, session - 1)
    const { reference } = this.market.reference(instrument, session)
    return [this.reference(instrument, session, close / reference)]
  }

  declared({ instrument, session, factor }: Action, place: number): string[] {
    const basis = this.market.daily(instrument, session - 1).close
    const row = (at: number, rest: string) => `${instrument.symbol},${this.market.time.days[at]},${rest}`
    const cash = Math.round(basis * (1 - factor))
    const plain = (at: number, times = 1) =>
      factor > SHARES
        ? row(at, `cash_dividend,,${cash * times},,`)
        : row(at, `stock_dividend,${((1 / factor - 1) * times).toFixed(6)},,,`)
    const half = Math.sqrt(factor)
    switch (place % 7) {
      case 0:
        return []
      case 2:
        return [plain(session, 2)]
      case 3:
        return [plain(session - 3)]
      case 4:
        return [
          row(session, `cash_dividend,,${Math.round(basis * (1 - half))},,`),
          row(session, `bonus,${(1 / half - 1).toFixed(6)},,,`),
        ]
      case 5:
        return [row(session, `rights,${((1 / factor - 1) / 0.5).toFixed(6)},,${Math.round(basis / 2)},`)]
      default:
        return [plain(session)]
    }
  }
}

/**
 * Averages, closes and bars that were restated, rows under another symbol, and a session whose references are those of
 * another day, but for a split that stands out.
 */
function revisedOnce(market: World, end: number, stocks: readonly Instrument[]): Restatement[] {
  const day = (session: number) => market.time.days[session] ?? ''
  const [one, two, gone] = stocks
  const references = stocks.slice(3).map((instrument, place): Restatement => {
    const { reference } = market.reference(instrument, end - 2)
    const value = place === 0 ? reference / 2 : reference * (place % 2 === 0 ? 1.03 : 0.97)
    return { symbol: instrument.symbol, tradingDate: day(end - 2), field: 'refPrice', value: String(value) }
  })
  const upcom = stocks.find(({ board }) => board === 'UPCOM') ?? stocks.at(-1)
  return [
    ...references,
    { symbol: one?.symbol ?? '', tradingDate: day(end - 1), field: 'average', value: '12345' },
    { symbol: one?.symbol ?? '', tradingDate: day(end - 1), field: 'settlementPrice', value: '1' },
    { symbol: two?.symbol ?? '', tradingDate: day(end - 3), field: 'totalDeal', value: null },
    { symbol: upcom?.symbol ?? '', tradingDate: day(end - 1), field: 'average', value: '98700' },
    { symbol: gone?.symbol ?? '', tradingDate: day(end - 3), field: 'symbol', value: 'ZZZ' },
    { symbol: 'VNINDEX', tradingDate: day(end - 1), field: 'indexValue', value: '1234.56' },
    { symbol: 'VNM', tradingDate: day(end - 1), field: 'totalDealValue', value: '1' },
    { symbol: 'VNM', tradingDate: `${day(end - 1)} 09:20:00`, field: 'volume', value: '700' },
    { symbol: 'VNM', tradingDate: `${day(end - 1)} 09:21:00`, field: 'value', value: null },
  ]
}

/**
 * A day later some values are those of before, some are others, what was under another symbol is back, and no rule of
 * severity error is broken any more: a session that is withheld counts as missing in the factors of later ones
 * (docs/decisions/0048-factors-are-kept-without-what-changes-later.md), which nothing published shows.
 */
function revisedAgain(market: World, end: number, stocks: readonly Instrument[]): Restatement[] {
  return revisedOnce(market, end, stocks).flatMap((restatement, place) => {
    if (restatement.field === 'refPrice') return place % 9 === 5 ? [] : [restatement]
    if (restatement.field === 'average') return [{ ...restatement, value: '12350' }]
    return []
  })
}
