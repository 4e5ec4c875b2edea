import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { readMoment } from '../../broker/moment.js'
import { ORDER_TYPES } from '../../broker/orders/order.js'
import { actionResult, orderEntry } from '../../broker/orders/order-answers.js'
import type { Service } from '../service.js'
import { pageOf } from '../wire/paging.js'
import { accountNo, paging, symbol as symbolName } from '../wire/query.js'
import { invalidRequest } from '../wire/refusal.js'
import { answeringRefusals } from '../wire/refused-orders.js'
import { accountOf, document } from './account-routes.js'
import { mount, strings } from './read-route.js'
import { device, mountWrite, priceText, text } from './write-route.js'

/** The order book's default page, "e.g. 20" in the specification. */
const ORDER_BOOK_PAGE = 20

const ENTRY = [
  'clientRequestId',
  'orderId',
  'symbol',
  'side',
  'orderType',
  'quantity',
  'price',
  'filledQty',
  'cancelQty',

  'avgPrice',
  'inputTime',
  'modifiedTime',
  'orderStatus',
  'message',
]

const RESULT = strings('OrderResult', [
  'clientRequestId',
  'orderId',
  'orderStatus',
  'clientModifyId',
  'clientCancelId',
])

/** ISO 8601 as the specification has it, or the slashed forms other clients send; without an offset exchange time. */
function readBound(name: 'from' | 'to', text: string): number {
  const read = readMoment(text)
  if (!read)
    throw invalidRequest(
      `query ${name}: expected a date-time that exists, like 2025-11-20T09:30:00+07:00, or a day`,
    )
  return name === 'to' && read.second === undefined ? read.instant + 86_400_000 - 1 : read.instant
}

/** The order book, and the three writes of ordinary orders. */
export function orderRoutes(app: FastifyInstance, service: Service): void {
  orderBook(app, service)
  orderWrites(app, service)
}

function orderBook(app: FastifyInstance, service: Service): void {
  mount(app, service, {
    path: '/api/v3/trading/orderBook',
    operationId: 'orderBook',
    summary: 'Orders of an account, newest first',
    query: z.object({
      accountNo,
      from: z.string().optional(),
      to: z.string().optional(),
      symbol: symbolName.optional(),
      orderStatus: z
        .string()
        .optional()
        .describe('statuses separated by commas; the specification does not name this parameter'),
      ...paging,
    }),
    answers: z
      .object({
        data: z.object({
          accountNo: z.string(),
          totalRecord: z.int(),
          orderList: z.array(strings('Order', ENTRY)),
        }),
      })
      .meta({ title: 'OrderBook' }),
    lists: true,
    handle: (query, client) => {
      const { accountNo } = accountOf(service, query, client)
      const from = query.from === undefined ? Number.NEGATIVE_INFINITY : readBound('from', query.from)
      const to = query.to === undefined ? Number.POSITIVE_INFINITY : readBound('to', query.to)
      if (to < from) throw invalidRequest('query to: is before from')
      const { pageIndex, pageSize = ORDER_BOOK_PAGE } = query
      const { index, size } = pageOf({ pageIndex, pageSize }, service)
      const statuses = query.orderStatus?.split(',')
      const orders = service
        .broker()
        .orders.ofAccount(accountNo)
        .filter(
          (order) =>
            order.enteredAt >= from &&
            order.enteredAt <= to &&
            (query.symbol ?? order.symbol) === order.symbol &&
            (statuses?.includes(order.status) ?? true),
        )
      // Live paging is unreliable (docs/market-facts.md#order-book-paging): a page begins with the last row of
      // the one before.
      const overlap = service.dialect.ordersOverlap && index > 1 ? index - 1 : 0
      const start = (index - 1) * size - overlap
      const orderList = orders.slice(start, start + size).map(orderEntry)
      return document({ data: { accountNo, totalRecord: orders.length, orderList } }, orderList.length === 0)
    },
  })
}

function orderWrites(app: FastifyInstance, service: Service): void {
  const path = '/api/v3/trading/order'
  const identification = { accountNo, clientRequestId: text, orderId: text }
  mountWrite(app, {
    method: 'POST',
    path,
    operationId: 'placeOrder',
    summary: 'Place an order',
    body: z
      .object({
        clientRequestId: text,
        accountNo,
        symbol: symbolName,
        side: z.enum(['B', 'S']),
        orderType: z.enum(ORDER_TYPES),
        quantity: z.number(),
        price: priceText,
        ...device,
      })
      .meta({ title: 'NewOrder' }),
    answers: RESULT,
    handle: (body, { clientId }) => {
      accountOf(service, body, clientId)
      const { accountNo, symbol, side, orderType, quantity, price, clientRequestId } = body
      const order = { accountNo, symbol, side, orderType, quantity, price, clientRequestId }
      return answeringRefusals(() => actionResult(service.broker().orders.place(order)))
    },
  })
  mountWrite(app, {
    method: 'PUT',
    path,
    operationId: 'changeOrder',
    summary: 'Change the price or quantity of an order',
    body: z
      .object({
        ...identification,
        clientModifyId: text,
        symbol: text,
        side: text,
        orderType: text,
        price: priceText,
        quantity: z.number().nullish(),
        ...device,
      })
      .meta({ title: 'OrderChange' }),
    answers: RESULT,
    handle: (body, { clientId }) => {
      accountOf(service, body, clientId)
      const { quantity, deviceId: _, userAgent: __, ipAddress: ___, ...change } = body
      return answeringRefusals(() =>
        actionResult(service.broker().orders.modify({ ...change, quantity: quantity ?? undefined })),
      )
    },
  })
  mountWrite(app, {
    method: 'DELETE',
    path,
    operationId: 'cancelOrder',
    summary: 'Cancel an order',
    body: z.object({ ...identification, clientCancelId: text, ...device }).meta({ title: 'OrderCancel' }),
    answers: RESULT,
    handle: (body, { clientId }) => {
      accountOf(service, body, clientId)
      const { accountNo, clientRequestId, orderId, clientCancelId } = body
      return answeringRefusals(() =>
        actionResult(service.broker().orders.cancel({ accountNo, clientRequestId, orderId, clientCancelId })),
      )
    },
  })
}
