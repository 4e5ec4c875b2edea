import { dayOf } from 'candlehouse-foundation/market/day'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { conditionalEntry, eventEntry } from '../../broker/conditional/conditional-answers.js'
import {
  CONDITIONAL_TYPES,
  type ConditionalOrder,
  type ConditionalPrice,
  ConditionalRefused,
  type Operator,
} from '../../broker/conditional/conditional-order.js'
import { readMoment } from '../../broker/moment.js'
import type { Service } from '../service.js'
import type { Sessions } from '../signin/sessions.js'
import type { Dialect } from '../wire/answer-dialect.js'
import { pageOf } from '../wire/paging.js'
import { accountNo, name, paging, slashedDay, symbol as symbolName } from '../wire/query.js'
import { invalidRequest, Refusal } from '../wire/refusal.js'
import { answeringRefusals } from '../wire/refused-orders.js'
import { accountOf, document } from './account-routes.js'
import { documentedConditional } from './documented-conditional.js'
import { mount } from './read-route.js'
import { device, mountWrite, text } from './write-route.js'

const OPERATORS = ['greater_or_equal', 'lesser_or_equal', 'greater', 'lesser', 'equal'] as const

const PRICE_TEXT = /^(|MP|MOK|MTL|MAK|\d{1,12}(\.\d{1,6})?)$/

const WORDS = ['MP', 'MOK', 'MTL', 'MAK'] as const
/** As many digits as a price as text can have. */
const MOST = 999_999_999_999

function isWord(value: string | number): value is (typeof WORDS)[number] {
  return (WORDS as readonly (string | number)[]).includes(value)
}

/** A number as text, or a word of the exchange (docs/brokerage-api.md#prices-in-words). */
const price = z
  .union([z.string().regex(PRICE_TEXT), z.number().min(0).max(MOST)])
  .nullish()
  .transform((value): ConditionalPrice | undefined => {
    if (value === undefined || value === null || value === '') return undefined
    return isWord(value) ? value : Number(value)
  })

/** "Also accepted as optional numbers/strings in the body" (docs/brokerage-api.md#fields-per-type). */
const number = z
  .union([z.number(), z.string().regex(/^\d{1,12}(\.\d{1,6})?$/)])
  .nullish()
  .transform((value) => (value === null || value === undefined ? undefined : Number(value)))

const MOMENT_FORM = 'expected YYYY/MM/DD hh:mm:ss, a time that exists'

/** `YYYY/MM/DD hh:mm:ss`, exchange time. */
const moment = z
  .string()
  .regex(/^(\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}:\d{2})?$/, { error: MOMENT_FORM })
  .nullish()
  .transform((value, context): number | undefined => {
    if (!value) return undefined
    const read = readMoment(value)
    if (read) return read.instant
    context.issues.push({ code: 'custom', message: MOMENT_FORM, input: value })
    return z.NEVER
  })

const place = z.object({
  accountNo,
  deviceId: z.string().min(1),
  symbol: symbolName,
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
const answer = z.object({ fcoId: z.string() }).meta({ title: 'ConditionalOrderResult' })

/** Conditional order (FCO) entry of the specification, or as live deployments write it (docs/market-facts.md#conditional-orders). */
function listedIn({ name }: Dialect) {
  const live = name === 'live'
  const texts = ['fcoId', live ? 'Username' : 'username', 'accountNo', 'price', 'priceSlip', 'symbol']
  return z
    .object({
      ...Object.fromEntries(
        [...texts, 'orderType', 'from', 'to', 'detail'].map((field) => [field, z.string()]),
      ),
      quantity: z.number(),
      matchedQuantity: z.number(),
      type: z.enum(CONDITIONAL_TYPES),
      [live ? 'IsPlaceOrder' : 'isPlaceOrder']: z.boolean(),
      status: z.string(),
      params: z
        .object({
          stopPrice: z.number().optional(),
          side: z.enum(['B', 'S']),
          activePrice: z.number().optional(),
          trailingAmount: z.number().optional(),
          tpActivePrice: z.number().optional(),
          slActivePrice: z.number().optional(),
          tpPrice: z.string().optional(),
          slPrice: z.string().optional(),
          tpSlip: z.number().optional(),
          slSlip: z.number().optional(),
          operator: (live
            ? z
                .int()
                .min(0)
                .max(OPERATORS.length - 1)
            : z.enum(OPERATORS)
          ).optional(),
        })
        .meta({ title: 'ConditionalOrderParams' }),
    })
    .meta({ title: 'ConditionalOrder' })
}

/** Conditional orders: list, history, placing and cancelling. */
export function conditionalRoutes(app: FastifyInstance, service: Service, sessions: Sessions): void {
  reads(app, service)
  /** "Needed when the token was not verified with an OTP" (docs/brokerage-api.md#place-a-conditional-order). */
  const allow = (verified: boolean, code: string | undefined): void => {
    if (!verified && !(code && sessions.verifyCode(code)))
      throw new Refusal(403, 'code is required', {
        problem: 'body code: expected an OTP or the PIN, since the token was not verified with an OTP',
      })
  }
  const path = '/api/v3/trading/fco/order'
  mountWrite(app, {
    method: 'POST',
    path,
    operationId: 'placeConditionalOrder',
    summary: 'Place a conditional order',
    body: place,
    documentedBody: documentedConditional(place),
    answers: answer,
    handle: ({ code, deviceId: _, userAgent: __, ipAddress: ___, ...order }, bearer) => {
      allow(bearer.verified, code)
      accountOf(service, order, bearer.clientId)
      return answeringRefusals(() => ({ fcoId: service.broker().conditionals.place(order).fcoId }))
    },
  })
  mountWrite(app, {
    method: 'DELETE',
    path,
    operationId: 'cancelConditionalOrder',
    summary: 'Cancel a conditional order',
    body: z
      .object({ fcoId: z.string().min(1), code: text, ...device })
      .meta({ title: 'ConditionalOrderCancel' }),
    answers: answer,
    handle: ({ fcoId, code }, { verified, clientId }) => {
      allow(verified, code)
      return answeringRefusals(() => {
        if (!conditionalOf(service, fcoId, clientId)) throw new ConditionalRefused('noSuchOrder', 'fcoId')
        return { fcoId: service.broker().conditionals.cancel(fcoId).fcoId }
      })
    },
  })
}

/** A conditional order of the key's accounts; those of other clients are unknown to it. */
function conditionalOf(service: Service, fcoId: string, clientId: string): ConditionalOrder | undefined {
  const { conditionals, ledger } = service.broker()
  const order = conditionals.find(fcoId)
  return order && ledger.account(order.accountNo)?.clientId === clientId ? order : undefined
}

function reads(app: FastifyInstance, service: Service): void {
  const { dialect } = service
  mount(app, service, {
    path: '/api/v3/trading/fco/list',
    operationId: 'fcoList',
    summary: 'Conditional orders of an account, newest first',
    query: z.object({
      accountNo,
      fcoId: name.optional(),
      type: z.enum(CONDITIONAL_TYPES).optional(),
      processStatus: z.string().optional().describe('statuses separated by commas'),
      symbol: symbolName.optional(),
      side: z.enum(['B', 'S']).optional(),
      from: slashedDay.optional().describe('placed on that day or later'),
      to: slashedDay.optional().describe('placed on that day or earlier'),
      ...paging,
    }),
    answers: z
      .object({
        pageIndex: z.string(),
        pageSize: z.string(),
        itemsCount: z.string(),
        pagesCount: z.string(),
        fcoList: z.array(listedIn(dialect)),
      })
      .meta({ title: 'ConditionalOrderPage' }),
    lists: true,
    handle: (query, client) => {
      const { from, to } = query
      if (from !== undefined && to !== undefined && to < from)
        throw invalidRequest('query to: is before from')
      const { index, size } = pageOf(query, service)
      const statuses = query.processStatus?.split(',')
      const { accountNo } = accountOf(service, query, client)
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
      const page = matches.slice((index - 1) * size, index * size)
      const envelope = {
        pageIndex: String(index),
        pageSize: String(size),
        itemsCount: String(matches.length),
        pagesCount: String(Math.ceil(matches.length / size)),
        fcoList: page.map((order) => conditionalEntry(order, dialect.name)),
      }
      return document(envelope, page.length === 0)
    },
  })
  statusHistory(app, service)
}

function statusHistory(app: FastifyInstance, service: Service): void {
  mount(app, service, {
    path: '/api/v3/trading/fco/statusHistory',
    operationId: 'fcoStatusHistory',
    summary: 'States of a conditional order, oldest first',
    query: z.object({ fcoId: name }),
    answers: z
      .object({
        data: z.array(
          z
            .object({ state: z.string(), time: z.string(), code: z.int(), detail: z.string() })
            .meta({ title: 'ConditionalOrderEvent' }),
        ),
      })
      .meta({ title: 'ConditionalOrderHistory' }),
    handle: ({ fcoId }, client) => {
      const order = conditionalOf(service, fcoId, client)
      if (!order) throw invalidRequest('query fcoId: is not a conditional order of this key')
      return document({ data: order.history.map((event) => eventEntry(event, service.dialect.name)) })
    },
  })
}
