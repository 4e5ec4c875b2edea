import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../src/contract.js'
import { ShapeFault } from '../src/fault.js'
import { member, readCounts } from '../src/page/envelope.js'
import { errorBody, isPassing, statusOfCode } from '../src/page/error-body.js'
import { NO_PAGE, type PageReading, readPage } from '../src/page/read-page.js'
import { describe as describeResponse, isHtml, jsonOf } from '../src/page/response.js'
import type { HttpResponse } from '../src/transport/transport.js'

const NO_COUNTS = { pageSize: undefined, pageIndex: undefined, pageCount: undefined, itemsCount: undefined }
const NOTHING = { shape: 'none', rows: 0, list: undefined, fields: null, plain: false, ...NO_COUNTS }

describe('the counts of an envelope', () => {
  test('have several names, in any case', () => {
    const counts = { pageSize: 1000, pageIndex: 2, pageCount: 3, itemsCount: 2500 }
    expect(readCounts({ pageSize: 1000, pageIndex: 2, pagesCount: 3, itemsCount: 2500 })).toEqual(counts)
    expect(readCounts({ PAGESIZE: 1000, PageNumber: 2, pageCount: 3, TotalRecord: 2500 })).toEqual(counts)
  })

  test.each([
    [0, 0],
    ['12', 12],
    [' 12 ', 12],
    [-1, undefined],
    ['-1', undefined],
    [1.5, undefined],
    ['1.5', undefined],
    ['', undefined],
    ['x12', undefined],
    ['12x', undefined],
    [null, undefined],
    [true, undefined],
    [[7], undefined],
    [2 ** 53, undefined],
    ['99999999999999999999', undefined],
  ])('%j is %j', (itemsCount, read) => {
    expect(readCounts({ itemsCount, other: 7 })).toStrictEqual({ ...NO_COUNTS, itemsCount: read })
  })

  test.each([[null], ['text'], [7], [undefined], [{ data: [] }]])('of %j are none', (envelope) => {
    expect(readCounts(envelope)).toEqual(NO_COUNTS)
  })
})

test('a member is found in any case, in objects alone', () => {
  expect(member({ a: 1, DATA: 2 }, 'Data')).toBe(2)
  for (const value of [null, undefined, 'data', 7, [1]]) expect(member(value, 'length')).toBeUndefined()
  expect(member({ a: 1 }, 'b')).toBeUndefined()
})

describe('an error body', () => {
  test.each<[unknown, unknown]>([
    [
      { code: '400213', msg: 'a' },
      { code: '400213', message: 'a' },
    ],
    [{ Code: 204 }, { code: '204', message: '' }],
    [
      { code: ' 204 ', MESSAGE: 'b' },
      { code: '204', message: 'b' },
    ],
    [{ code: 0 }, { code: '0', message: '' }],
    [
      { code: 'X', msg: 7 },
      { code: 'X', message: '' },
    ],
    [{ code: '' }, undefined],
    [{ code: ' ' }, undefined],
    [{ code: null, msg: 'a' }, undefined],
    [{ code: true }, undefined],
    [{ msg: 'a' }, undefined],
    [[{ code: '1' }], undefined],
    [null, undefined],
    ['code', undefined],
  ])('of %j is %j', (value, expected) => {
    expect(errorBody(value)).toEqual(expected)
  })

  test.each([
    ['400', 400],
    ['400213', 400],
    ['401114', 401],
    ['4002', undefined],
    ['40', undefined],
    ['4002133', undefined],
    ['x400', undefined],
    ['400x', undefined],
    ['SYS', undefined],
  ])('the status of %s is %j', (code, status) => {
    expect(statusOfCode(code)).toBe(status)
  })

  test('passes where another attempt may succeed', () => {
    const statuses = [400, 401, 404, 407, 408, 409, 424, 425, 426, 428, 429, 430, 499, 500, 502, 599]
    expect(statuses.filter(isPassing)).toEqual([408, 425, 429, 500, 502, 599])
  })
})

describe('a response', () => {
  const response = (body: string, type?: string): HttpResponse => ({
    status: 502,
    headers: type === undefined ? {} : { 'content-type': type },
    body: Buffer.from(body),
    wire: undefined,
    wireBytes: body.length,
    receivedAt: 0,
  })

  test('is HTML by its type or its first byte', () => {
    expect(isHtml(response('x', 'text/HTML; charset=utf-8'))).toBe(true)
    expect(isHtml(response('<html>'))).toBe(true)
    expect(isHtml(response('{}', 'application/json'))).toBe(false)
    expect(isHtml(response(' <html>'))).toBe(false)
    expect(isHtml(response(''))).toBe(false)
  })

  test('is described by its status, type and beginning', () => {
    expect(describeResponse(response('bad gateway', 'text/plain'))).toBe('HTTP 502, text/plain: bad gateway')
    expect(describeResponse(response(''))).toBe('HTTP 502, no content type: ')
    expect(describeResponse(response('x'.repeat(5000))).length).toBeLessThan(300)
  })

  test('is JSON or nothing', () => {
    expect(jsonOf(Buffer.from('{"a":1}'))).toEqual({ a: 1 })
    expect(jsonOf(Buffer.from('\uFEFF{"a":1}'))).toEqual({ a: 1 })
    expect(jsonOf(Buffer.from('[1]\uFEFF'))).toBeUndefined()
    expect(jsonOf(Buffer.from('{'))).toBeUndefined()
  })
})

describe('a page', () => {
  const read = (endpoint: Endpoint, value: unknown, believeArray = false): PageReading =>
    readPage(endpoint, Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), believeArray)

  test('of nothing has no facts', () => {
    expect(NO_PAGE).toEqual(NOTHING)
  })

  test('of records has the facts of its list and its counts', () => {
    expect(read('ohlc', '{"pageSize":"2","data":[{"a":"1"}]}')).toEqual({
      page: { ...NOTHING, shape: 'data', rows: 1, list: [24, 33], fields: ['a'], plain: true, pageSize: 2 },
    })
  })

  test('may have null for its records, or a code', () => {
    expect(read('ohlc', { data: null, itemsCount: 0 })).toEqual({
      page: { ...NOTHING, shape: 'data', itemsCount: 0 },
    })
    expect(read('ohlc', { data: null, code: '204' })).toEqual({ error: { code: '204', message: '' } })
    expect(read('ohlc', { data: [], code: '204' }).page).toMatchObject({ rows: 0 })
    expect(() => read('ohlc', { data: {}, code: '204' })).toThrow('not an answer of ohlc')
    expect(() => read('ohlc', {})).toThrow('not an answer of ohlc')
    expect(() => read('indexList', { data: null })).toThrow('not an answer of indexList')
    for (const text of ['null', '"data"', '7']) {
      expect(() => read('ohlc', text)).toThrow('not an answer')
      expect(() => read('ohlc', text)).not.toThrow('not an answer of')
    }
    expect(() => read('ohlc', '{"data":[')).toThrow('not one whole JSON document: ')
  })

  test('may be a bare array where the specification has one, or where it is believed', () => {
    const bare = { page: { ...NOTHING, shape: 'array', rows: 1, list: [1, 10], fields: ['a'], plain: true } }
    expect(read('securitiesByBoard', [{ a: '1' }])).toEqual(bare)
    expect(() => read('ohlc', [{ a: '1' }])).toThrow(
      new ShapeFault('an array where ohlc answers an envelope'),
    )
    expect(() => readPage('ohlc', Buffer.from('[]'))).toThrow('an array where ohlc answers an envelope')
    expect(read('ohlc', [{ a: '1' }], true)).toEqual(bare)
  })

  test('of an object may be an empty array only where that is believed', () => {
    const refused = 'an array where accountBalance answers an object'
    expect(() => read('accountBalance', [])).toThrow(refused)
    expect(() => read('accountBalance', [{ a: '1' }], true)).toThrow(refused)
    expect(read('accountBalance', [], true).page).toMatchObject({ shape: 'array', rows: 0 })
  })

  test('of an object is one record', () => {
    const one = { page: { ...NOTHING, rows: 1 } }
    expect(read('accountBalance', { pageSize: 7, equity: {} })).toEqual(one)
    expect(read('accountBalance', { code: '1', data: { equity: {} } })).toEqual(one)
    expect(read('accountBalance', { code: '1', data: null })).toEqual({ error: { code: '1', message: '' } })
    expect(() => read('accountBalance', {})).toThrow('not an answer of accountBalance')
  })

  test('of positions has the records of all its lists', () => {
    const equity = [{}, {}]
    const rows = (value: unknown) => read('position', value).page?.rows
    expect(rows({ equity })).toBe(2)
    expect(rows({ data: { equity, derivative: [{}] } })).toBe(3)
    expect(rows({ equity, derivative: { derOpenPositions: [{}, {}, {}], derClosePositions: [{}] } })).toBe(6)
    expect(rows({ equity: [], derivative: null })).toBe(0)
    expect(rows({ equity: {} })).toBe(1)
  })
})

describe.each([
  ['orderBook', 'orderList'],
  ['fcoList', 'fcoList'],
] as const)('a page of %s', (endpoint, name) => {
  const read = (text: string): PageReading => readPage(endpoint, Buffer.from(text))

  test('has its list at the top, in any case', () => {
    const text = ` {"totalRecord":"5","${name.toUpperCase()}":[ {"a":1}, {"a":2} ]}`
    const start = text.indexOf('[') + 1
    expect(read(text)).toEqual({
      page: { ...NOTHING, rows: 2, list: [start, text.indexOf(']')], itemsCount: 5 },
    })
  })

  test('has its list and its counts in data', () => {
    const text = `{"code":"0","pageSize":1,"data":{"pageSize":100,"${name}":[{}]}}`
    const start = text.indexOf('[') + 1
    expect(read(text)).toEqual({
      page: { ...NOTHING, rows: 1, list: [start, start + 2], pageSize: 100 },
    })
  })

  test('may have null for its list', () => {
    expect(read(`{"${name}":null,"totalRecord":0}`)).toEqual({ page: { ...NOTHING, itemsCount: 0 } })
    expect(read(`{"code":"0","data":{"${name}":null,"totalRecord":0}}`)).toEqual({
      page: { ...NOTHING, itemsCount: 0 },
    })
  })

  test('is an error body without a list', () => {
    expect(read('{"code":"204"}')).toEqual({ error: { code: '204', message: '' } })
    expect(() => read('{"code":"0","data":{}}')).toThrow(`not an answer of ${endpoint}`)
    expect(() => read('{"orders":[]}')).toThrow(`not an answer of ${endpoint}`)
    expect(() => read(`{"other":{"${name}":[{}]},"data":{}}`)).toThrow(`not an answer of ${endpoint}`)
  })
})
