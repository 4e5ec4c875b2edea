import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import {
  BALANCE_DERIVATIVE,
  BALANCE_EQUITY,
  DERIVATIVE_POSITION,
  EQUITY_POSITION,
  MARGIN_DERIVATIVE,
  MARGIN_EQUITY,
} from '../../broker/ledger/answer-fields.js'
import { balance, type Sides } from '../../broker/ledger/balance.js'
import type { Account } from '../../broker/ledger/custody-view.js'
import { margin } from '../../broker/ledger/margin.js'
import { maxBuySell } from '../../broker/ledger/max-buy-sell.js'
import { positions } from '../../broker/ledger/positions.js'
import type { Service } from '../service.js'
import { accountNo, name, symbol as symbolName } from '../wire/query.js'
import { invalidRequest } from '../wire/refusal.js'
import { type Answer, mount, strings } from './read-route.js'

const ofAccount = { accountNo, clientId: name.optional() }

/** The account asked for: one of the client `ofKey`, and its client identifier, when given, the one inside its number. */
export function accountOf(
  service: Service,
  { accountNo, clientId }: { accountNo: string; clientId?: string | undefined },
  ofKey: string,
): Account {
  const account = service.broker().ledger.account(accountNo)
  if (account?.clientId !== ofKey)
    throw invalidRequest('accountNo: is not an account of this key; GET /api/v3/account/info lists them')
  if (clientId !== undefined && clientId !== ofKey)
    throw invalidRequest('clientId: expected the six digits after the prefix of accountNo')
  return account
}

/** @param empty whether it is a list without records */
export const document = (value: unknown, empty = false): Answer => ({ empty, body: JSON.stringify(value) })

/** A field name as this deployment abbreviates the broker and the depository (docs/market-facts.md#field-suffixes). */
function suffixed(field: string, { options }: Service): string {
  const { fieldSuffixes } = options
  if (!fieldSuffixes) return field
  const { broker, depository } = fieldSuffixes
  return field
    .replace(/(?<=_)broker$/, broker.toLowerCase())
    .replace(/(?<!_)broker$/i, broker)
    .replace(/Depository$/, depository)
}

function sidesOf({ equity, derivative }: Sides, service: Service): Answer {
  if (!service.options.fieldSuffixes) return document({ equity, derivative })
  const named = (side: Record<string, string>) =>
    Object.fromEntries(Object.entries(side).map(([field, value]) => [suffixed(field, service), value]))
  return document({ equity: named(equity), derivative: named(derivative) })
}

/** Both sides of an answer about money. */
function sides(title: string, equity: readonly string[], derivative: readonly string[], service: Service) {
  const named = (fields: readonly string[]) => fields.map((field) => suffixed(field, service))
  return z
    .object({
      equity: strings(`Equity${title}`, named(equity)),
      derivative: strings(`Derivative${title}`, named(derivative)),
    })
    .meta({ title })
}

/** Account info, balances, margin figures, positions and maximum quantities of the accounts of the key's client. */
export function accountReads(app: FastifyInstance, service: Service): void {
  mount(app, service, {
    path: '/api/v3/account/info',
    operationId: 'accountInfo',
    summary: 'Accounts of the key',
    query: z.object({}),
    answers: z.array(strings('Account', ['accountNo', 'accountType'])),
    handle: (_, client) =>
      document(
        service
          .broker()
          .ledger.accounts.filter(({ clientId }) => clientId === client)
          .map(({ accountNo, accountType }) => ({ accountNo, accountType })),
      ),
  })
  mount(app, service, {
    path: '/api/v3/trading/accountBalance',
    operationId: 'accountBalance',
    summary: 'Balance of an account',
    query: z.object(ofAccount),
    answers: sides('Balance', BALANCE_EQUITY, BALANCE_DERIVATIVE, service),
    handle: (query, client) =>
      sidesOf(balance(service.broker().ledger, accountOf(service, query, client)), service),
  })
  mount(app, service, {
    path: '/api/v3/trading/ppmmrAccount',
    operationId: 'ppmmrAccount',
    summary: 'Purchasing power and margin figures of an account',
    query: z.object(ofAccount),
    answers: sides('Margin', MARGIN_EQUITY, MARGIN_DERIVATIVE, service),
    handle: (query, client) =>
      sidesOf(margin(service.broker().ledger, accountOf(service, query, client)), service),
  })
  holdings(app, service)
}

/** Positions and maximum quantities. */
function holdings(app: FastifyInstance, service: Service): void {
  mount(app, service, {
    path: '/api/v3/trading/position',
    operationId: 'position',
    summary: 'Positions of an account',
    query: z.object({ ...ofAccount, querySummary: z.enum(['true', 'false']).default('true') }),
    answers: z
      .object({
        data: z.object({
          equity: z.array(strings('EquityPosition', EQUITY_POSITION)),
          derivative: z.object({
            accountNo: z.string(),
            derOpenPositions: z.array(strings('DerivativePosition', DERIVATIVE_POSITION)),
            derClosePositions: z.array(strings('DerivativePosition', DERIVATIVE_POSITION)),
          }),
        }),
      })
      .meta({ title: 'Positions' }),
    handle: (query, client) =>
      document(
        positions(service.broker().ledger, accountOf(service, query, client), query.querySummary === 'true'),
      ),
  })
  mount(app, service, {
    path: '/api/v3/trading/maxBuySell',
    operationId: 'maxBuySell',
    summary: 'Largest quantities an account can buy and sell at a price',
    query: z.object({
      accountNo,
      symbol: symbolName,
      price: z
        .string({ error: 'is required' })
        .regex(/^(?!0*(\.0*)?$)\d{1,12}(\.\d{1,6})?$/, { error: 'expected a plain decimal above zero' })
        .meta({ examples: ['13250'] }),
    }),
    answers: z
      .object({
        data: z.object({
          accountNo: z.string(),
          maxBuyQty: z.number(),
          marginRatio: z.string(),
          maxSellQty: z.number(),
          purchasingPower: z.number(),
        }),
      })
      .meta({ title: 'MaxBuySell' }),
    handle: (query, client) => {
      const account = accountOf(service, query, client)
      const price = Number(query.price)
      if (!service.world.find(query.symbol)) throw invalidRequest('query symbol: is unknown')
      return document(maxBuySell(service.broker().ledger, account, query.symbol, price))
    },
  })
}
