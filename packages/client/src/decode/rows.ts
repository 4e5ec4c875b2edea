import type { Endpoint } from '../contract.js'
import { member } from '../page/envelope.js'
import {
  type Account,
  account,
  type Balance,
  derivativeBalance,
  derivativeMargin,
  derivativePosition,
  equityBalance,
  equityMargin,
  equityPosition,
  type Margin,
  type MaxQuantity,
  maxQuantity,
  type Positions,
} from '../wire/account-records.js'
import {
  type Candle,
  candle,
  type IndexSummary,
  indexSummary,
  type MarketIndex,
  type MasterData,
  marketIndex,
  masterData,
  type SecuritiesSummary,
  type Security,
  securitiesSummary,
  security,
} from '../wire/market-records.js'
import {
  type ConditionalEvent,
  type ConditionalOrder,
  conditionalEvent,
  conditionalOrder,
  conditionalParams,
  type Order,
  order,
} from '../wire/order-records.js'
import type { RecordShape, Row } from '../wire/record.js'
import { type Notes, readRow, type Suffixes } from './fields.js'

/** What one record of an endpoint's answer is. Objects (balances, margins, positions) are one record. */
export interface RowOf {
  securitiesByBoard: Security
  securitiesSummary: SecuritiesSummary
  indexSummary: IndexSummary
  indexList: MarketIndex
  masterdata: MasterData
  ohlc: Candle
  accountInfo: Account
  accountBalance: Balance
  ppmmrAccount: Margin
  position: Positions
  maxBuySell: MaxQuantity
  orderBook: Order
  fcoList: ConditionalOrder
  fcoStatusHistory: ConditionalEvent
}

/** A parsed body's way to its records. `value` is the whole answer. */
export type ReadRows<E extends Endpoint> = (value: unknown, suffixes: Suffixes, notes: Notes) => RowOf[E][]

/** One reader an endpoint (tables over switches). */
export const rowReaders: { readonly [E in Endpoint]: ReadRows<E> } = {
  securitiesByBoard: list('data', security),
  securitiesSummary: list('data', securitiesSummary),
  indexSummary: list('data', indexSummary),
  indexList: list('data', marketIndex),
  masterdata: list('data', masterData),
  ohlc: list('data', candle),
  accountInfo: list('data', account),

  accountBalance: (value, suffixes, notes) => {
    const holder = unwrapped(value, 'equity', 'derivative')
    return [
      {
        equity: side(holder, 'equity', equityBalance, suffixes, notes),
        derivative: side(holder, 'derivative', derivativeBalance, suffixes, notes),
      },
    ]
  },

  ppmmrAccount: (value, suffixes, notes) => {
    const holder = unwrapped(value, 'equity', 'derivative')
    return [
      {
        equity: side(holder, 'equity', equityMargin, suffixes, notes),
        derivative: side(holder, 'derivative', derivativeMargin, suffixes, notes),
      },
    ]
  },

  position: (value, suffixes, notes) => {
    const holder = unwrapped(value, 'equity', 'derivative')
    const derivative = member(holder, 'derivative')
    const no = member(derivative, 'accountNo')
    const rows = <F extends string>(list: unknown, shape: RecordShape<F>, at: string): Row<F>[] =>
      all(Array.isArray(list) ? list : [], shape, suffixes, notes, at)
    return [
      {
        equity: rows(member(holder, 'equity'), equityPosition, 'equity'),
        derivativeAccountNo: typeof no === 'string' ? no : null,
        derivativeOpen: rows(member(derivative, 'derOpenPositions'), derivativePosition, 'derOpenPositions'),
        derivativeClose: rows(
          member(derivative, 'derClosePositions'),
          derivativePosition,
          'derClosePositions',
        ),
        derivativeSummary: rows(derivative, derivativePosition, 'derivative'),
      },
    ]
  },

  maxBuySell: (value, suffixes, notes) =>
    all([unwrapped(value, 'maxBuyQty', 'maxSellQty')], maxQuantity, suffixes, notes, 'data'),

  orderBook: list('orderList', order),

  fcoList: (value, suffixes, notes) =>
    records(value, 'fcoList').flatMap((entry, index) => {
      const at = `fcoList[${index}]`
      const row = readRow(entry, conditionalOrder, suffixes, notes, at, ['params'])
      if (!row) return []
      const params = member(entry, 'params')
      const read =
        typeof params === 'object' && params !== null
          ? readRow(params, conditionalParams, suffixes, notes, `${at}.params`)
          : undefined
      return [{ ...row, params: read ?? null }]
    }),

  fcoStatusHistory: list('data', conditionalEvent),
}

function list<Field extends string>(name: string, shape: RecordShape<Field>) {
  return (value: unknown, suffixes: Suffixes, notes: Notes): Row<Field>[] =>
    all(records(value, name), shape, suffixes, notes, name)
}

function all<Field extends string>(
  entries: readonly unknown[],
  shape: RecordShape<Field>,
  suffixes: Suffixes,
  notes: Notes,
  name: string,
): Row<Field>[] {
  return entries.flatMap((entry, index) => readRow(entry, shape, suffixes, notes, `${name}[${index}]`) ?? [])
}

/** A bare array, or the list of that name at the top or inside `data`. */
function records(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  for (const list of [member(value, name), member(member(value, 'data'), name)])
    if (Array.isArray(list)) return list
  return []
}

/** The object that has one of these members: the answer itself, or its `data`. */
function unwrapped(value: unknown, ...names: readonly string[]): unknown {
  return names.some((name) => member(value, name) !== undefined) ? value : (member(value, 'data') ?? value)
}

function side<Field extends string>(
  holder: unknown,
  name: string,
  shape: RecordShape<Field>,
  suffixes: Suffixes,
  notes: Notes,
): Row<Field> | null {
  const part = member(holder, name)
  return typeof part === 'object' && part !== null
    ? (readRow(part, shape, suffixes, notes, name) ?? null)
    : null
}
