import type { Bars } from '../world/bars.js'
import type { Daily } from '../world/daily.js'
import type { Instrument } from '../world/instrument.js'
import type { World } from '../world/world.js'

/** A trade of the sandbox's orders that the simulated market did not have by itself. */
export interface OwnTrade {
  /** Minutes after midnight. */
  readonly minute: number
  readonly price: number
  /** Shares or contracts. */
  readonly quantity: number
}

const NONE: readonly OwnTrade[] = []

/** The trades that orders of the sandbox add to the market, by symbol and session. */
export class OwnTrades {
  private readonly bySession = new Map<string, OwnTrade[]>()

  add(symbol: string, session: number, trade: OwnTrade): void {
    const key = `${symbol} ${session}`
    this.bySession.set(key, [...(this.bySession.get(key) ?? []), trade])
  }

  of(symbol: string, session: number): readonly OwnTrade[] {
    return this.bySession.get(`${symbol} ${session}`) ?? NONE
  }
}

/**
 * A market whose candles and summaries have the trades of the sandbox's orders too. Open and close stay those of the market, so that
 * references, indexes and later sessions do.
 */
export function withOwnTrades(world: World, trades: () => OwnTrades): World {
  const daily: World['daily'] = (instrument, session, untilMinute) => {
    const day = world.daily(instrument, session, untilMinute)
    const added = trades()
      .of(instrument.symbol, session)
      .filter(({ minute }) => minute < (untilMinute ?? Number.POSITIVE_INFINITY))
    return added.reduce(withTrade, day)
  }
  return {
    ...world,
    daily,
    sheet: (session) => world.listed(session).map((instrument) => daily(instrument, session)),
    bars(instrument, session, into) {
      world.bars(instrument, session, into)
      for (const trade of trades().of(instrument.symbol, session)) addToBars(into, instrument, trade)
    },
  }
}

function withTrade(day: Daily, { price, quantity }: OwnTrade): Daily {
  const { multiplier } = day.instrument
  const isFirst = day.volume === 0
  const volume = day.volume + quantity
  const value = day.value + worthOf(day.instrument, price, quantity)
  return {
    ...day,
    open: isFirst ? price : day.open,
    close: isFirst ? price : day.close,
    high: isFirst ? price : Math.max(day.high, price),
    low: isFirst ? price : Math.min(day.low, price),
    volume,
    value,
    average: value / volume / multiplier,
  }
}

function addToBars(bars: Bars, instrument: Instrument, { minute, price, quantity }: OwnTrade): void {
  let at = 0
  while (at < bars.count && (bars.minute[at] ?? 0) < minute) at++
  if (at === bars.count || bars.minute[at] !== minute) insertBar(bars, at, minute, price)
  bars.high[at] = Math.max(bars.high[at] ?? 0, price)
  bars.low[at] = Math.min(bars.low[at] ?? 0, price)
  bars.volume[at] = (bars.volume[at] ?? 0) + quantity
  bars.value[at] = (bars.value[at] ?? 0) + worthOf(instrument, price, quantity)
}

/** A bar without a volume, in a minute in which the market had no trade. */
function insertBar(bars: Bars, at: number, minute: number, price: number): void {
  for (const column of [bars.minute, bars.open, bars.high, bars.low, bars.close, bars.volume, bars.value])
    column.copyWithin(at + 1, at, bars.count)
  bars.count++
  bars.minute[at] = minute
  for (const column of [bars.open, bars.high, bars.low, bars.close]) column[at] = price
  bars.volume[at] = 0
  bars.value[at] = 0
}

function worthOf({ multiplier }: Instrument, price: number, quantity: number): number {
  return Math.round(price * quantity * multiplier)
}
