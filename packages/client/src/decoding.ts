/**
 * Answers, values and requests without the client: for programs that have the bytes from elsewhere, such as stored pages. It opens
 * no connection and imports no package.
 */

export type { Board } from 'candlehouse-foundation/market/board'
export type { Timeframe } from 'candlehouse-foundation/market/timeframe'
export type { Answer, ApiFault, Endpoint, Outcome, PageFacts, Query } from './contract.js'
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
export { type LimitType, type OrderType, orderTypesOn, type UnpricedType } from './order-types.js'
export { clientIdOf, queries } from './queries.js'
export type * from './requests.js'
export { type Day, type Decimal, ParseError, parseDay, parseDecimal } from './values.js'
