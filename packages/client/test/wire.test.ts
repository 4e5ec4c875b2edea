import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { packageRoot } from '../../../src/package.js'
import { type Notes, readRow } from '../src/decode/fields.js'
import { parseKeepingNumbers } from '../src/decode/json.js'
import { rowReaders } from '../src/decode/rows.js'
import * as accounts from '../src/wire/account-records.js'
import type { MarketIndex, SecuritiesSummary } from '../src/wire/market-records.js'
import * as market from '../src/wire/market-records.js'
import type { ConditionalOrder } from '../src/wire/order-records.js'
import * as orders from '../src/wire/order-records.js'
import { record } from '../src/wire/record.js'

const specification = readFileSync(join(packageRoot, 'docs/brokerage-api.md'), 'utf8')

/** Fields in the rows of a section's table whose first cell begins so; a field with … is one of both sides. */
function fieldsIn(section: string, rows = ''): string[] {
  const text = (specification.split(`\n### ${section}\n`)[1] ?? '').split(/\n##/)[0] ?? ''
  const cells = text
    .split('\n')
    .filter((line) => line.startsWith(`| ${rows}`) && !/^\| -/.test(line))
    .map((line) => line.split('|')[2]?.replaceAll(/\([^)]*\)/g, '') ?? '')
  return cells
    .flatMap((cell) => [...cell.matchAll(/`(\w+)(…?)`/g)])
    .flatMap(([, name = '', both]) => (both === '…' ? [`${name}Broker`, `${name}Depository`] : [name]))
    .sort()
}

describe('the fields of a record are those of the specification', () => {
  test.each([
    ['a security', market.security.fields, fieldsIn('securitiesByBoard')],
    ['a daily summary', market.securitiesSummary.fields, fieldsIn('securitiesSummary')],
    ['an index summary', market.indexSummary.fields, fieldsIn('indexSummary')],
    ['an equity balance', accounts.equityBalance.fields, fieldsIn('accountBalance', '`equity`')],
    ['a derivative balance', accounts.derivativeBalance.fields, fieldsIn('accountBalance', '`derivative`')],
    ['an equity margin', accounts.equityMargin.fields, fieldsIn('ppmmrAccount', '`equity`')],
    ['a derivative margin', accounts.derivativeMargin.fields, fieldsIn('ppmmrAccount', '`derivative`')],
    ['an equity position', accounts.equityPosition.fields, fieldsIn('position', 'equity')],
    ['a derivative position', accounts.derivativePosition.fields, fieldsIn('position', 'derivative')],
    ['an order', orders.order.fields, fieldsIn('orderBook')],
    ['parameters', orders.conditionalParams.fields, fieldsIn('fcoList', '`params`')],
    [
      'a conditional order',
      orders.conditionalOrder.fields,
      ['text', 'numbers', 'boolean'].flatMap((rows) => fieldsIn('fcoList', rows)).sort(),
    ],
    ['an index', market.marketIndex.fields, ['board', 'index', 'indexName']],
    ['an account', accounts.account.fields, ['accountNo', 'accountType']],
    [
      'price limits',
      market.masterData.fields,
      ['ceiling', 'exchange', 'floor', 'refPrice', 'symbol', 'tradingDate'],
    ],
    [
      'a candle',
      market.candle.fields,
      ['close', 'high', 'low', 'open', 'symbol', 'tradingDate', 'value', 'volume'],
    ],
    [
      'a maximum quantity',
      accounts.maxQuantity.fields,
      ['accountNo', 'marginRatio', 'maxBuyQty', 'maxSellQty', 'purchasingPower'],
    ],
    ['an event', orders.conditionalEvent.fields, ['code', 'detail', 'state', 'time']],
    ['the result of a conditional write', orders.conditionalAction.fields, ['fcoId']],
    [
      'the result of a write',
      orders.orderAction.fields,
      ['clientCancelId', 'clientModifyId', 'clientRequestId', 'orderId', 'orderStatus'],
    ],
  ] as [string, readonly string[], string[]][])('%s', (_, fields, expected) => {
    expect(fields.length).toBeGreaterThan(0)
    expect([...fields].sort()).toEqual(expected)
  })
})

const notesOf = (): Notes => ({ drift: new Set(), faults: [] })
const shape = record(['symbol', 'cashBroker', 'cashDepository', 'isOpen'], {
  aliases: { ticker: 'symbol' },
  flags: ['isOpen'],
})

describe('a record', () => {
  const read = (value: unknown, suffixes = {}, nested: readonly string[] = []) => {
    const notes = notesOf()
    const row = readRow(value, shape, suffixes, notes, 'data[3]', nested)
    return { row, drift: [...notes.drift], faults: notes.faults }
  }
  const empty = { symbol: null, cashBroker: null, cashDepository: null, isOpen: null }

  test('has every field, null where it is absent, null or empty', () => {
    expect(read({}).row).toEqual(empty)
    expect(read({ symbol: '', cashBroker: null }).row).toEqual(empty)
    expect(read({ SYMBOL: 'FPT', cashbroker: '1' }).row).toEqual({ ...empty, symbol: 'FPT', cashBroker: '1' })
  })

  test('has other names for its fields', () => {
    expect(read({ Ticker: 'FPT' })).toEqual({ row: { ...empty, symbol: 'FPT' }, drift: [], faults: [] })
  })

  test('has the suffixes of the deployment, or those of the specification', () => {
    const suffixes = { broker: 'SPV', depository: 'VSD' }
    expect(read({ cashSPV: '1', cashVsd: '2' }, suffixes)).toEqual({
      row: { ...empty, cashBroker: '1', cashDepository: '2' },
      drift: [],
      faults: [],
    })
    expect(read({ cashBroker: '1', cashDepository: '2' }, suffixes).row).toMatchObject({
      cashBroker: '1',
      cashDepository: '2',
    })
    expect(read({ cashSPV: '1' }, { broker: '' })).toEqual({ row: empty, drift: ['cashSPV'], faults: [] })
  })

  test('may have fields that the specification does not have, and nested ones', () => {
    expect(read({ symbol: 'FPT', Extra: '1', Params: {} }, {}, ['params'])).toEqual({
      row: { ...empty, symbol: 'FPT' },
      drift: ['Extra'],
      faults: [],
    })
  })

  test.each<[unknown, boolean | null]>([
    [true, true],
    [false, false],
    ['TRUE', true],
    ['False', false],
    ['1', true],
    ['0', false],
    ['', null],
    [null, null],
  ])('reads the flag %j as %j', (isOpen, flag) => {
    expect(read({ isOpen }).row).toEqual({ ...empty, isOpen: flag })
  })

  test.each<[unknown, string]>([
    [{ isOpen: 'yes' }, 'isOpen: not true or false'],
    [{ isOpen: {} }, 'isOpen: not true or false'],
    [{ symbol: true }, 'symbol: not text or a number'],
    [{ symbol: {} }, 'symbol: not text or a number'],
    [null, 'not an object'],
    [[], 'not an object'],
    ['text', 'not an object'],
  ])('%j is a fault: %s', (value, reason) => {
    expect(read(value)).toEqual({ row: undefined, drift: [], faults: [{ at: 'data[3]', reason }] })
  })
})

describe('the records of an answer', () => {
  const fco = { fcoId: '9', params: { stopPrice: '1', odd: '2' } }

  test.each([
    ['a bare array', [{ symbol: 'FPT' }, 7]],
    ['a list', { Data: [{ symbol: 'FPT' }, 7] }],
    ['a list in data', { data: { data: [{ symbol: 'FPT' }, 7] } }],
  ])('may be %s', (_, value) => {
    const notes = notesOf()
    expect(rowReaders.ohlc(value, {}, notes)).toMatchObject([{ symbol: 'FPT', open: null }])
    expect(notes.faults).toEqual([{ at: 'data[1]', reason: 'not an object' }])
  })

  test.each([
    'securitiesByBoard',
    'securitiesSummary',
    'indexSummary',
    'indexList',
    'masterdata',
    'accountInfo',
    'fcoStatusHistory',
  ] as const)('of %s are in data', (endpoint) => {
    expect(rowReaders[endpoint]({ data: [{}] }, {}, notesOf())).toHaveLength(1)
  })

  test('are none where there is no list', () => {
    expect(rowReaders.ohlc({ data: 7 }, {}, notesOf())).toEqual([])
    expect(rowReaders.orderBook({ data: [{ orderId: '1' }] }, {}, notesOf())).toEqual([])
    expect(rowReaders.orderBook({ data: { orderList: [{ orderId: '1' }] } }, {}, notesOf())).toHaveLength(1)
  })

  test('of conditional orders have their parameters, or null', () => {
    const notes = notesOf()
    const rows = rowReaders.fcoList({ fcoList: [fco, { fcoId: '8', params: null }, 'x'] }, {}, notes)
    expect(rows.map(({ fcoId, params }) => [fcoId, params?.stopPrice])).toEqual([
      ['9', '1'],
      ['8', undefined],
    ])
    expect(rows[1]?.params).toBeNull()
    expect([...notes.drift]).toEqual(['odd'])
    expect(notes.faults).toEqual([{ at: 'fcoList[2]', reason: 'not an object' }])
    const wrong = notesOf()
    const [row] = rowReaders.fcoList([{ fcoId: '9', params: { stopPrice: true } }], {}, wrong)
    expect(row?.params).toBeNull()
    expect(wrong.faults).toEqual([{ at: 'fcoList[0].params', reason: 'stopPrice: not text or a number' }])
  })

  test.each(['accountBalance', 'ppmmrAccount'] as const)('of %s have two sides', (endpoint) => {
    const read = (value: unknown) => {
      const notes = notesOf()
      const [row] = rowReaders[endpoint](value, {}, notes)
      const sides = [row?.equity?.accountNo, row?.derivative?.accountNo, row?.derivative]
      return [sides, notes.faults]
    }
    const equity = { accountNo: '001' }
    expect(read({ equity })).toEqual([['001', undefined, null], []])
    expect(read({ data: { equity: null, derivative: { accountNo: '008' } } })).toMatchObject([
      [undefined, '008', { accountNo: '008' }],
      [],
    ])
    expect(read({ equity: [] })).toEqual([
      [undefined, undefined, null],
      [{ at: 'equity', reason: 'not an object' }],
    ])
    // The answer itself, where it has one of the sides: its data is of something else.
    const data = { equity: { accountNo: '009' }, derivative: { accountNo: '009' } }
    expect(read({ equity, data })).toEqual([['001', undefined, null], []])
    expect(read({ derivative: equity, data })).toEqual([[undefined, '001', expect.anything()], []])
    expect(read({ derivative: [1] })[1]).toEqual([{ at: 'derivative', reason: 'not an object' }])
  })

  test('of positions have every list', () => {
    const notes = notesOf()
    const value = {
      data: {
        equity: [{ symbol: 'FPT' }, 1],
        derivative: {
          accountNo: '008',
          derOpenPositions: [{ symbol: 'A' }, 1],
          derClosePositions: [{ symbol: 'B' }, 1],
        },
      },
    }
    const [row] = rowReaders.position(value, {}, notes)
    expect(row).toMatchObject({
      equity: [{ symbol: 'FPT' }],
      derivativeAccountNo: '008',
      derivativeOpen: [{ symbol: 'A' }],
      derivativeClose: [{ symbol: 'B' }],
      derivativeSummary: [],
    })
    expect(notes.faults.map(({ at }) => at)).toEqual([
      'equity[1]',
      'derOpenPositions[1]',
      'derClosePositions[1]',
    ])
    const summary = notesOf()
    const [other] = rowReaders.position({ derivative: [{ symbol: 'A' }, 1] }, {}, summary)
    expect(other).toMatchObject({
      equity: [],
      derivativeAccountNo: null,
      derivativeSummary: [{ symbol: 'A' }],
    })
    expect(summary.faults.map(({ at }) => at)).toEqual(['derivative[1]'])
    const data = { equity: [{ symbol: 'B' }], derivative: [{ symbol: 'B' }] }
    const [first] = rowReaders.position({ equity: [{ symbol: 'A' }], data }, {}, notesOf())
    expect(first).toMatchObject({ equity: [{ symbol: 'A' }], derivativeSummary: [] })
    const [second] = rowReaders.position({ derivative: [{ symbol: 'A' }], data }, {}, notesOf())
    expect(second).toMatchObject({ equity: [], derivativeSummary: [{ symbol: 'A' }] })
  })

  test('of a maximum quantity are the object with one of its fields', () => {
    const read = (value: unknown) => rowReaders.maxBuySell(value, {}, notesOf())
    expect(read({ data: { maxBuyQty: '7' } })).toMatchObject([{ maxBuyQty: '7' }])
    expect(read({ maxSellQty: '8', data: {} })).toMatchObject([{ maxSellQty: '8' }])
    expect(read({ maxBuyQty: '8', data: {} })).toMatchObject([{ maxBuyQty: '8' }])
    const notes = notesOf()
    rowReaders.maxBuySell({ data: [] }, {}, notes)
    expect(notes.faults).toEqual([{ at: 'data[0]', reason: 'not an object' }])
    expect(read({ marginRatio: '9' })).toMatchObject([{ marginRatio: '9' }])
  })
})

test('numbers stay as they are written, texts too', () => {
  const text = '{"a":1234.0,"b":-12345678901234567890,"c":1.5E-3,"d":"1 \\" 2","e":[0,1e5,7.25e+10],"f":true}'
  expect(parseKeepingNumbers(text)).toEqual({
    a: '1234.0',
    b: '-12345678901234567890',
    c: '1.5E-3',
    d: '1 " 2',
    e: ['0', '1e5', '7.25e+10'],
    f: true,
  })
})

test('the type of a record has the names of its table, and flags are booleans', () => {
  expectTypeOf<SecuritiesSummary['totalMatch']>().toEqualTypeOf<string | null>()
  expectTypeOf<keyof MarketIndex>().toEqualTypeOf<'index' | 'indexName' | 'board'>()
  expectTypeOf<ConditionalOrder['isPlaceOrder']>().toEqualTypeOf<boolean | null>()
  expectTypeOf<ConditionalOrder['quantity']>().toEqualTypeOf<string | null>()
  // @ts-expect-error there is no such field
  const field: keyof SecuritiesSummary = 'totalMatches'
  expect(market.securitiesSummary.fields).not.toContain(field)
})
