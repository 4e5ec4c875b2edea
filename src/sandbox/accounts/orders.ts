import { instantOf } from '../../market/day.js'
import type { Service } from '../service.js'
import { mix } from '../world/hash.js'
import type { ORDER } from './fields.js'
import { type Account, frontContract, holdings, priceOf } from './holdings.js'

export interface Order {
  /** Epoch milliseconds. */
  enteredAt: number
  entry: Record<string, string>
}

/** Sessions back over which the seeded accounts placed their orders. */
const SESSIONS = 6

const STATUSES = ['FF', 'FF', 'CL', 'EX', 'FFPC'] as const

/** Past orders of an account, newest first: two a session, all of them ended. */
export function pastOrders(service: Service, { accountNo, accountType }: Account): Order[] {
  const { world, clock } = service
  const last = clock.lastTraded()
  const front = frontContract(service)
  const symbols =
    accountType === 'DERIVATIVE'
      ? front
        ? [front.symbol]
        : []
      : holdings(service, accountType).map(({ symbol }) => symbol)
  const orders: Order[] = []
  for (let session = last; session > last - SESSIONS; session--) {
    for (let n = 2; n >= 1; n--) {
      const draw = mix(session, Number(accountNo), n)
      const symbol = symbols[draw % symbols.length]
      const instrument = symbol === undefined ? undefined : world.find(symbol)
      const day = world.time.days[session]
      if (!instrument || !day) continue
      const price = world.daily(instrument, session).close
      const quantity = accountType === 'DERIVATIVE' ? 1 + (draw % 3) : 100 * (1 + (draw % 9))
      const status = STATUSES[draw % STATUSES.length] ?? 'FF'
      const filledQty =
        status === 'FF' ? quantity : status === 'FFPC' ? Math.max(1, Math.floor(quantity / 2)) : 0
      const time = n === 2 ? '14:05' : '09:35'
      const text = (at: string) => `${day.replaceAll('-', '/')} ${at}:00`
      orders.push({
        enteredAt: instantOf(day, time),
        entry: Object.fromEntries(
          Object.entries({
            clientRequestId: `SEED${session}${n}`,
            orderId: `${day.replaceAll('-', '')}${accountNo.slice(-1)}${String(n).padStart(6, '0')}`,
            symbol: instrument.symbol,
            side: draw % 2 === 0 ? 'B' : 'S',
            orderType: 'LO',
            quantity,
            price,
            filledQty,
            cancelQty: status === 'CL' || status === 'FFPC' ? quantity - filledQty : 0,
            avgPrice: filledQty > 0 ? price : 0,
            inputTime: text(time),
            modifiedTime: text(n === 2 ? '14:20' : '09:50'),
            orderStatus: status,
            message: '',
          } satisfies Record<(typeof ORDER)[number], string | number>).map(([key, value]) => [
            key,
            String(value),
          ]),
        ),
      })
    }
  }
  return orders
}

/** What the account could buy of a symbol at a price with its cash, and sell of what it holds. */
export function maxBuySell(service: Service, account: Account, symbol: string, price: number, cash: number) {
  const held = holdings(service, account.accountType).find((one) => one.symbol === symbol)
  const lot = account.accountType === 'DERIVATIVE' ? 1 : 100
  const unitCost = account.accountType === 'DERIVATIVE' ? price * 100_000 * 0.17 : price
  return {
    data: {
      accountNo: account.accountNo,
      maxBuyQty: priceOf(service, symbol) > 0 ? Math.floor(cash / unitCost / lot) * lot : 0,
      marginRatio: '0',
      maxSellQty: held?.quantity ?? 0,
      purchasingPower: cash,
    },
  }
}
