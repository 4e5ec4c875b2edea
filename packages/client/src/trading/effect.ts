import type { Order } from '../wire/order-records.js'
import type { CancelTrace, ModifyTrace, PlaceTrace } from './outcome.js'

/**
 * What the order book shows of a write whose answer was lost.
 *
 * - `done`: the order exists, shows the new price and quantity, or has no open quantity left.
 * - `pending`: the service works on it (`WM`, `WC`).
 * - `unseen`: the order is open and as it was before; the write may still arrive.
 * - `over`: the order ended without it (filled, rejected, expired), which no late write can change.
 */
export type WriteEffect = 'done' | 'pending' | 'unseen' | 'over'

/** docs/market-facts.md#order-statuses */
const FINAL: ReadonlySet<string> = new Set(['FF', 'FFPC', 'CL', 'RJ', 'EX'])

export function effectOnOrder(
  order: Order,
  lost: Readonly<PlaceTrace | ModifyTrace | CancelTrace>,
): WriteEffect {
  const status = order.orderStatus?.trim().toUpperCase() ?? ''
  if ('clientCancelId' in lost) {
    if (status === 'CL' || status === 'FFPC') return 'done'
    if (FINAL.has(status)) return 'over'
    return status === 'WC' ? 'pending' : 'unseen'
  }
  if (!('clientModifyId' in lost)) return 'done'
  // The old figures stay while the exchange decides; some services show the new ones at once.
  if (status === 'WM') return 'pending'
  const { price, quantity } = lost
  const isPriced = price === undefined || isSame(order.price, price)
  const isCounted = quantity === undefined || isSame(order.quantity, quantity)
  if ((price !== undefined || quantity !== undefined) && isPriced && isCounted) return 'done'
  return FINAL.has(status) ? 'over' : 'unseen'
}

/** States of a conditional order's history → what a lost cancel did (docs/market-facts.md#conditional-order-statuses). */
export function effectOnConditional(states: readonly (string | null)[]): WriteEffect {
  const seen = new Set(states.map((state) => state?.trim().toUpperCase()))
  if (seen.has('TER')) return 'done'
  if (seen.has('FIS') || seen.has('EXP') || seen.has('ERR')) return 'over'
  return seen.has('WC') ? 'pending' : 'unseen'
}

/** Whether a shown value is certainly not the one sent; a value that is absent or cannot be read may be any. */
export function differs(shown: string | null | undefined, sent: string | number | undefined): boolean {
  if (!shown?.trim() || sent === undefined) return false
  if (typeof sent === 'number' && numberOf(shown) === undefined) return false
  return !isSame(shown, sent)
}

/** Equal as numbers where both are, else as words in any case. */
function isSame(shown: string | null, sent: string | number): boolean {
  const number = numberOf(shown)
  if (number !== undefined && number === numberOf(String(sent))) return true
  return shown?.trim().toUpperCase() === String(sent).trim().toUpperCase()
}

/** Plain decimals, and commas as thousands separators (docs/market-facts.md#numbers-and-nulls). */
function numberOf(text: string | null): number | undefined {
  const plain = text?.trim().replaceAll(',', '') ?? ''
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined
}
