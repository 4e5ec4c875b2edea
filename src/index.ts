/**
 * The library: the brokerage's API for other programs. `docs/client.md` is its guide. The pipeline reads through
 * `brokerage/index.js`, which has no way to trade.
 */
export * from './brokerage/index.js'
export { OtpPendingError } from './brokerage/session/otp.js'
export { createSigner, type Signer, type SignerOptions } from './brokerage/signing/signer.js'
export {
  createTradingClient,
  type TradingClient,
  type TradingClientOptions,
} from './brokerage/trading/client.js'
export type * from './brokerage/trading/conditional-requests.js'
export type { WriteEffect } from './brokerage/trading/effect.js'
export type * from './brokerage/trading/outcome.js'
export {
  type Reconciled,
  reconcile,
  reconcileConditional,
  reconcileConditionalCancel,
  type Undecided,
} from './brokerage/trading/reconcile.js'
export type * from './brokerage/trading/requests.js'
export type * from './brokerage/trading/trading.js'
export type { ConditionalOrder, Order, OrderActionResult } from './brokerage/wire/order-records.js'
export { type Effects, type Log, silentLog, systemEffects } from './effects.js'
export { CandlehouseError, ServiceError, SettingsError } from './errors.js'
export type { Board } from './market/board.js'
export type { Day } from './market/day.js'
export type { Timeframe } from './market/timeframe.js'
