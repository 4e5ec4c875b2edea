// What a service may do to its own history between two nights.

import { slashed } from './dates.js'
import type { StandInMarket } from './market.js'

interface Dated {
  symbol: string
  tradingDate: string
}

const isOf =
  (symbol: string, day: string) =>
  (row: Dated): boolean =>
    row.symbol === symbol && row.tradingDate.startsWith(slashed(day))

const remove = <Row>(rows: Row[], fits: (row: Row) => boolean): Row[] => {
  const removed = rows.filter(fits)
  rows.splice(0, rows.length, ...rows.filter((row) => !fits(row)))
  return removed
}

/** Daily summaries of a symbol, or of all symbols, no longer served on a day. Call what is returned to undo it. */
export const omitSummaries = (market: StandInMarket, day: string, symbol?: string): (() => void) => {
  const { summaries } = market
  const all = [...summaries]
  remove(summaries, (row) => row.tradingDate === slashed(day) && (symbol ?? row.symbol) === row.symbol)
  return () => {
    summaries.splice(0, summaries.length, ...all)
  }
}

/**
 * The symbol closes at its floor on a day, and later sessions stand as much lower. Limits, bars and totals of its indexes
 * follow.
 */
export const fall = (market: StandInMarket, symbol: string, day: string, floorShare = 0.93): void => {
  const at = slashed(day)
  const own = market.summaries.filter((row) => row.symbol === symbol && row.tradingDate >= at)
  const seed = market.seeds.find((each) => each.symbol === symbol)
  const [first] = own
  if (!seed || !first) throw new Error(`no record of ${symbol} on ${at}`)
  const onTick = (value: number): number => Math.round(value / seed.tick) * seed.tick
  const reference = Number(first.close) - Number(first.priceChange)
  const close = onTick(Math.ceil((reference * floorShare) / seed.tick) * seed.tick)
  const down = Number(first.close) - close
  for (const row of own) {
    const isFirst = row === first
    const less = (text: string): string => String(Number(text) - down)
    const volume = Number(row.totalMatch)
    const value = isFirst ? volume * close : Number(row.totalMatchValue) - down * volume
    const average = (value / volume).toFixed(2)
    const change = isFirst ? close - reference : Number(row.priceChange)
    const base = isFirst ? reference : Number(row.close) - down - change
    const changes = isFirst
      ? { low: String(close), close: String(close) }
      : { open: less(row.open), high: less(row.high), low: less(row.low), close: less(row.close) }
    const priceChangePercentage = ((change / base) * 100).toFixed(2)
    market.restate(symbol, row.tradingDate, {
      ...changes,
      average,
      priceChange: String(change),
      priceChangePercentage,
      totalMatchValue: String(value),
    })
    const limit = market.masterdata.find((each) => isOf(symbol, row.tradingDate)(each))
    if (isFirst || !limit) continue
    const steps = base / seed.tick
    limit.refPrice = String(base)
    limit.ceiling = String(Math.floor(steps * (2 - floorShare) + 1e-9) * seed.tick)
    limit.floor = String(Math.ceil(steps * floorShare - 1e-9) * seed.tick)
  }
}

/** The symbol did not trade on that day after all: no summary, no limit, no bar. */
export const withdrawDay = (market: StandInMarket, symbol: string, day: string): void => {
  for (const rows of [market.summaries, market.masterdata, market.daily, market.minutes]) {
    remove<Dated>(rows, isOf(symbol, day))
  }
}

/** The symbol has another name from now on, and so has all that the service holds of it. */
export const renameSymbol = (market: StandInMarket, from: string, to: string): void => {
  const { securities, summaries, masterdata, daily, minutes } = market
  for (const rows of [securities, summaries, masterdata, daily, minutes]) {
    for (const row of rows) if (row.symbol === from) row.symbol = to
  }
  for (const [index, symbols] of Object.entries(market.members)) {
    market.members[index] = symbols.map((symbol) => (symbol === from ? to : symbol))
  }
}

/** The service leaves the symbol out of every answer. Call what is returned to undo it. */
export const hideSymbol = (market: StandInMarket, symbol: string): (() => void) => {
  const lists = [market.securities, market.summaries, market.masterdata, market.daily, market.minutes]
  const before = lists.map((rows) => [...rows])
  const members = { ...market.members }
  for (const rows of lists) remove<{ symbol: string }>(rows, (row) => row.symbol === symbol)
  for (const [index, symbols] of Object.entries(members)) {
    market.members[index] = symbols.filter((each) => each !== symbol)
  }
  return () => {
    lists.forEach((rows: unknown[], at) => {
      rows.splice(0, rows.length, ...(before[at] ?? []))
    })
    Object.assign(market.members, members)
  }
}
