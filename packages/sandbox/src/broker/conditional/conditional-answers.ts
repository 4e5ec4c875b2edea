import { writeMoment, writeMomentDayFirst } from '../moment.js'
import type { ConditionalEvent, ConditionalOrder, ConditionalPrice, Operator } from './conditional-order.js'

/** Live deployments answer with the position in this list instead of the word (docs/market-facts.md#conditional-orders). */
const OPERATOR_NUMBERS: readonly Operator[] = [
  'greater_or_equal',
  'lesser_or_equal',
  'greater',
  'lesser',
  'equal',
]

function text(price: ConditionalPrice | undefined): string {
  return price === undefined ? '' : String(price)
}

/** Conditional order (FCO) entry of the specification; live casing varies (docs/market-facts.md#letter-case). */
export function conditionalEntry(order: ConditionalOrder, dialect: 'spec' | 'live'): Record<string, unknown> {
  const { operator, tpPrice, slPrice } = order
  const shownOperator = operator && dialect === 'live' ? OPERATOR_NUMBERS.indexOf(operator) : operator
  const params = {
    stopPrice: order.stopPrice,
    side: order.side,
    activePrice: order.activePrice,
    trailingAmount: order.trailingAmount,
    tpActivePrice: order.tpActivePrice,
    slActivePrice: order.slActivePrice,
    tpPrice: tpPrice === undefined ? undefined : text(tpPrice),
    slPrice: slPrice === undefined ? undefined : text(slPrice),
    tpSlip: order.tpSlip,
    slSlip: order.slSlip,
    operator: shownOperator,
  }
  const [username, isPlaceOrder] =
    dialect === 'live' ? (['Username', 'IsPlaceOrder'] as const) : (['username', 'isPlaceOrder'] as const)
  return {
    fcoId: order.fcoId,
    [username]: order.username,
    accountNo: order.accountNo,
    price: text(order.price),
    priceSlip: text(order.priceSlip ?? 0),
    symbol: order.symbol,
    orderType: typeof order.price === 'number' ? 'LO' : (order.price ?? 'MP'),
    from: writeMoment(order.from),
    to: writeMoment(order.to),
    detail: order.detail,
    quantity: order.quantity,
    matchedQuantity: order.matchedQuantity,
    type: order.type,
    [isPlaceOrder]: order.isPlaceOrder,
    status: order.status,
    params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)),
  }
}

/** FCO status history entry of the specification. */
export function eventEntry(event: ConditionalEvent, dialect: 'spec' | 'live'): Record<string, unknown> {
  const time = dialect === 'live' ? writeMomentDayFirst(event.at) : writeMoment(event.at)
  return { state: event.state, time, code: event.code, detail: event.detail }
}
