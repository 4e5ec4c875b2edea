import * as fields from 'candlehouse-foundation/fields/account'
import { type RowOf, recordOf } from './record.js'

export const account = recordOf(fields.account)

export type Account = RowOf<typeof fields.account>

export const equityBalance = recordOf(fields.equityBalance)

export type EquityBalance = RowOf<typeof fields.equityBalance>

export const derivativeBalance = recordOf(fields.derivativeBalance)

export type DerivativeBalance = RowOf<typeof fields.derivativeBalance>

/** Answer of accountBalance: either side is null where the account has none. */
export interface Balance {
  readonly equity: EquityBalance | null
  readonly derivative: DerivativeBalance | null
}

export const equityMargin = recordOf(fields.equityMargin)

export type EquityMargin = RowOf<typeof fields.equityMargin>

export const derivativeMargin = recordOf(fields.derivativeMargin)

export type DerivativeMargin = RowOf<typeof fields.derivativeMargin>

/** Answer of ppmmrAccount: either side is null where the account has none. */
export interface Margin {
  readonly equity: EquityMargin | null
  readonly derivative: DerivativeMargin | null
}

export const equityPosition = recordOf(fields.equityPosition)

export type EquityPosition = RowOf<typeof fields.equityPosition>

export const derivativePosition = recordOf(fields.derivativePosition)

export type DerivativePosition = RowOf<typeof fields.derivativePosition>

/** Answer of position. A plain list under `derivative` (a summary) is `derivativeSummary`. */
export interface Positions {
  readonly equity: readonly EquityPosition[]
  readonly derivativeAccountNo: string | null
  readonly derivativeOpen: readonly DerivativePosition[]
  readonly derivativeClose: readonly DerivativePosition[]
  readonly derivativeSummary: readonly DerivativePosition[]
}

export const maxQuantity = recordOf(fields.maxQuantity)

export type MaxQuantity = RowOf<typeof fields.maxQuantity>
