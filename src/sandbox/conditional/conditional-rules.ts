import type { Market } from '../exchange/market-view.js'
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

/** Fields that a type cannot do without (docs/brokerage-api.md#fields-per-type). */
const REQUIRED: Readonly<Record<ConditionalType, readonly (keyof PlaceConditional)[]>> = {
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

/** What an order is valid for, once its defaults are known. @throws ConditionalRefused */
export function validity(asked: PlaceConditional, now: number, dialect: 'spec' | 'live'): [number, number] {
  const from = asked.from ?? now
  const to = asked.to ?? Math.max(from, now) + DEFAULT_VALIDITY_MS
  if (to <= from || to <= now) throw new ConditionalRefused('badValidity', 'to')
  // Live deployments do not check the 31 days (docs/market-facts.md#conditional-orders).
  if (dialect === 'spec' && to - from > LONGEST_VALIDITY_MS)
    throw new ConditionalRefused('validityTooLong', 'to')
  return [from, to]
}

/** @throws ConditionalRefused naming the field */
export function check(asked: PlaceConditional, parts: RuleParts): void {
  const account = parts.custody.account(asked.accountNo)
  if (!account) throw new ConditionalRefused('unknownAccount', 'accountNo')
  const listing = parts.market.listing(asked.symbol)
  const future = listing?.instrument.kind === 'future'
  if (!listing || future !== (account.accountType === 'DERIVATIVE'))
    throw new ConditionalRefused('unknownSymbol', 'symbol')
  if (!Number.isInteger(asked.quantity) || asked.quantity <= 0)
    throw new ConditionalRefused('badQuantity', 'quantity')
  for (const field of REQUIRED[asked.type])
    if (asked[field] === undefined) throw new ConditionalRefused('missingField', field)
  for (const field of POSITIVE) {
    const value = asked[field]
    if (value !== undefined && !(value > 0)) throw new ConditionalRefused('badPrice', field)
  }
  for (const field of NOT_NEGATIVE) {
    const value = asked[field]
    if (value !== undefined && !(value >= 0)) throw new ConditionalRefused('badPrice', field)
  }
  checkWords(asked)
  if (asked.type === 'bullbear' || asked.type === 'oco') checkPair(asked)
  if (asked.type === 'oco') checkPosition(asked, parts)
}

/** MAK only where a leg of an OCO is priced (docs/brokerage-api.md#fields-per-type); limits are numbers. */
function checkWords({ type, price, tpPrice, slPrice }: PlaceConditional): void {
  const isNumber = (value: ConditionalPrice | undefined) => typeof value === 'number'
  if (price === 'MAK') throw new ConditionalRefused('badPrice', 'price')
  if (type === 'stop_limit' && !isNumber(price)) throw new ConditionalRefused('badPrice', 'price')
  if (type === 'bullbear' && tpPrice === 'MAK') throw new ConditionalRefused('badPrice', 'tpPrice')
  if (type === 'bullbear' && slPrice === 'MAK') throw new ConditionalRefused('badPrice', 'slPrice')
}

/** Profit is taken on the one side of the market, loss is stopped on the other. */
function checkPair({ type, side, tpActivePrice = 0, slActivePrice = 0 }: PlaceConditional): void {
  const closing = type === 'oco' ? side : side === 'B' ? 'S' : 'B'
  const apart = closing === 'S' ? tpActivePrice > slActivePrice : tpActivePrice < slActivePrice
  if (!apart) throw new ConditionalRefused('badPrice', 'tpActivePrice')
}

/** An OCO closes what is held (docs/brokerage-api.md#types-of-conditional-orders). */
function checkPosition(
  { accountNo, symbol, side, quantity }: PlaceConditional,
  { position }: RuleParts,
): void {
  const held = position(accountNo, symbol)
  if ((side === 'S' ? held : -held) < quantity) throw new ConditionalRefused('noPosition', 'quantity')
}
