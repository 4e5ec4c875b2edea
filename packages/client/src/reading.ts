export type { Advice } from './advice.js'
export { createClient } from './client.js'
export type { ClientOptions } from './connection.js'
export type * from './contract.js'
export {
  type Decoded,
  type DecodedRefusal,
  type DecodedRows,
  decode,
  rowsOf,
  type StoredAnswer,
} from './decode/decode.js'
export type { Suffixes } from './decode/fields.js'
export type { RowOf } from './decode/rows.js'
export { UnreadRowsError } from './decode/unread-rows-error.js'
export type * from './facets.js'
export { type FaultKind, type LastResponse, type Reach, UnansweredError, UnprovenPageError } from './fault.js'
export { clientIdOf, queries } from './queries.js'
export type * from './requests.js'
export type { ReadLimits } from './retries.js'
export { createRetryBudget, type RetryBudget } from './retry-budget.js'
export { loginBySmartOtp } from './session/otp.js'
export type { Session } from './session/session-view.js'
export { createThrottle, type Throttle } from './throttle/throttle.js'
export { type Day, type Decimal, ParseError, parseDay, parseDecimal } from './values.js'
export { type Page, type PagesOptions, pages } from './walk/pages.js'
export { nextStep, startWalk } from './walk/walk.js'
