import { parseDecimal } from '../../src/values.js'
import { type Said, type Seen, withLogin } from './service.js'
import { CONDITIONAL, ORDER, SMALLEST, type TradingStage, tradingStage } from './trading.js'

/** The instant the fake clock stands at, by the service's own clock. */
export const DATE = 'Thu, 02 Jan 2025 10:00:00 GMT'

export const entry = (clientRequestId: string, orderId: string, changes: object = {}) => ({
  clientRequestId,
  orderId,
  symbol: 'FPT',
  side: 'B',
  orderType: 'LO',
  quantity: '100',
  price: parseDecimal('150000'),
  filledQty: '0',
  cancelQty: '0',
  avgPrice: '0',
  inputTime: '2025/01/02 17:00:00',
  modifiedTime: '',
  orderStatus: 'QU',
  message: '',
  ...changes,
})

export const book = (orders: readonly unknown[], totalRecord: number | undefined = orders.length): Said => ({
  body: { data: { accountNo: SMALLEST.accountNo, totalRecord, orderList: orders } },
})

/** A book that answers each page by itself, from orders that are in it for the days asked. */
export const paged =
  (orders: readonly object[], isShown: (request: Seen, order: object) => boolean = () => true) =>
  (request: Seen): Said => {
    const shown = orders.filter((order) => isShown(request, order))
    const size = Number(request.query.pageSize)
    const start = (Number(request.query.pageIndex) - 1) * size
    return book(shown.slice(start, start + size), shown.length)
  }

/** Writes are lost; `read` answers the rest, with a `Date` unless it says otherwise. */
export const losing = (
  read: (request: Seen, nth: number) => Said,
  act: (stage: TradingStage) => Promise<void>,
  date: string | undefined = DATE,
) =>
  tradingStage(
    withLogin((request, nth) => {
      if (request.path === ORDER || request.path === CONDITIONAL) return { reset: true }
      const said = read(request, nth)
      return date === '' ? said : { ...said, headers: { date, ...said.headers } }
    }),
    act,
  )

export async function lostOrder({ client }: TradingStage, clientRequestId?: string) {
  const lost = await client.trading.placeOrder(
    clientRequestId === undefined ? SMALLEST : { ...SMALLEST, clientRequestId },
  )
  if (lost.kind !== 'unknown') throw new Error(lost.kind)
  return lost
}

export const days = (stage: TradingStage) =>
  stage.service.asked('/orderBook').map(({ query: { from, to, pageIndex } }) => ({ from, to, pageIndex }))
