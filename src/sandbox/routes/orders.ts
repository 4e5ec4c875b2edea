import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { instantOf, isDay } from '../../market/day.js'
import { conditionalHistory, conditionalOrders } from '../accounts/conditional.js'
import { ORDER } from '../accounts/fields.js'
import { pastOrders } from '../accounts/orders.js'
import type { Service } from '../service.js'
import { pageOf } from '../wire/paging.js'
import { name, paging, slashedDay } from '../wire/query.js'
import { invalidRequest } from '../wire/refusal.js'
import { accountOf, document } from './accounts.js'
import { mount, strings } from './route.js'

/** The order book's default page, "e.g. 20" in the spec. */
const ORDER_BOOK_PAGE = 20

const DATE_TIME =
  /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?)?(Z|[+-]\d{2}:\d{2})?$/

/** ISO 8601, or the slashed forms other clients send; without an offset it is exchange time. */
function readInstant(text: string, bareDay: 'start' | 'end'): number {
  const found = DATE_TIME.exec(text)
  if (!found) throw invalidRequest()
  const [, year, month, date, time, offset] = found
  const day = `${year}-${month}-${date}`
  if (!isDay(day)) throw invalidRequest()
  if (offset) {
    const at = Date.parse(text)
    if (Number.isNaN(at)) throw invalidRequest()
    return at
  }
  return instantOf(day, time ?? (bareDay === 'start' ? '00:00' : '23:59'))
}

/** Order book, conditional orders and their history. */
export function orderReads(app: FastifyInstance, service: Service): void {
  mount(app, service, {
    path: '/api/v3/trading/orderBook',
    summary: 'Orders of an account, newest first',
    query: z.object({
      accountNo: name,
      from: z.string().optional(),
      to: z.string().optional(),
      symbol: name.optional(),
      ...paging,
    }),
    answers: z.object({
      data: z.object({ accountNo: z.string(), totalRecord: z.int(), orderList: z.array(strings(ORDER)) }),
    }),
    handle: (query) => {
      const account = accountOf(query)
      const from = query.from === undefined ? Number.NEGATIVE_INFINITY : readInstant(query.from, 'start')
      const to = query.to === undefined ? Number.POSITIVE_INFINITY : readInstant(query.to, 'end')
      if (to < from) throw invalidRequest()
      const { index, size } = pageOf({ pageSize: ORDER_BOOK_PAGE, ...given(query) }, service.options)
      const orders = pastOrders(service, account).filter(
        ({ enteredAt, entry }) =>
          enteredAt >= from && enteredAt <= to && (query.symbol ?? entry.symbol) === entry.symbol,
      )
      return document({
        data: {
          accountNo: account.accountNo,
          totalRecord: orders.length,
          orderList: orders.slice((index - 1) * size, index * size).map(({ entry }) => entry),
        },
      })
    },
  })
  mount(app, service, {
    path: '/api/v3/trading/fco/list',
    summary: 'Conditional orders of an account',
    query: z.object({
      accountNo: name,
      fcoId: name.optional(),
      type: name.optional(),
      processStatus: z.string().optional().describe('statuses separated by commas'),
      symbol: name.optional(),
      side: z.enum(['B', 'S']).optional(),
      from: slashedDay.optional(),
      to: slashedDay.optional(),
      ...paging,
    }),
    answers: z.object({
      pageIndex: z.string(),
      pageSize: z.string(),
      itemsCount: z.string(),
      pagesCount: z.string(),
      fcoList: z.array(z.unknown()),
    }),
    handle: (query) => {
      const { from, to } = query
      if (from !== undefined && to !== undefined && to < from) throw invalidRequest()
      const { index, size } = pageOf(given(query), service.options)
      const statuses = query.processStatus?.split(',')
      const found = conditionalOrders(service, accountOf(query)).filter((order) => {
        const day = String(order.from).slice(0, 10).replaceAll('/', '-')
        return (
          (query.fcoId ?? order.fcoId) === order.fcoId &&
          (query.type ?? order.type) === order.type &&
          (query.symbol ?? order.symbol) === order.symbol &&
          (query.side ?? order.params.side) === order.params.side &&
          (statuses?.includes(order.status) ?? true) &&
          (from ?? day) <= day &&
          day <= (to ?? day)
        )
      })
      return document({
        pageIndex: String(index),
        pageSize: String(size),
        itemsCount: String(found.length),
        pagesCount: String(Math.ceil(found.length / size)),
        fcoList: found.slice((index - 1) * size, index * size),
      })
    },
  })
  mount(app, service, {
    path: '/api/v3/trading/fco/statusHistory',
    summary: 'States of a conditional order, oldest first',
    query: z.object({ fcoId: name }),
    answers: z.object({ data: z.array(z.unknown()) }),
    handle: ({ fcoId }) => document({ data: conditionalHistory(service, fcoId) }),
  })
}

/** Paging parameters that were sent; absent ones leave the endpoint's own default alone. */
function given({ pageIndex, pageSize }: { pageIndex?: number | undefined; pageSize?: number | undefined }) {
  return {
    ...(pageIndex === undefined ? {} : { pageIndex }),
    ...(pageSize === undefined ? {} : { pageSize }),
  }
}
