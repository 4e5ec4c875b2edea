import type {
  ConditionalEvent,
  ConditionalOrder,
  ConditionalStatus,
  PlaceConditional,
} from './conditional-order.js'
import { CONDITIONAL_MOVES, hasEnded } from './conditional-states.js'

/** Take-profit or stop-loss of an OCO. */
export type Leg = 'tp' | 'sl'

export interface Child {
  readonly orderId: string
  readonly leg: Leg | undefined
  readonly quantity: number
  filled: number
  over: boolean
}

/** A conditional order as the desk works on it. */
export interface WorkingConditional {
  readonly fcoId: string
  readonly username: string
  readonly enteredAt: number
  readonly request: PlaceConditional
  readonly from: number
  readonly to: number
  readonly parent: string | undefined
  status: ConditionalStatus
  detail: string
  readonly children: Child[]
  readonly history: ConditionalEvent[]
  trailingStop: number | undefined
  /** The user has cancelled it: it ends as soon as its child ends. */
  cancelling: boolean
  /** A leg that is sent when the child of the other leg has been cancelled. */
  nextLeg: Leg | undefined
  /** Stops watching the market. */
  unwatch: (() => void) | undefined
}

/** @param now epoch milliseconds @throws RangeError for a status that cannot follow: a bug of the sandbox */
export function moveTo(
  order: WorkingConditional,
  status: ConditionalStatus,
  now: number,
  detail = '',
  code = 0,
): void {
  if (!CONDITIONAL_MOVES[order.status].includes(status))
    throw new RangeError(`a conditional order does not move from ${order.status} to ${status}`)
  order.status = status
  order.detail = detail
  order.history.push({ state: status, at: now, code, detail })
  if (hasEnded(status)) {
    order.unwatch?.()
    order.unwatch = undefined
  }
}

export function matchedQuantity({ children }: WorkingConditional): number {
  return children.reduce((sum, child) => sum + child.filled, 0)
}

/** The child order that is not over yet. */
export function activeChild({ children }: WorkingConditional): Child | undefined {
  return children.find((child) => !child.over)
}

export function toConditionalOrder(order: WorkingConditional): ConditionalOrder {
  const { request, fcoId, username, enteredAt, from, to, parent, status, detail, trailingStop } = order
  return {
    ...request,

    fcoId,
    username,
    enteredAt,
    from,
    to,
    parent,
    status,
    detail,
    trailingStop,
    matchedQuantity: matchedQuantity(order),
    isPlaceOrder: order.children.length > 0,
    children: order.children.map(({ orderId }) => orderId),
    history: [...order.history],
  }
}
