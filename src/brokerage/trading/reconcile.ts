import { addDays, dayOf } from '../../market/day.js'
import type { Query } from '../contract.js'
import { decode } from '../decode/decode.js'
import type { RowOf } from '../decode/rows.js'
import type { Accounts } from '../facets.js'
import { queries } from '../queries.js'
import { pages } from '../walk/pages.js'
import type { ConditionalOrder, Order } from '../wire/order-records.js'
import type { ConditionalTrace, OrderTrace, Unknown } from './outcome.js'

/**
 * `found`: read its status and figures. `absent`: the whole list was read and it is not there yet; an order on
 * its way may still appear, so ask again before sending another. `unread`: the list was refused or cut short,
 * nothing is known.
 */
export type Reconciled<Found> =
  | ({ readonly kind: 'found' } & Found)
  | { readonly kind: 'absent' }
  | { readonly kind: 'unread'; readonly reason: string }

/** A changed order may have been entered on an earlier day: the longest closure of the exchange, Tet, is shorter. */
const ENTERED_BEFORE_DAYS = 14

/**
 * Looks an order up whose placing, change or cancelling got no answer: in the order book, by `clientRequestId`, or by
 * `orderId` if it was identified so. The figures of the order show whether a change happened.
 *
 * @throws what the facet throws
 */
export async function reconcile(
  accounts: Pick<Accounts, 'get'>,
  lost: Unknown & Readonly<OrderTrace>,
  signal?: AbortSignal,
): Promise<Reconciled<{ readonly order: Order }>> {
  const { accountNo, clientRequestId, orderId, sentAt } = lost
  const day = dayOf(sentAt)
  // An id may be used again on another day, so a new order is looked for among that day's (and what midnight moved).
  const isNew = !('clientModifyId' in lost || 'clientCancelId' in lost)
  const query = queries.orderBook({
    accountNo,
    from: isNew ? day : addDays(day, -ENTERED_BEFORE_DAYS),
    to: addDays(day, 1),
  })
  const lookup = await searchList(
    accounts,
    'orderBook',
    query,
    (order) => (clientRequestId ? order.clientRequestId === clientRequestId : order.orderId === orderId),
    signal,
  )
  const [order] = lookup.alike
  if (order) return { kind: 'found', order }
  return lookup.reason === undefined ? { kind: 'absent' } : { kind: 'unread', reason: lookup.reason }
}

/**
 * Looks for a conditional order whose placing got no answer. The list shows no `clientRequestId`
 * (docs/brokerage-api.md#fcolist), so what is found is every order alike, older ones included: account, symbol,
 * side, type and quantity.
 *
 * @throws what the facet throws
 */
export async function reconcileConditional(
  accounts: Pick<Accounts, 'get'>,
  lost: Unknown & Readonly<ConditionalTrace>,
  signal?: AbortSignal,
): Promise<Reconciled<{ readonly alike: readonly ConditionalOrder[] }>> {
  const { accountNo, symbol, type, quantity, side } = lost
  const query = queries.fcoList({ accountNo, symbol, type, side })
  const isAlike = (order: ConditionalOrder): boolean =>
    order.symbol === symbol &&
    order.type === type &&
    (order.params?.side ?? side) === side &&
    Number(order.quantity) === quantity
  const { alike: candidates, reason } = await searchList(accounts, 'fcoList', query, isAlike, signal)
  if (candidates.length > 0) return { kind: 'found', alike: candidates }
  return reason === undefined ? { kind: 'absent' } : { kind: 'unread', reason }
}

async function searchList<E extends 'orderBook' | 'fcoList'>(
  accounts: Pick<Accounts, 'get'>,
  endpoint: E,
  query: Query,
  isAlike: (row: RowOf[E]) => boolean,
  signal: AbortSignal | undefined,
): Promise<{ alike: readonly RowOf[E][]; reason: string | undefined }> {
  const matches: RowOf[E][] = []
  let reason: string | undefined
  for await (const page of pages(accounts, endpoint, query, signal ? { signal } : {})) {
    const { rows, faults } = decode(endpoint, page)
    matches.push(...rows.filter(isAlike))
    reason ??= page.end?.reason ?? (faults[0] && `${faults[0].at}: ${faults[0].reason}`)
  }
  return { alike: matches, reason }
}
