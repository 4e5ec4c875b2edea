import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { instantOf, isDay } from '../../market/day.js'
import { actionResult, orderEntry } from '../orders/order-answers.js'
import type { Service } from '../service.js'
import { pageOf } from '../wire/paging.js'
import { name, paging } from '../wire/query.js'
import { invalidRequest } from '../wire/refusal.js'
import { answeringRefusals } from '../wire/refused-orders.js'
import { accountOf, document } from './account-routes.js'
import { mount, strings } from './read-route.js'
import { device, mountWrite, priceText, text } from './write-route.js'

/** The order book's default page, "e.g. 20" in the specification. */
const ORDER_BOOK_PAGE = 20

const ENTRY = [
  ...[
    'clientRequestId',
    'orderId',
    'symbol',
    'side',
    'orderType',
    'quantity',
    'price',
    'filledQty',
    'cancelQty',
  ],
  ...['avgPrice', 'inputTime', 'modifiedTime', 'orderStatus', 'message'],
]

const RESULT = strings(['clientRequestId', 'orderId', 'orderStatus', 'clientModifyId', 'clientCancelId'])

const DATE_TIME =
  /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.\d+)?)?)?(Z|[+-]\d{2}:\d{2})?$/

/** ISO 8601, or the slashed forms other clients send; without an offset it is exchange time. */
function readInstant(text: string, bareDay: 'start' | 'end'): number {
  const match = DATE_TIME.exec(text)
  if (!match) throw invalidRequest()
  const [, year, month, date, time, seconds = '0', offset] = match
  const day = `${year}-${month}-${date}`
  if (!isDay(day)) throw invalidRequest()
  if (offset) {
    const at = Date.parse(text)
    if (Number.isNaN(at)) throw invalidRequest()
    return at
  }
  if (time === undefined) return bareDay === 'start' ? instantOf(day) : instantOf(day) + 86_400_000 - 1
  return instantOf(day, time) + Number(seconds) * 1000
}

/** The order book, and the three writes of ordinary orders. */
export function orderRoutes(app: FastifyInstance, service: Service): void {
  orderBook(app, service)
  orderWrites(app, service)
}

function orderBook(app: FastifyInstance, service: Service): void {
  mount(app, service, {
    path: '/api/v3/trading/orderBook',
    summary: 'Orders of an account, newest first',
    query: z.object({
      accountNo: name,
      from: z.string().optional(),
      to: z.string().optional(),
      symbol: name.optional(),
      orderStatus: z
        .string()
        .optional()
        .describe('statuses separated by commas; the specification does not name this parameter'),
      ...paging,
    }),
    answers: z.object({
      data: z.object({ accountNo: z.string(), totalRecord: z.int(), orderList: z.array(strings(ENTRY)) }),
    }),
    handle: (query) => {
      const { accountNo } = accountOf(service, query)
      const from = query.from === undefined ? Number.NEGATIVE_INFINITY : readInstant(query.from, 'start')
      const to = query.to === undefined ? Number.POSITIVE_INFINITY : readInstant(query.to, 'end')
      if (to < from) throw invalidRequest()
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
      return document({
        data: {
          accountNo,
          totalRecord: orders.length,
          orderList: orders.slice(start, start + size).map(orderEntry),
        },
      })
    },
  })
}

function orderWrites(app: FastifyInstance, service: Service): void {
  const path = '/api/v3/trading/order'
  const identification = { accountNo: name, clientRequestId: text, orderId: text }
  mountWrite(app, {
    method: 'POST',
    path,
    summary: 'Place an order',
    body: z.object({
      clientRequestId: text,
      accountNo: name,
      symbol: name,
      side: z.enum(['B', 'S']),
      orderType: z.enum(['LO', 'ATO', 'ATC', 'MP']),
      quantity: z.number(),
      price: priceText,
      ...device,
    }),
    answers: RESULT,
    handle: (body) => {
      accountOf(service, body)
      const { accountNo, symbol, side, orderType, quantity, price, clientRequestId } = body
      const order = { accountNo, symbol, side, orderType, quantity, price, clientRequestId }
      return answeringRefusals(() => actionResult(service.broker().orders.place(order)))
    },
  })
  mountWrite(app, {
    method: 'PUT',
    path,
    summary: 'Change the price or quantity of an order',
    body: z.object({
      ...identification,
      clientModifyId: text,
      symbol: text,
      side: text,
      orderType: text,
      price: priceText,
      quantity: z.number().nullish(),
      ...device,
    }),
    answers: RESULT,
    handle: (body) => {
      accountOf(service, body)
      const { accountNo, clientRequestId, orderId, clientModifyId, price } = body
      const quantity = body.quantity ?? undefined
      const change = { accountNo, clientRequestId, orderId, clientModifyId, price, quantity }
      return answeringRefusals(() => actionResult(service.broker().orders.modify(change)))
    },
  })
  mountWrite(app, {
    method: 'DELETE',
    path,
    summary: 'Cancel an order',
    body: z.object({ ...identification, clientCancelId: text, ...device }),
    answers: RESULT,
    handle: (body) => {
      accountOf(service, body)
      const { accountNo, clientRequestId, orderId, clientCancelId } = body
      return answeringRefusals(() =>
        actionResult(service.broker().orders.cancel({ accountNo, clientRequestId, orderId, clientCancelId })),
      )
    },
  })
}
