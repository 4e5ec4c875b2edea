import { ConditionalRefused } from '../../broker/conditional/conditional-order.js'
import { type OrderFault, OrderRefused } from '../../broker/orders/order.js'
import { Refusal } from './refusal.js'

/**
 * Messages of refused orders. The specification has only `400` and `Invalid request`, so
 * the code stays `400` and the message says what was wrong. Reuse of a clientRequestId is HTTP 409
 * (docs/market-facts.md#client-request-ids).
 */
const MESSAGES: Readonly<Record<OrderFault, string>> = {
  unknownAccount: 'Invalid request',
  unknownSymbol: 'Symbol is unknown',
  wrongAccountType: 'Symbol cannot be traded in this account',
  suspended: 'Symbol is suspended',
  belowFloor: 'Price is below the floor',
  aboveCeiling: 'Price is above the ceiling',
  badTick: 'Price is not a multiple of the tick',
  badLot: 'Quantity is not a multiple of the lot',
  oddLot: 'Odd lots take limit orders only',
  badQuantity: 'Quantity is invalid',
  missingPrice: 'Price is required',
  overHolding: 'Quantity is more than can be sold',
  overBuyingPower: 'Order is over the buying power',
  oppositeOrder: 'An opposite order exists',
  typeNotAllowedNow: 'Order type is not allowed in this session',
  typeNotOfBoard: 'Order type is not traded on this board',
  cannotAmend: 'Order cannot be amended',
  cannotCancel: 'Order cannot be cancelled',
  noSuchOrder: 'Order is unknown',
  nothingChanged: 'Nothing was changed',
  contradictsOrder: 'Symbol, side and order type cannot be changed',
  notIdentified: 'clientRequestId or orderId is required',
  priceOrQuantity: 'Price or quantity can be changed, not both',
  clientRequestIdTooLong: 'clientRequestId is longer than 20 characters',
  clientRequestIdUsed: 'clientRequestId was used today',
}

/** Turns refusals of the desks into answers of the service; other errors pass. */
export function answeringRefusals<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof OrderRefused) {
      const status = error.fault === 'clientRequestIdUsed' ? 409 : 400
      throw new Refusal(status, MESSAGES[error.fault])
    }
    if (error instanceof ConditionalRefused) throw new Refusal(400, conditionalMessage(error))
    throw error
  }
}

function conditionalMessage({ fault, field }: ConditionalRefused): string {
  if (fault === 'missingField') return `${field} is required`
  if (fault === 'noPosition') return 'Quantity is more than is held'
  if (fault === 'noSuchOrder') return 'Conditional order is unknown'
  if (fault === 'cannotCancel') return 'Conditional order cannot be cancelled'
  if (fault === 'validityTooLong') return 'Validity is longer than 31 days'
  if (fault === 'unknownAccount') return 'Invalid request'
  return `${field} is invalid`
}
