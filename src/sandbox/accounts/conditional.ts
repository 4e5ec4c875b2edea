import type { Service } from '../service.js'
import { ACCOUNTS, type Account, holdings, priceOf } from './holdings.js'

export interface ConditionalOrder {
  fcoId: string
  accountNo: string
  symbol: string
  type: string
  status: string
  params: Record<string, string | number>
  [field: string]: unknown
}

/** Two conditional orders of each equity account: one waiting, one that has ended. */
export function conditionalOrders(service: Service, { accountNo, accountType }: Account): ConditionalOrder[] {
  const { world, clock } = service
  const today = (world.time.days[clock.lastTraded()] ?? '').replaceAll('-', '/')
  const earlier = (world.time.days[clock.lastTraded() - 3] ?? '').replaceAll('-', '/')
  return holdings(service, accountType)
    .slice(0, 2)
    .map(({ symbol }, i) => {
      const price = priceOf(service, symbol)
      const ended = i === 1
      const from = ended ? earlier : today
      return {
        fcoId: `FCO${accountNo}${i + 1}`,
        username: 'sandbox',
        accountNo,
        price: ended ? String(price) : 'MP',
        priceSlip: '0',
        symbol,
        orderType: 'LO',
        from: `${from} 09:00:00`,
        to: `${today} 15:00:00`,
        detail: '',
        quantity: 100,
        matchedQuantity: ended ? 100 : 0,
        type: ended ? 'stop_limit' : 'stop',
        isPlaceOrder: ended,
        status: ended ? 'FIS' : 'WAIT',
        params: { stopPrice: Math.round(price * 0.95), side: 'S', operator: 'lesser_or_equal' },
      }
    })
}

/** States of a conditional order, oldest first. */
export function conditionalHistory(service: Service, fcoId: string) {
  const order = ACCOUNTS.flatMap((account) => conditionalOrders(service, account)).find(
    (one) => one.fcoId === fcoId,
  )
  if (!order) return []
  const from = String(order.from)
  const steps = order.status === 'FIS' ? ['INIT', 'WAIT', 'TRI', 'TRIT', 'FIS'] : ['INIT', 'WAIT']
  return steps.map((state, i) => ({
    state,
    time: `${from.slice(0, 10)} 09:0${i}:00`,
    code: 0,
    detail: '',
  }))
}
