import type { Market } from '../../market/exchange/market-view.js'
import type { Custody } from '../ledger/custody-view.js'
import {
  type ConditionalPrice,
  ConditionalRefused,
  type ConditionalType,
  type PlaceConditional,
} from './conditional-order.js'

const DAY_MS = 86_400_000
/** Validity (docs/brokerage-api.md#limits). */
export const DEFAULT_VALIDITY_MS = DAY_MS
const LONGEST_VALIDITY_MS = 31 * DAY_MS

const PAIR = ['tpActivePrice', 'tpPrice', 'tpSlip', 'slActivePrice', 'slPrice', 'slSlip'] as const

/** Fields that each type needs (docs/brokerage-api.md#fields-per-type). */
export const REQUIRED_FIELDS: Readonly<Record<ConditionalType, readonly (keyof PlaceConditional)[]>> = {
  stop: ['stopPrice', 'operator'],
  stop_limit: ['price', 'stopPrice', 'operator'],
  gtd: [],
  bullbear: PAIR,
  oco: PAIR,
  trailing_stop: ['activePrice', 'trailingAmount'],
  trailing_stop_limit: ['price', 'activePrice', 'trailingAmount'],
}

const POSITIVE = ['stopPrice', 'activePrice', 'trailingAmount', 'tpActivePrice', 'slActivePrice'] as const
const NOT_NEGATIVE = ['priceSlip', 'tpSlip', 'slSlip'] as const

export interface RuleParts {
  readonly market: Market
  readonly custody: Pick<Custody, 'account'>
  /** Shares that may be sold, or contracts net; negative when short. */
  position(accountNo: string, symbol: string): number
  readonly dialect: 'spec' | 'live'
}

/** Validity of an order with defaults filled in, epoch milliseconds. @throws ConditionalRefused */
export function validity(request: PlaceConditional, now: number, dialect: 'spec' | 'live'): [number, number] {
  const from = request.from ?? now
  const to = request.to ?? Math.max(from, now) + DEFAULT_VALIDITY_MS
  if (to <= from || to <= now) throw new ConditionalRefused('badValidity', 'to')
  // Live deployments do not check the 31 days (docs/market-facts.md#conditional-orders).
  if (dialect === 'spec' && to - from > LONGEST_VALIDITY_MS)
    throw new ConditionalRefused('validityTooLong', 'to')
  return [from, to]
}

/** @throws ConditionalRefused naming the field */
export function check(request: PlaceConditional, parts: RuleParts): void {
  const account = parts.custody.account(request.accountNo)
  if (!account) throw new ConditionalRefused('unknownAccount', 'accountNo')
  const listing = parts.market.listing(request.symbol)
  const future = listing?.instrument.kind === 'future'
  if (!listing || future !== (account.accountType === 'DERIVATIVE'))
    throw new ConditionalRefused('unknownSymbol', 'symbol')
  if (!Number.isInteger(request.quantity) || request.quantity <= 0)
    throw new ConditionalRefused('badQuantity', 'quantity')
  for (const field of REQUIRED_FIELDS[request.type])
    if (request[field] === undefined) throw new ConditionalRefused('missingField', field)
  for (const field of POSITIVE) {
    const value = request[field]
    if (value !== undefined && !(value > 0)) throw new ConditionalRefused('badPrice', field)
  }
  for (const field of NOT_NEGATIVE) {
    const value = request[field]
    if (value !== undefined && !(value >= 0)) throw new ConditionalRefused('badPrice', field)
  }
  checkWords(request)
  if (request.type === 'bullbear' || request.type === 'oco') checkPair(request)
  if (request.type === 'oco') checkPosition(request, parts)
}

/** MAK is allowed only as a price of an OCO leg (docs/brokerage-api.md#fields-per-type); limits are numbers. */
function checkWords({ type, price, tpPrice, slPrice }: PlaceConditional): void {
  const isNumber = (value: ConditionalPrice | undefined) => typeof value === 'number'
  if (price === 'MAK') throw new ConditionalRefused('badPrice', 'price')
  if (type === 'stop_limit' && !isNumber(price)) throw new ConditionalRefused('badPrice', 'price')
  if (type === 'bullbear' && tpPrice === 'MAK') throw new ConditionalRefused('badPrice', 'tpPrice')
  if (type === 'bullbear' && slPrice === 'MAK') throw new ConditionalRefused('badPrice', 'slPrice')
}

/** The take-profit price must be on the winning side of the stop-loss price. */
function checkPair({ type, side, tpActivePrice = 0, slActivePrice = 0 }: PlaceConditional): void {
  const closing = type === 'oco' ? side : side === 'B' ? 'S' : 'B'
  const isOrdered = closing === 'S' ? tpActivePrice > slActivePrice : tpActivePrice < slActivePrice
  if (!isOrdered) throw new ConditionalRefused('badPrice', 'tpActivePrice')
}

/** An OCO closes a position (docs/brokerage-api.md#types-of-conditional-orders). */
function checkPosition(
  { accountNo, symbol, side, quantity }: PlaceConditional,
  { position }: RuleParts,
): void {
  const net = position(accountNo, symbol)
  if ((side === 'S' ? net : -net) < quantity) throw new ConditionalRefused('noPosition', 'quantity')
}
