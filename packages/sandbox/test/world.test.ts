import { countsInBoardTotals, kindOf } from 'candlehouse-foundation/market/kind'
import { grid } from 'candlehouse-foundation/market/sessions'
import { tickAt } from 'candlehouse-foundation/market/tick'
import { describe, expect, it } from 'vitest'
import { LONG } from '../../../test/support/long.js'
import { emptyBars } from '../src/market/world/bars.js'
import type { Daily } from '../src/market/world/daily.js'
import { foreignTrades } from '../src/market/world/foreign-trades.js'
import { isHalted } from '../src/market/world/halts.js'
import { Draws } from '../src/market/world/hash.js'
import { indexDay } from '../src/market/world/index-day.js'
import { boardAt, type Instrument } from '../src/market/world/instrument.js'
import { world } from '../src/market/world/world.js'

const market = world('demo', 1)
const full = world('full', 7)
const last = market.time.at('2025-11-20')
const sessions = Array.from({ length: 260 }, (_, i) => last - i)

const sheets = new Map<number, readonly Daily[]>()
/** Computed once for all tests, which read more sessions than the world remembers. */
function sheetOf(session: number): readonly Daily[] {
  const sheet = sheets.get(session) ?? market.sheet(session)
  sheets.set(session, sheet)
  return sheet
}

const isOnTick = (price: number, tick: number) => Math.abs(price / tick - Math.round(price / tick)) < 1e-6

describe('the market', () => {
  it('is the same whatever was asked before', () => {
    const [one, other] = [world('demo', 3), world('demo', 3)]
    const draws = new Draws(20251120)
    const asked = Array.from({ length: 400 }, () => {
      const session = last - Math.floor(draws.next() * 40)
      const listed = one.listed(session)
      return { session, symbol: listed[Math.floor(draws.next() * listed.length)]?.symbol ?? '' }
    })
    const answers = (of: typeof one, questions: typeof asked) =>
      questions.map(({ symbol, session }) => {
        const { instrument, ...figures } = of.daily(of.find(symbol) as Instrument, session)
        return { ...figures, foreign: foreignTrades({ instrument, ...figures }, of.prices) }
      })
    const backwards = answers(other, [...asked].reverse()).reverse()
    expect(answers(one, asked)).toEqual(backwards)
  })
  it('draws many at once as it draws one after another', () => {
    const [one, other] = [new Draws(7), new Draws(7)]
    const single = Array.from({ length: 500 }, () => one.next())
    expect([...other.many(500).subarray(0, 500)]).toEqual(single)
    expect(other.next()).toBe(one.next())
  })
})

describe('every day of every instrument', () => {
  it('has blocks now and then, of stocks alone', () => {
    const days = sessions.slice(0, 60).flatMap((session) => [...sheetOf(session)])
    const withBlock = days.filter(({ dealVolume }) => dealVolume > 0)
    const stocks = days.filter(({ instrument }) => instrument.kind === 'stock')
    expect(new Set(withBlock.map(({ instrument }) => instrument.kind))).toEqual(new Set(['stock']))
    expect(withBlock.length / stocks.length).toBeGreaterThan(0.1)
    expect(withBlock.length / stocks.length).toBeLessThan(0.2)
    expect(new Set(days.map(({ instrument }) => instrument.kind)).size).toBeGreaterThan(1)
  })

  it('has sessions without a bar where hardly anybody trades', () => {
    const bars = emptyBars()
    const tradedOn = (instrument: (typeof market.instruments)[number]): number =>
      sessions.slice(0, 60).filter((session) => {
        market.bars(instrument, session, bars)
        return bars.count > 0
      }).length
    const stocks = market.instruments.filter(({ kind, first, last: until }) => {
      const isListed = first < last - 60 && (until === undefined || until >= last)
      return kind === 'stock' && isListed
    })
    const rare = stocks.filter(({ tradeChance }) => tradeChance < 0.9)
    expect(rare.length).toBeGreaterThan(0)
    expect(rare.filter((instrument) => tradedOn(instrument) === 60)).toEqual([])
  })

  it('has a bar, early in the afternoon, where hardly anybody trades', () => {
    const bars = emptyBars()
    const minutes = new Set<number>()
    for (const instrument of market.instruments.slice(0, 30))
      for (const session of sessions.slice(0, 20)) {
        market.bars({ ...instrument, busy: 0 }, session, bars)
        if (bars.count === 0) continue
        expect(bars.count).toBe(1)
        minutes.add(bars.minute[0] ?? 0)
      }
    expect(minutes.size).toBeGreaterThan(40)
    expect(Math.min(...minutes)).toBeGreaterThanOrEqual(13 * 60)
    expect(Math.max(...minutes)).toBeLessThan(14 * 60 + 20)
  })

  it.each([
    ['demo', market, sheetOf, sessions.filter((_, i) => LONG || i % 5 === 0)],
    ['full', full, full.sheet, sessions.filter((_, i) => i % (LONG ? 40 : 130) === 0)],
  ] as const)('keeps its prices inside the limits and on the tick (%s)', (_, world, sheet, days) => {
    const wrong: string[] = []
    let prices = 0
    for (const session of days) {
      for (const day of sheet(session)) {
        const { instrument, floor, low, open, close, high, ceiling } = day
        const where = () => `${instrument.symbol} ${world.time.days[session]}`
        if (!(floor <= low && low <= open && low <= close)) wrong.push(`${where()} is below a limit`)
        if (!(open <= high && close <= high && high <= ceiling)) wrong.push(`${where()} is above a limit`)
        const ladder = world.prices.ladder(instrument, session)
        for (const price of [open, high, low, close, floor, ceiling, day.reference]) {
          prices += 1
          if (!isOnTick(price, tickAt(ladder, price))) wrong.push(`${where()} ${price} is not on the tick`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(prices).toBeGreaterThan(10_000)
  })

  it('closes at the ceiling and at the floor on a limit day, and the days around it are as they were', () => {
    const limited = world('demo', 1, { limitDays: ['2025-10-10'] })
    const session = limited.time.at('2025-10-10')
    const stocks = limited.sheet(session).filter(({ instrument }) => instrument.kind === 'stock')
    expect(stocks.filter(({ close, ceiling }) => close === ceiling).length).toBeGreaterThan(0)
    expect(stocks.filter(({ close, floor }) => close === floor).length).toBeGreaterThan(3)
    for (const { instrument, floor, low, high, ceiling } of limited.sheet(session + 1))
      expect([instrument.symbol, floor <= low && high <= ceiling]).toEqual([instrument.symbol, true])
    const closes = (all: typeof limited) => all.sheet(session + 1).map(({ close }) => close)
    expect(closes(limited)).toEqual(closes(market))
  })

  it('takes the reference from the last close, on UPCOM from the last average, except on ex-dates', () => {
    let breaks = 0
    const wrong: string[] = []
    for (const session of sessions.slice(0, LONG ? 200 : 100)) {
      const before = new Map(sheetOf(session - 1).map((day) => [day.instrument, day]))
      for (const day of sheetOf(session)) {
        const previous = before.get(day.instrument)
        if (!previous) continue
        const upcom = boardAt(day.instrument, session) === 'UPCOM' && day.instrument.kind === 'stock'
        const basis = upcom ? previous.average : previous.close
        const tick = tickAt(market.prices.ladder(day.instrument, session), basis)
        const expected = market.prices.factor(day.instrument, session - 1, session)
        if (expected !== 1) breaks++
        const isAsExpected =
          expected === 1 ? Math.abs(day.reference - basis) <= tick / 2 + 1e-6 : day.reference < basis
        if (!isAsExpected) wrong.push(`${day.instrument.symbol} ${market.time.days[session]}`)
      }
    }
    expect(wrong).toEqual([])
    expect(breaks).toBeGreaterThan(LONG ? 20 : 5)
  })

  it('has days without a trade, halts, closes at the limits, listings, delistings and a moved board', () => {
    const days = sessions.slice(0, LONG ? 260 : 100).flatMap(sheetOf)
    expect(days.some(({ volume }) => volume === 0)).toBe(true)
    expect(days.some(({ instrument, session }) => isHalted(instrument, session))).toBe(true)
    expect(days.some(({ close, ceiling }) => close === ceiling)).toBe(true)
    const first = new Set(market.listed(last - 250).map(({ symbol }) => symbol))
    const now = new Set(market.listed(last).map(({ symbol }) => symbol))
    const stocks = (set: Set<string>) => [...set].filter((symbol) => kindOf({ symbol }) === 'stock')
    expect(stocks(now).some((symbol) => !first.has(symbol))).toBe(true)
    expect(stocks(first).some((symbol) => !now.has(symbol))).toBe(true)
    expect(market.listed(last).some((one) => boardAt(one, last) !== boardAt(one, last - 250))).toBe(true)
  })

  it('opens the wide band on a first day', () => {
    const newcomer = market.listed(last).find(({ kind, first }) => kind === 'stock' && first > 0)
    if (!newcomer) throw new Error('nobody came')
    expect(market.prices.bandPercent(newcomer, newcomer.first)).toBe(40)
    expect(market.prices.bandPercent(newcomer, newcomer.first + 1)).toBe(15)
  })
})

describe('bars', () => {
  it('lie on the session grid and add up to the day', () => {
    const bars = emptyBars()
    for (const day of market.sheet(last)) {
      const { instrument } = day
      market.bars(instrument, last, bars)
      const board = instrument.kind === 'future' ? 'DERIVATIVE' : boardAt(instrument, last)
      const allowed = new Set(grid(board, '2025-11-20').minutes)
      const columns = (of: Float64Array) => [...of.slice(0, bars.count)]
      expect([...bars.minute.slice(0, bars.count)].every((minute) => allowed.has(minute))).toBe(true)
      const sum = (of: Float64Array) => columns(of).reduce((total, value) => total + value, 0)
      expect(sum(bars.volume)).toBe(day.volume)
      expect(sum(bars.value)).toBe(day.value)
      if (bars.count === 0) continue
      expect(bars.open[0]).toBe(day.open)
      expect(bars.close[bars.count - 1]).toBe(day.close)
      expect(Math.max(...columns(bars.high))).toBe(day.high)
      expect(Math.min(...columns(bars.low))).toBe(day.low)
    }
  })
})

describe('the foreign room', () => {
  it('falls by what foreigners bought and rises by what they sold, on every session of every share', () => {
    const wrong: string[] = []
    let moved = 0
    const rooms = new Map<string, number>()
    for (const session of sessions.slice(0, 60).reverse())
      for (const day of sheetOf(session)) {
        const { symbol, kind } = day.instrument
        if (kind === 'future') continue
        const { foreignBuy, foreignSell, remainRoom, totalRoom } = foreignTrades(day, market.prices)
        const where = `${symbol} ${market.time.days[session]}`
        if (foreignBuy > day.volume || foreignSell > day.volume) wrong.push(`${where} more than traded`)
        if (remainRoom < 0 || remainRoom > totalRoom) wrong.push(`${where} room of ${remainRoom}`)
        const before = rooms.get(symbol)
        if (before !== undefined && remainRoom !== before - foreignBuy + foreignSell) wrong.push(where)
        if (foreignBuy !== foreignSell) moved++
        rooms.set(symbol, remainRoom)
      }
    expect(wrong).toEqual([])
    expect(moved).toBeGreaterThan(2_500)
  })
  it('moves in lots of the board and of the day: tens on HOSE in 2020, single contracts of futures', () => {
    const session = market.time.at('2020-06-15')
    const bought = (instruments: typeof market.instruments, at: number): number[] =>
      instruments.map((each) => foreignTrades(market.daily(each, at), market.prices).foreignBuy)
    const shares = market.listed(session).filter(({ kind }) => kind === 'stock')
    const onHose = shares.filter((each) => market.prices.lot(each, session) === 10)
    expect(onHose.length).toBeGreaterThan(0)
    expect(bought(onHose, session).filter((shares) => shares % 10 !== 0)).toEqual([])
    expect(bought(onHose, session).some((shares) => shares % 100 !== 0)).toBe(true)
    const futures = market.listed(last).filter(({ kind }) => kind === 'future')
    expect(bought(futures, last).some((contracts) => contracts % 100 !== 0)).toBe(true)
  })
  it('follows the trades of a running session', () => {
    for (const minute of [9 * 60 + 16, 10 * 60, 14 * 60])
      for (const instrument of market.listed(last).filter(({ kind }) => kind === 'stock')) {
        const day = market.daily(instrument, last, minute)
        const { foreignBuy, foreignSell, remainRoom } = foreignTrades(day, market.prices)
        const before = foreignTrades(market.daily(instrument, last - 1), market.prices)
        const isWithinVolume = foreignBuy <= day.volume && foreignSell <= day.volume
        expect([remainRoom, isWithinVolume]).toEqual([before.remainRoom - foreignBuy + foreignSell, true])
      }
  })
})

describe('index totals', () => {
  it.each(['VNINDEX', 'VN30', 'HNXINDEX', 'HNX30', 'UPCOMINDEX'])(
    'of %s are sums over its members',
    (code) => {
      const sheet = market.sheet(last)
      const members = new Set(market.members(code, last))
      const total = sheet
        .filter(({ instrument }) => members.has(instrument))
        .reduce((sum, { volume }) => sum + volume, 0)
      const day = indexDay(market, code, last, sheet)
      expect(day.matchVolume).toBe(total)
      expect(day.advance + day.decline + day.noChange).toBe(members.size)
      expect(day.ceiling).toBeLessThanOrEqual(day.advance)
      expect(day.floor).toBeLessThanOrEqual(day.decline)
    },
  )
  it.each(['VNINDEX', 'VN30', 'VNFINLEAD', 'HNXINDEX', 'UPCOMINDEX'])(
    'move %s as its stocks move, weighted by their capitalisation',
    (code) => {
      for (const session of sessions.slice(0, LONG ? 60 : 20)) {
        const sheet = sheetOf(session)
        const { change, previous, value } = indexDay(market, code, session, sheet)
        expect(value).toBe(market.indexValue(code, session))
        const members = new Set(market.members(code, session))
        let [before, gained] = [0, 0]
        for (const { instrument, volume, close } of sheet) {
          if (!members.has(instrument) || instrument.kind !== 'stock') continue
          const basis = market.indexBasis(instrument, session)
          before += basis * instrument.listed
          if (volume > 0) gained += (close - basis) * instrument.listed
        }
        // Value and change are rounded to hundredths, and millionths of a term are spread over its sessions.
        expect(Math.abs((gained / before) * previous - change)).toBeLessThan(0.015 + previous * 3e-5)
      }
    },
  )
  it('of a session that still runs know nothing of its end', () => {
    const [instrument] = market.members('VN30', last)
    if (!instrument) throw new Error('no member')
    const opening = market.listed(last).map((one) => market.daily(one, last, 9 * 60 + 20))
    const { change, value, previous } = indexDay(market, 'VN30', last, opening, true)
    expect(value).not.toBe(market.indexValue('VN30', last))
    expect(Math.abs(change / previous)).toBeLessThan(0.01)
  })
  it('follow futures: a contract is near its index', () => {
    for (const session of sessions.slice(0, LONG ? 60 : 20))
      for (const { instrument, close } of sheetOf(session))
        if (instrument.kind === 'future')
          expect(Math.abs(close / market.indexValue('VN30', session) - 1)).toBeLessThan(0.013)
  })
  it('of a board count its stocks, on HOSE also funds, never warrants or futures', () => {
    for (const [code, board] of [
      ['VNINDEX', 'HOSE'],
      ['HNXINDEX', 'HNX'],
      ['UPCOMINDEX', 'UPCOM'],
    ] as const) {
      const counted = market
        .listed(last)
        .filter((one) => boardAt(one, last) === board && countsInBoardTotals(one.kind, board))
      expect(market.members(code, last)).toEqual(counted)
    }
  })
})

describe('the universes', () => {
  it('count what is listed as they list it', () => {
    for (const world of [market, full])
      for (const session of [0, 1, 700, ...sessions.slice(0, 30)])
        expect(world.listedCount(session)).toBe(world.listed(session).length)
  })
  it('have every kind, by the forms of their codes', () => {
    for (const { symbol, kind } of full.instruments) expect(kindOf({ symbol }), symbol).toBe(kind)
    const kinds = (of: typeof market) => new Set(of.listed(last).map(({ kind }) => kind))
    expect(kinds(market)).toEqual(new Set(['stock', 'etf', 'covered_warrant', 'future']))
    expect(market.listed(last).length).toBeLessThan(80)
    expect(full.listed(last).length).toBeGreaterThan(1_500)
    expect(new Set(full.instruments.map(({ symbol }) => symbol)).size).toBe(full.instruments.length)
  })
  it('keep four futures live, under the old codes before May 2025 and the new ones since', () => {
    const live = (day: string) =>
      market
        .listed(market.time.at(day))
        .filter(({ kind }) => kind === 'future')
        .map(({ symbol }) => symbol)
        .sort()
    expect(live('2025-04-10')).toEqual(['VN30F2504', 'VN30F2505', 'VN30F2506', 'VN30F2509'])
    expect(live('2025-11-20')).toEqual(['41I1FB000', '41I1FC000', '41I1G3000', '41I1G6000'])
    expect(live('2025-11-21')).toEqual(['41I1FC000', '41I1G1000', '41I1G3000', '41I1G6000'])
  })
  it('are the same from the same seed and another from another', () => {
    const again = world('demo', 1)
    const other = world('demo', 2)
    expect(again.sheet(last).map(({ close, value }) => [close, value])).toEqual(
      market.sheet(last).map(({ close, value }) => [close, value]),
    )
    expect(other.sheet(last).map(({ close }) => close)).not.toEqual(
      market.sheet(last).map(({ close }) => close),
    )
  })
})
