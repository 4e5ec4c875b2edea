import type { Day } from 'candlehouse-foundation/market/day'
import type { Ask } from '../questions.js'

export interface IndexDay {
  readonly index_code: string
  readonly index_name: string | null
  readonly whole_board: string | null
  readonly index_value: number | null
  readonly index_change: number | null
  readonly change_part: number | null
  readonly match_value: number | null
  readonly deal_value: number | null
  readonly advance: number | null
  readonly ceiling: number | null
  readonly decline: number | null
  readonly floor: number | null
  readonly no_change: number | null
}

export interface IndexPoint {
  readonly index_code: string
  readonly trading_date: Day
  readonly index_value: number
}

export interface SymbolDay {
  readonly symbol: string
  readonly kind: string
  readonly board: string | null
  readonly name: string | null
  readonly sector: string | null
  readonly close: number | null
  readonly ref_price: number | null
  /** A fraction of the reference price. */
  readonly change_part: number | null
  readonly match_value: number | null
  readonly deal_value: number | null
  readonly deal_volume: number | null
  readonly foreign_buy: number | null
  readonly foreign_sell: number | null
  readonly room_used: number | null
  readonly at_ceiling: boolean
  readonly at_floor: boolean
  readonly touched_ceiling: boolean
  readonly touched_floor: boolean
  readonly streak: number | null
}

export interface FlowDay {
  readonly trading_date: Day
  readonly foreign_net: number | null
  readonly proprietary_net: number | null
}

export interface SectorDay {
  readonly sector: string
  readonly stocks: number
  readonly advance: number
  readonly decline: number
  readonly no_change: number
  readonly match_value: number | null
  readonly foreign_net: number | null
  readonly change_part: number | null
}

export interface AuctionDay {
  readonly board: string
  readonly volume: number
  readonly opening_part: number | null
  readonly closing_part: number | null
}

export interface Market {
  readonly session: Day
  readonly indexes: readonly IndexDay[]
  /** Of the main indexes, oldest first. */
  readonly indexHistory: readonly IndexPoint[]
  /** Stocks, ETFs and funds that traded, by value. */
  readonly symbols: readonly SymbolDay[]
  /** Oldest first. */
  readonly flows: readonly FlowDay[]
  readonly sectors: readonly SectorDay[]
  readonly auctions: readonly AuctionDay[]
}

export async function marketModel(ask: Ask, session: Day): Promise<Market> {
  return {
    session,
    indexes: await ask<IndexDay>('indexes'),
    indexHistory: await ask<IndexPoint>('index_history'),
    symbols: await ask<SymbolDay>('symbols'),
    flows: [...(await ask<FlowDay>('flows'))].reverse(),
    sectors: await ask<SectorDay>('sectors'),
    auctions: await ask<AuctionDay>('auctions'),
  }
}

/** Movers with less value traded are noise: one order of a hundred shares moves them. */
export const MOVER_VALUE = 1e9

/** Symbols whose figure is farthest from zero, the farthest first. */
export interface Extremes {
  readonly above: readonly SymbolDay[]
  readonly below: readonly SymbolDay[]
}

/** The largest moves from the reference price among what traded for at least `MOVER_VALUE`. */
export function moversOf(symbols: readonly SymbolDay[], count: number): Extremes {
  const liquid = symbols.filter(({ match_value }) => (match_value ?? 0) >= MOVER_VALUE)
  return extremesOf(liquid, ({ change_part }) => change_part, count)
}

/** @param count how many on each side of zero */
export function extremesOf(
  symbols: readonly SymbolDay[],
  figure: (symbol: SymbolDay) => number | null,
  count: number,
): Extremes {
  const sorted = [...symbols].sort(by((symbol) => figure(symbol) ?? 0))
  const below = sorted.filter((symbol) => (figure(symbol) ?? 0) < 0)
  return {
    above: sorted.filter((symbol) => (figure(symbol) ?? 0) > 0).slice(0, count),
    below: below.slice(-count).reverse(),
  }
}

/** Foreign buying less selling, VND; null where one of them is not reported. */
export function foreignNet({ foreign_buy, foreign_sell }: SymbolDay): number | null {
  return foreign_buy === null || foreign_sell === null ? null : foreign_buy - foreign_sell
}

/** Sorts by a figure, largest first; equal figures by name, so that a report is the same twice. */
export function by<Item extends { readonly symbol: string }>(figure: (item: Item) => number) {
  return (a: Item, b: Item): number => figure(b) - figure(a) || (a.symbol < b.symbol ? -1 : 1)
}
