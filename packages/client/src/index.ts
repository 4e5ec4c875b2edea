/**
 * The library: the brokerage's API for other programs. `packages/client/README.md` is its guide. The pipeline reads through
 * `brokerage/index.js`, which has no way to trade.
 */

export { type Effects, type Log, silentLog, systemEffects } from 'candlehouse-foundation/effects'
export { CandlehouseError, ServiceError, SettingsError } from 'candlehouse-foundation/errors'
export type { Board } from 'candlehouse-foundation/market/board'
export type { Timeframe } from 'candlehouse-foundation/market/timeframe'
export { type LimitType, type OrderType, orderTypesOn, type UnpricedType } from './order-types.js'
export * from './reading.js'
export { OtpPendingError } from './session/otp.js'
export { createSigner, type Signer, type SignerOptions } from './signing/signer.js'
export type * from './trading/conditional-requests.js'
export type { WriteEffect } from './trading/effect.js'
export type * from './trading/order-requests.js'
export type * from './trading/outcome.js'
export {
  type Reconciled,
  reconcile,
  reconcileConditional,
  reconcileConditionalCancel,
  type Undecided,
} from './trading/reconcile.js'
export type * from './trading/trading.js'
export {
  createTradingClient,
  type TradingClient,
  type TradingClientOptions,
} from './trading/trading-client.js'
export type { ConditionalOrder, Order, OrderActionResult } from './wire/order-records.js'
