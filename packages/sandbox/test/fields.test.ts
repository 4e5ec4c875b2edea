import * as accounts from 'candlehouse-foundation/fields/account'
import { type FieldTable, fieldNames } from 'candlehouse-foundation/fields/field'
import * as market from 'candlehouse-foundation/fields/market'
import * as orders from 'candlehouse-foundation/fields/orders'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, caller } from './caller.js'

// The sandbox writes its answers by itself: it is evidence for what the tables say, as they are for it.

let api: Caller
beforeAll(async () => {
  api = await caller({ date: '2025-11-19' }, { otp: true })
})
afterAll(() => api.close())

const DATA = '/api/v3/data'
const TRADING = '/api/v3/trading'
const [cash, margin, derivative] = ['0881234561', '0881234566', '0881234568'] as const
const days = { from: '2025/11/17', to: '2025/11/19' }

/** The value below names of members; of a list its first element. */
function below(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path
  const first = Array.isArray(value) ? value[0] : value
  return name === undefined ? first : below((first as Record<string, unknown>)[name], rest)
}

it.each<[string, Record<string, string>, string, FieldTable]>([
  [`${DATA}/securitiesByBoard`, { board: 'HOSE' }, '', market.security],
  [`${DATA}/indexList`, {}, '', market.marketIndex],
  [`${DATA}/securitiesSummary`, { ...days, symbol: 'FPT' }, 'data', market.securitiesSummary],
  [`${DATA}/indexSummary`, { index: 'VNINDEX' }, '', market.indexSummary],
  [`${DATA}/masterdata`, days, 'data', market.masterdata],
  [`${DATA}/ohlc`, { symbol: 'FPT', from: '2025-11-17', to: '2025-11-19' }, 'data', market.candle],
  ['/api/v3/account/info', {}, '', accounts.account],
  [`${TRADING}/accountBalance`, { accountNo: cash }, 'equity', accounts.equityBalance],
  [`${TRADING}/accountBalance`, { accountNo: derivative }, 'derivative', accounts.derivativeBalance],
  [`${TRADING}/ppmmrAccount`, { accountNo: margin }, 'equity', accounts.equityMargin],
  [`${TRADING}/ppmmrAccount`, { accountNo: derivative }, 'derivative', accounts.derivativeMargin],
  [`${TRADING}/position`, { accountNo: cash }, 'data equity', accounts.equityPosition],
  [
    `${TRADING}/position`,
    { accountNo: derivative },
    'data derivative derOpenPositions',
    accounts.derivativePosition,
  ],
  [
    `${TRADING}/maxBuySell`,
    { accountNo: cash, symbol: 'FPT', price: '100000' },
    'data',
    accounts.maxQuantity,
  ],
  [`${TRADING}/orderBook`, { accountNo: cash }, 'data orderList', orders.order],
])('%s %j, %s: a record has the fields of its table', async (path, query, place, table) => {
  const { body } = await api.get(path, query)
  const record = below(body, place.split(' ').filter(Boolean))
  expect(Object.keys(record as object).sort()).toEqual([...fieldNames(table)].sort())
})

it('a conditional order has the fields of its table, and those of its parameters', async () => {
  const { body } = await api.get(`${TRADING}/fco/list`, { accountNo: cash })
  const { params, ...record } = below(body, ['fcoList']) as Record<string, unknown>
  expect(Object.keys(record).sort()).toEqual([...fieldNames(orders.conditionalOrder)].sort())
  const names: readonly string[] = fieldNames(orders.conditionalParams)
  expect(Object.keys(params as object).filter((name) => !names.includes(name))).toEqual([])
  const history = await api.get(`${TRADING}/fco/statusHistory`, { fcoId: String(record.fcoId) })
  expect(Object.keys(below(history.body, ['data']) as object).sort()).toEqual(
    [...fieldNames(orders.conditionalEvent)].sort(),
  )
})
