import type { Board } from 'candlehouse-foundation/market/board'
import { hashText, mix, unit } from './hash.js'
import { INDUSTRIES, type Industry, type Instrument } from './instrument.js'
import { DEMO_TICKERS, MORE_FUNDS, moreTickers } from './tickers.js'
import type { Timeline } from './timeline.js'

/**
 * Stocks of the full universe (docs/market-facts.md#number-of-symbols, early 2025); the demo keeps the large
 * names.
 */
const FULL_COUNTS: Record<Board, number> = { HOSE: 392, HNX: 311, UPCOM: 887 }

/** For each name listed now, names that came and went or are yet to come. */
const EVER_LISTED = 1.11

/** Lowest and highest starting price in VND: high enough that a tick is small compared with the band. */
const PRICES: Record<Board, readonly [number, number]> = {
  HOSE: [12_000, 140_000],
  HNX: [11_000, 80_000],
  UPCOM: [12_000, 70_000],
}

export function industryOf(hash: number): Industry {
  return INDUSTRIES[mix(hash, 4) % INDUSTRIES.length] ?? { code: '8300', name: 'Banks' }
}

/** Geometric between two bounds: most prices and volumes are near the low end. */
export function between(low: number, high: number, at: number): number {
  return low * (high / low) ** at
}

function stock(symbol: string, board: Board, seed: number, large: boolean): Instrument {
  const path = mix(seed, hashText(symbol))
  const [low, high] = PRICES[board]
  const lively = large && board !== 'UPCOM'
  return {
    symbol,
    kind: 'stock',
    path,
    board,
    first: 0,
    last: Number.POSITIVE_INFINITY,
    base: between(low, high, unit(path, 1)),
    calm: !lively,
    multiplier: 1,
    tradeChance: lively || board === 'HOSE' ? 1 : large ? 0.98 : 0.45 + 0.5 * unit(path, 2),
    busy: lively
      ? 0.9 + 0.1 * unit(path, 3)
      : large
        ? 0.3 + 0.5 * unit(path, 3)
        : 0.02 + 0.3 * unit(path, 3) ** 2,
    lots: lively ? between(20, 600, unit(path, 5)) : between(2, 60, unit(path, 5)),
    listed: Math.round(between(2e7, large ? 5e9 : 3e8, unit(path, 6)) / 100) * 100,
    industry: industryOf(path),
  }
}

function fund(symbol: string, seed: number): Instrument {
  const newStock = stock(symbol, 'HOSE', seed, false)
  return {
    ...newStock,
    kind: 'etf',
    base: between(9_000, 32_000, unit(newStock.path, 1)),
    busy: 0.1 + 0.5 * unit(newStock.path, 3),
  }
}

/** The names every universe has, from the first session on and never delisted: indexes rest on them. */
export function permanentStocks(seed: number): Instrument[] {
  return (['HOSE', 'HNX', 'UPCOM'] as const).flatMap((board) =>
    DEMO_TICKERS[board].map((symbol) => stock(symbol, board, seed, true)),
  )
}

/** Every quarter one small company lists on UPCOM and leaves two quarters later: the demo's coming and going. */
function passingStocks(seed: number, { from }: Timeline, tickers: readonly string[]): Instrument[] {
  return tickers.map((symbol, quarter) => {
    const path = mix(seed, hashText(symbol))
    const day = (ahead: number) => {
      const at = quarter + ahead
      const month = String((at % 4) * 3 + 1 + (mix(path, 21) % 3)).padStart(2, '0')
      const date = String(4 + (mix(path, 22) % 20)).padStart(2, '0')
      return from(`${2020 + Math.floor(at / 4)}-${month}-${date}`)
    }
    return { ...stock(symbol, 'UPCOM', seed, false), tradeChance: 0.8, first: day(0), last: day(2) - 1 }
  })
}

/** Every year one HNX company moves to HOSE. */
function movingStocks(seed: number, { from }: Timeline, tickers: readonly string[]): Instrument[] {
  return tickers.map((symbol, year) => {
    const newStock = stock(symbol, 'HNX', seed, true)
    const month = String(3 + (mix(newStock.path, 23) % 9)).padStart(2, '0')
    return { ...newStock, calm: true, moved: { from: from(`${2021 + year}-${month}-10`), board: 'HOSE' } }
  })
}

/** Some of the many small companies list or delist within the sandbox's years. */
function smallStock(symbol: string, board: Board, seed: number, { days }: Timeline): Instrument {
  const newStock = stock(symbol, board, seed, false)
  const first = unit(newStock.path, 24) < 0.15 ? 1 + (mix(newStock.path, 25) % (days.length - 400)) : 0
  const last = unit(newStock.path, 26) < 0.1 ? first + 200 + (mix(newStock.path, 27) % 2_000) : newStock.last
  return { ...newStock, first, last }
}

/** All stocks and funds of a universe, over all years. */
export function stocksAndFunds(universe: 'demo' | 'full', seed: number, time: Timeline): Instrument[] {
  const permanent = permanentStocks(seed)
  const usedSymbols = new Set(permanent.map(({ symbol }) => symbol))
  const spare = moreTickers(44 + 8 + 1_760, usedSymbols)
  const small = { HOSE: spare.slice(52, 422), HNX: spare.slice(422, 772), UPCOM: spare.slice(772, 1_812) }
  const funds: string[] = [...DEMO_TICKERS.ETF, ...(universe === 'full' ? MORE_FUNDS : [])]
  return [
    ...permanent,
    ...funds.map((symbol) => fund(symbol, seed)),
    ...passingStocks(seed, time, spare.slice(0, 44)),
    ...movingStocks(seed, time, spare.slice(44, 52)),
    ...(universe === 'full'
      ? (['HOSE', 'HNX', 'UPCOM'] as const).flatMap((board) =>
          small[board]
            .slice(0, Math.round(FULL_COUNTS[board] * EVER_LISTED) - DEMO_TICKERS[board].length)
            .map((symbol) => smallStock(symbol, board, seed, time)),
        )
      : []),
  ]
}
