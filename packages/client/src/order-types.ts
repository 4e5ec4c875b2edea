import type { TradingBoard } from 'candlehouse-foundation/market/board'
import eras from './order-type-eras.json' with { type: 'json' }
import type { Day } from './values.js'

/**
 * Order types by what they do. The specification names `LO`, `ATO`, `ATC` and `MP`; live deployments also take `MTL`, `MOK`, `MAK`
 * and `PLO`. Which of them an exchange takes depends on the board and the day: `orderTypesOn`.
 */
export type OrderType = LimitType | UnpricedType

/** A limit order: it needs a price. */
export type LimitType = 'LO'

/**
 * `ATO`, `ATC` opening and closing auction · `MP` market, HOSE until 2025-05-04 · `MTL` market, the rest becomes a limit order ·
 * `MOK` whole or not at all · `MAK` what can be matched, the rest is cancelled · `PLO` at the closing price, after the close
 */
export type UnpricedType = 'ATO' | 'ATC' | 'MP' | 'MTL' | 'MOK' | 'MAK' | 'PLO'

/** Order types that a board takes, from one day to another, as the rulebook has them (docs/rulebook.md#order_types). */
interface Era {
  readonly board: string
  readonly from: string
  /** Last day, included; empty: they still hold. */
  readonly to: string
  readonly types: readonly string[]
}

const ERAS: readonly Era[] = eras

/** Order types that a board takes on a day; none before its first rule. Futures trade on `DERIVATIVE`. */
export function orderTypesOn(board: TradingBoard, day: Day): readonly OrderType[] {
  const era = ERAS.find(({ board: of, from, to }) => of === board && from <= day && (to === '' || day <= to))
  return (era?.types ?? []) as readonly OrderType[]
}
