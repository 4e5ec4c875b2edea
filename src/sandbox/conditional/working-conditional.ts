import type {
  ConditionalEvent,
  ConditionalOrder,
  ConditionalStatus,
  PlaceConditional,
} from './conditional-order.js'

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
export interface LiveConditional {
  readonly fcoId: string
  readonly username: string
  readonly enteredAt: number
  readonly asked: PlaceConditional
  readonly from: number
  readonly to: number
  readonly parent: string | undefined
  status: ConditionalStatus
  detail: string
  readonly children: Child[]
  readonly history: ConditionalEvent[]
  trailingStop: number | undefined
  /** The user wants it gone: what ends its child ends it. */
  cancelling: boolean
  /** A leg that waits until the other one's child is cancelled. */
  next: Leg | undefined
  /** Stops hearing the market. */
  unwatch: (() => void) | undefined
}

export function matchedOf({ children }: LiveConditional): number {
  return children.reduce((sum, child) => sum + child.filled, 0)
}

/** The child order that is still alive. */
export function livingChild({ children }: LiveConditional): Child | undefined {
  return children.find((child) => !child.over)
}

export function asConditional(order: LiveConditional): ConditionalOrder {
  const { asked, fcoId, username, enteredAt, from, to, parent, status, detail, trailingStop } = order
  return {
    ...asked,
    ...{ fcoId, username, enteredAt, from, to, parent, status, detail, trailingStop },
    matchedQuantity: matchedOf(order),
    isPlaceOrder: order.children.length > 0,
    children: order.children.map(({ orderId }) => orderId),
    history: [...order.history],
  }
}
