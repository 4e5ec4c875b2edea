import type { Answer } from './sender.js'

type Body = Readonly<Record<string, unknown>>

/** An order that was placed, with what cancels it. */
export interface OpenOrder {
  readonly path: string
  readonly id: string
  readonly body: Body
}

/** Orders that checks placed and that may be open: a run leaves none behind without a word. */
export class OpenOrders {
  private readonly open = new Map<string, OpenOrder>()
  /** Orders whose answer was lost, in words for their owner. */
  readonly lost: string[] = []
  /** Called after every change. */
  onChange: () => void = () => undefined

  /** Orders of an earlier run that was killed. */
  restore(orders: readonly OpenOrder[]): void {
    for (const order of orders) this.open.set(order.id, order)
  }

  see(method: string, path: string, sent: unknown, { status, body }: Answer): void {
    if (status < 200 || status >= 300) return
    const result = (body ?? {}) as Body
    const id = String(result.fcoId ?? result.orderId ?? '')
    if (method === 'POST' && id) {
      const { accountNo } = sent as Body
      const cancel =
        result.fcoId === undefined ? { accountNo, orderId: id, deviceId: 'conformance' } : { fcoId: id }
      this.open.set(id, { path, id, body: cancel })
    } else if (method === 'DELETE') this.open.delete(id || String((sent as Body).orderId ?? ''))
    else return
    this.onChange()
  }

  lose(path: string, sent: unknown): void {
    const { side, quantity, symbol, price, type } = sent as Body
    const kind = path.includes('/fco/') ? `a conditional order (${String(type)})` : 'an order'
    this.lost.push(
      `${kind}, ${String(side)} ${String(quantity)} ${String(symbol)} at ${String(price)}: its answer was lost; look in your order book`,
    )
  }

  cancels(): readonly OpenOrder[] {
    return [...this.open.values()]
  }

  /** What is to be looked for in the order book, in words. */
  left(): string[] {
    return [
      ...[...this.open.values()].map(
        ({ id }) =>
          `${id}: it was placed and its cancel did not succeed: it is open, or has matched; look in your order book`,
      ),
      ...this.lost,
    ]
  }
}
