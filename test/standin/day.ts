// One symbol on one session, by arithmetic: the daily record, its price limits and its bars agree.

import { minuteBars, price } from './bars.js'
import type { CandleRow, MasterRow, SummaryRow } from './rows.js'
import type { SymbolSeed } from './symbols.js'

const BAND = { HOSE: 0.07, HNX: 0.1, UPCOM: 0.15 } as const

export const multiplierOf = (seed: SymbolSeed): number => (seed.kind === 'future' ? 100_000 : 1)
export const lotOf = (seed: SymbolSeed): number => (seed.kind === 'future' ? 1 : 100)

export interface DayRows {
  summary: SummaryRow
  master: MasterRow
  daily: CandleRow | undefined
  minutes: CandleRow[]
  /** Reference price of the next session. */
  nextReference: number
}

export const dailyBar = (summary: SummaryRow): CandleRow | undefined =>
  Number(summary.totalMatch) > 0
    ? {
        symbol: summary.symbol,
        tradingDate: summary.tradingDate,
        open: summary.open,
        high: summary.high,
        low: summary.low,
        close: summary.close,
        volume: summary.totalMatch,
        value: summary.totalMatchValue,
      }
    : undefined

const limits = (seed: SymbolSeed, day: string, reference: number): MasterRow => {
  const band = seed.kind === 'future' ? 0.07 : BAND[seed.board]
  const steps = Math.round(reference / seed.tick)
  return {
    symbol: seed.symbol,
    exchange: seed.board,
    tradingDate: day,
    ceiling: price(Math.floor(steps * (1 + band) + 1e-9) * seed.tick, seed.tick),
    floor: price(Math.ceil(steps * (1 - band) - 1e-9) * seed.tick, seed.tick),
    refPrice: price(reference, seed.tick),
  }
}

/** `rank` is the place of the symbol in the market, `at` the place of the session. */
export const buildDay = (
  seed: SymbolSeed,
  rank: number,
  at: number,
  day: string,
  reference: number,
): DayRows => {
  const traded = seed.trades !== false
  const { tick } = seed
  const steps = (count: number): number => reference + count * tick
  // Up and down by turns around the base, never more than three ticks from the reference.
  const wanted = seed.base + (((at * 2 + rank) % 5) - 2) * tick
  const close = traded ? Math.min(Math.max(wanted, steps(-3)), steps(3)) : reference
  const open = traded ? steps(((at + rank) % 3) - 1) : 0
  const high = traded ? Math.max(open, close) + tick : 0
  const low = traded ? Math.min(open, close) - tick : 0
  const lot = lotOf(seed)
  const multiplier = multiplierOf(seed)
  const volume = traded ? lot * (240 + 12 * rank + (at % 17)) : 0
  const shape = { symbol: seed.symbol, day, open, high, low, close, volume, tick, lot, multiplier }
  const minutes = minuteBars(shape)
  const value = minutes.reduce((sum, bar) => sum + Number(bar.value), 0)
  const average = volume > 0 ? value / volume / multiplier : 0
  const change = close - reference
  const tenth = Math.floor(volume / 10)
  const derivative = seed.kind === 'future'
  const deal = traded && at % 4 === 1 ? lot * 10 : 0
  const summary: SummaryRow = {
    symbol: seed.symbol,
    tradingDate: day,
    priceChange: price(change, tick),
    priceChangePercentage: ((change / reference) * 100).toFixed(2),
    open: price(open, tick),
    high: price(high, tick),
    low: price(low, tick),
    close: price(close, tick),
    average: average.toFixed(2),
    totalMatch: String(volume),
    totalMatchValue: String(value),
    totalBuy: String(volume * 2),
    totalTradeBuy: traded ? String(100 + rank) : '0',
    totalSell: String(volume + tenth),
    totalTradeSell: traded ? String(90 + rank) : '0',
    totalForeignBuy: String(tenth),
    totalForeignBuyValue: String(Math.round(tenth * close * multiplier)),
    totalForeignSell: String(Math.floor(tenth / 2)),
    totalForeignSellValue: String(Math.round(Math.floor(tenth / 2) * close * multiplier)),
    remainForeignRoom: String(40_000_000 - at * 1000),
    totalForeignRoom: '49000000',
    totalDeal: String(deal),
    totalDealValue: String(Math.round(deal * close * multiplier)),
    openInterest: derivative ? String(40_000 + at * 10) : null,
    settlementPrice: derivative ? price(close, tick) : null,
  }
  const basis = seed.board === 'UPCOM' && traded ? Math.round(average / tick) * tick : close
  return {
    summary,
    master: limits(seed, day, reference),
    daily: dailyBar(summary),
    minutes,
    nextReference: basis,
  }
}
