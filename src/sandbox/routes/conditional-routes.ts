import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { dayOf, instantOf, isDay } from '../../market/day.js'
import { conditionalEntry, eventEntry } from '../conditional/conditional-answers.js'
import { CONDITIONAL_TYPES, type ConditionalPrice, type Operator } from '../conditional/conditional-order.js'
import type { Service } from '../service.js'
import type { Sessions } from '../signin/sessions.js'
import { pageOf } from '../wire/paging.js'
import { name, paging, slashedDay } from '../wire/query.js'
import { invalidRequest, Refusal } from '../wire/refusal.js'
import { answeringRefusals } from '../wire/refused-orders.js'
import { accountOf, document } from './account-routes.js'
import { mount } from './read-route.js'
import { device, mountWrite, text } from './write-route.js'

const OPERATORS = ['greater_or_equal', 'lesser_or_equal', 'greater', 'lesser', 'equal'] as const

/** A number as text, or a word of the exchange (docs/brokerage-api.md#prices-in-words). */
const price = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .transform((value, context): ConditionalPrice | undefined => {
    if (value === undefined || value === null || value === '') return undefined
    if (value === 'MP' || value === 'MOK' || value === 'MTL' || value === 'MAK') return value
    if (/^\d{1,12}(\.\d{1,6})?$/.test(value)) return Number(value)
    context.issues.push({ code: 'custom', message: 'not a price', input: value })
    return z.NEVER
  })

/** "Also accepted as optional numbers/strings in the body" (docs/brokerage-api.md#fields-per-type). */
const number = z
  .union([z.number(), z.string().regex(/^\d{1,12}(\.\d{1,6})?$/)])
  .nullish()
  .transform((value) => (value === null || value === undefined ? undefined : Number(value)))

const MOMENT = /^(\d{4})\/(\d{2})\/(\d{2}) (\d{2}:\d{2}):(\d{2})$/

/** `YYYY/MM/DD hh:mm:ss`, exchange time. */
const moment = z
  .string()
  .nullish()
  .transform((value, context): number | undefined => {
    if (!value) return undefined
    const [, year, month, date, time, seconds] = MOMENT.exec(value) ?? []
    const day = `${year}-${month}-${date}`
    const at = isDay(day) ? instantOf(day, time) + Number(seconds) * 1000 : Number.NaN
    if (!Number.isNaN(at)) return at
    context.issues.push({ code: 'custom', message: 'not a date-time', input: value })
    return z.NEVER
  })

const place = z.object({
  accountNo: name,
  deviceId: z.string().min(1),
  symbol: name,
  side: z.enum(['B', 'S']),
  type: z.enum(CONDITIONAL_TYPES),
  quantity: z.int(),
  price,
  priceSlip: number,
  from: moment,
  to: moment,
  code: text,
  userAgent: device.userAgent,
  ipAddress: device.ipAddress,
  clientRequestId: text,
  stopPrice: number,
  activePrice: number,
  trailingAmount: number,
  tpActivePrice: number,
  slActivePrice: number,
  tpPrice: price,
  slPrice: price,
  tpSlip: number,
  slSlip: number,
  operator: z
    .enum(OPERATORS)
    .nullish()
    .transform((value): Operator | undefined => value ?? undefined),
})

const answer = z.object({ fcoId: z.string() })

/** Conditional orders: list, history, placing and cancelling. */
export function conditionalRoutes(app: FastifyInstance, service: Service, sessions: Sessions): void {
  reads(app, service)
  /** "Needed when the token was not verified with an OTP" (docs/brokerage-api.md#place-a-conditional-order). */
  const allow = (verified: boolean, code: string | undefined): void => {
    if (!verified && !(code && sessions.verifyCode(code))) throw new Refusal(403, 'code is required')
  }
  const path = '/api/v3/trading/fco/order'
  mountWrite(app, {
    method: 'POST',
    path,
    summary: 'Place a conditional order',
    body: place,
    answers: answer,
    handle: ({ code, deviceId: _, userAgent: __, ipAddress: ___, ...order }, verified) => {
      allow(verified, code)
      accountOf(service, order)
      return answeringRefusals(() => ({ fcoId: service.broker().conditionals.place(order).fcoId }))
    },
  })
  mountWrite(app, {
    method: 'DELETE',
    path,
    summary: 'Cancel a conditional order',
    body: z.object({ fcoId: z.string().min(1), code: text, ...device }),
    answers: answer,
    handle: ({ fcoId, code }, verified) => {
      allow(verified, code)
      return answeringRefusals(() => ({ fcoId: service.broker().conditionals.cancel(fcoId).fcoId }))
    },
  })
}

function reads(app: FastifyInstance, service: Service): void {
  const { dialect } = service
  mount(app, service, {
    path: '/api/v3/trading/fco/list',
    summary: 'Conditional orders of an account, newest first',
    query: z.object({
      accountNo: name,
      fcoId: name.optional(),
      type: z.enum(CONDITIONAL_TYPES).optional(),
      processStatus: z.string().optional().describe('statuses separated by commas'),
      symbol: name.optional(),
      side: z.enum(['B', 'S']).optional(),
      from: slashedDay.optional().describe('placed on that day or later'),
      to: slashedDay.optional().describe('placed on that day or earlier'),
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
      const { index, size } = pageOf(query, service)
      const statuses = query.processStatus?.split(',')
      const { accountNo } = accountOf(service, query)
      const matches = service
        .broker()
        .conditionals.ofAccount(accountNo)
        .filter((order) => {
          const day = dayOf(order.enteredAt)
          return (
            (query.fcoId ?? order.fcoId) === order.fcoId &&
            (query.type ?? order.type) === order.type &&
            (query.symbol ?? order.symbol) === order.symbol &&
            (query.side ?? order.side) === order.side &&
            (statuses?.includes(order.status) ?? true) &&
            (from ?? day) <= day &&
            day <= (to ?? day)
          )
        })
      return document({
        pageIndex: String(index),
        pageSize: String(size),
        itemsCount: String(matches.length),
        pagesCount: String(Math.ceil(matches.length / size)),
        fcoList: matches
          .slice((index - 1) * size, index * size)
          .map((order) => conditionalEntry(order, dialect.name)),
      })
    },
  })
  mount(app, service, {
    path: '/api/v3/trading/fco/statusHistory',
    summary: 'States of a conditional order, oldest first',
    query: z.object({ fcoId: name }),
    answers: z.object({ data: z.array(z.unknown()) }),
    handle: ({ fcoId }) => {
      const history = service.broker().conditionals.find(fcoId)?.history ?? []
      return document({ data: history.map((event) => eventEntry(event, dialect.name)) })
    },
  })
}
