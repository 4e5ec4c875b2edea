import { type Row, record } from './record.js'

/** A holding of an equity account, shares and VND (docs/brokerage-api.md#position). */
export const equityPosition = record([
  'accountNo',
  'symbol',
  'quantity',
  'blockQuantity',
  'dividendQuantity',
  'buyingQuantity',
  'boughtQuantity',
  'sellingQuantity',
  'soldQuantity',
  't1SellQuantity',
  't2SellQuantity',
  'costPrice',
  'mortgageQuantity',
  'sellableQuantity',
  'restrictedQuantity',
])

export type EquityPosition = Row<(typeof equityPosition.fields)[number]>

/** A futures position, contracts and index points (docs/brokerage-api.md#position). */
export const derivativePosition = record([
  'symbol',
  'long',
  'short',
  'net',
  'bidAvgPrice',
  'askAvgPrice',
  'tradePrice',
  'tradingPL',
  'floatingPL',
])

export type DerivativePosition = Row<(typeof derivativePosition.fields)[number]>

/** Answer of position. A plain list under `derivative` (a summary) is `derivativeSummary`. */
export interface Positions {
  readonly equity: readonly EquityPosition[]
  readonly derivativeAccountNo: string | null
  readonly derivativeOpen: readonly DerivativePosition[]
  readonly derivativeClose: readonly DerivativePosition[]
  readonly derivativeSummary: readonly DerivativePosition[]
}
