import type { Accounts } from '../facets.js'
import { queries } from '../queries.js'
import type { ConditionalOrder, Order } from '../wire/order-records.js'
import { differs, effectOnConditional, effectOnOrder, type WriteEffect } from './effect.js'
import { type Lookup, lookUp } from './look-up.js'
import { readMoment } from './moment.js'
import type { CancelTrace, ConditionalTrace, ModifyTrace, PlaceTrace, Unknown } from './outcome.js'
import { readConditionalHistory } from './status-history.js'

/**
 * - `found`: the one order that is meant, and what the write did to it.
 * - `absent`: the whole list was read and counted, and the order is not in it _yet_; one that is still on its way may
 *   appear, so wait and ask again before sending another.
 * - `unknown`: neither is proven. Send nothing again. `candidates`: orders that may be the one.
 *
 * (docs/decisions/0038-absent-only-from-a-counted-book.md)
 */
export type Reconciled<Row> =
  | { readonly kind: 'found'; readonly effect: WriteEffect; readonly order: Row }
  | { readonly kind: 'absent' }
  | Undecided<Row>

export interface Undecided<Row> {
  readonly kind: 'unknown'
  /** Why it is not known, on one line. */
  readonly reason: string
  /** What to do next. */
  readonly hint: string
  readonly candidates: readonly Row[]
}

/** A changed order may have been entered on an earlier day: the longest closure of the exchange, Tet, is shorter. */
const ENTERED_BEFORE_DAYS = 14

/**
 * An order entered this long before the write is another one: an id may be used again on another day, and a wrong
 * time zone in `inputTime` moves it by 7 hours.
 */
const EARLIER_MS = 12 * 3_600_000

/** A conditional order begins when it is placed; a write may wait for its turn and for the service. */
const PLACED_WITHIN_MS = 5 * 60_000

const READ_AGAIN =
  'do not send the write again: ask reconcile again in a moment, or look at the orders of the account'
const CHOOSE = 'do not send the write again: compare the candidates with what you sent'

/**
 * Looks an order up whose placing, change or cancelling got no answer: in the order book, by `clientRequestId`, or by
 * `orderId` if it was identified so.
 *
 * @throws what the facet throws
 */
export async function reconcile(
  accounts: Pick<Accounts, 'get'>,
  lost: Unknown & Readonly<PlaceTrace | ModifyTrace | CancelTrace>,
  signal?: AbortSignal,
): Promise<Reconciled<Order>> {
  const { accountNo, clientRequestId, orderId, sentAt } = lost
  const isChange = 'clientModifyId' in lost || 'clientCancelId' in lost
  const isUnique = isChange ? !clientRequestId : 'isGeneratedId' in lost && lost.isGeneratedId === true
  const lookup = await lookUp(
    accounts,
    {
      endpoint: 'orderBook',
      query: (days) => queries.orderBook({ accountNo, ...days }),
      idOf: (order) => order.orderId,
      isMatch: (order) =>
        isSameId(order.clientRequestId, clientRequestId) || isSameId(order.orderId, orderId),
      isCandidate: (order) => !isChange && !order.clientRequestId?.trim() && isAlikeOrder(order, lost),
      isUnique,
      sentAt,
      enteredBeforeDays: isChange ? ENTERED_BEFORE_DAYS : 0,
    },
    signal,
  )
  const [order, another] = lookup.matches
  if (!order) {
    const unnamed = lookup.candidates.filter(({ inputTime }) => !isEarlier(inputTime, sentAt, lookup))
    return unnamed.length > 0
      ? undecided('the book shows orders alike without clientRequestId', CHOOSE, unnamed)
      : nothingFound(lookup)
  }
  if (another) return undecided(`${lookup.matches.length} orders have this id`, CHOOSE, lookup.matches)
  if (!isChange && !isUnique && isEarlier(order.inputTime, sentAt, lookup))
    return undecided('the order with this clientRequestId was entered before this write', CHOOSE, [order])
  return { kind: 'found', order, effect: effectOnOrder(order, lost) }
}

/**
 * Looks for a conditional order whose placing got no answer. The list shows no `clientRequestId`
 * (docs/brokerage-api.md#fcolist), so orders are compared by account, symbol, side, type and quantity: exactly one
 * alike that begins when the write was sent is `found`; others or several alike are `unknown`, with their names.
 *
 * @throws what the facet throws
 */
export async function reconcileConditional(
  accounts: Pick<Accounts, 'get'>,
  lost: Unknown & Readonly<ConditionalTrace>,
  signal?: AbortSignal,
): Promise<Reconciled<ConditionalOrder>> {
  const { accountNo, symbol, type, quantity, side, sentAt } = lost
  const lookup = await lookUp(
    accounts,
    {
      endpoint: 'fcoList',
      // No other filter: how the service compares is not stated, and an order that it leaves out would be called absent.
      query: (days) => queries.fcoList({ accountNo, ...days }),
      idOf: ({ fcoId }) => fcoId,
      isMatch: (order) =>
        !differs(order.accountNo, accountNo) &&
        !differs(order.symbol, symbol) &&
        !differs(order.type, type) &&
        !differs(order.params?.side, side) &&
        !differs(order.quantity, quantity),
      isCandidate: () => false,
      isUnique: false,
      sentAt,
      enteredBeforeDays: 0,
    },
    signal,
  )
  const [order, another] = lookup.matches
  if (!order) return nothingFound(lookup)
  if (another)
    return undecided(`${lookup.matches.length} conditional orders are alike`, CHOOSE, lookup.matches)
  if (lookup.doubt !== undefined)
    return undecided(`one conditional order is alike, but ${lookup.doubt}`, CHOOSE, [order])
  // `from` is the time of placing unless the request gave another. An equal order of an hour ago is not this one.
  const from = readMoment(order.from)
  const sentAtService = lookup.sentAtService ?? sentAt
  if (from === undefined || Math.abs(from - sentAtService) > PLACED_WITHIN_MS)
    return undecided('the conditional order alike does not begin when this write was sent', CHOOSE, [order])
  return { kind: 'found', order, effect: 'done' }
}

/**
 * Looks at the history of a conditional order whose cancelling got no answer. A history without states proves
 * nothing, so the result is never `absent`.
 *
 * @throws what the facet throws
 */
export async function reconcileConditionalCancel(
  accounts: Pick<Accounts, 'get'>,
  lost: Unknown & { readonly fcoId: string },
  signal?: AbortSignal,
): Promise<
  | { readonly kind: 'found'; readonly effect: WriteEffect; readonly states: readonly string[] }
  | Omit<Undecided<never>, 'candidates'>
> {
  const { states, gap } = await readConditionalHistory(accounts, lost.fcoId, signal)
  const effect = effectOnConditional(states)
  // A final state is final, also where the history could not be read to its end.
  if (gap === undefined || effect === 'done' || effect === 'over')
    if (states.length > 0) return { kind: 'found', effect, states }
  const reason = gap ?? `no state of the conditional order ${lost.fcoId} is shown`
  return { kind: 'unknown', reason, hint: READ_AGAIN }
}

function nothingFound<Row>({ doubt }: Lookup<Row>): { readonly kind: 'absent' } | Undecided<Row> {
  return doubt === undefined ? { kind: 'absent' } : undecided(doubt, READ_AGAIN, [])
}

function undecided<Row>(reason: string, hint: string, candidates: readonly Row[]): Undecided<Row> {
  return { kind: 'unknown', reason, hint, candidates }
}

/** Ids are compared in any case and without spaces around them: a service that writes them so must not hide an order. */
function isSameId(shown: string | null, sent: string | undefined): boolean {
  return Boolean(sent) && shown?.trim().toLowerCase() === sent?.trim().toLowerCase()
}

function isAlikeOrder(order: Order, { symbol, side, quantity }: Partial<PlaceTrace>): boolean {
  return !differs(order.symbol, symbol) && !differs(order.side, side) && !differs(order.quantity, quantity)
}

function isEarlier<Row>(shown: string | null, sentAt: number, { sentAtService }: Lookup<Row>): boolean {
  const instant = readMoment(shown)
  return instant !== undefined && instant < (sentAtService ?? sentAt) - EARLIER_MS
}
