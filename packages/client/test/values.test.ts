import { describe, expect, it, test } from 'vitest'
import {
  type Day,
  type Decimal,
  orderTypesOn,
  ParseError,
  parseDay,
  parseDecimal,
  queries,
} from '../src/decoding.js'

describe('parseDecimal', () => {
  test.each([
    ['6,003,500', '6003500'],
    ['13300.0', '13300'],
    ['13300', '13300'],
    ['1,234.50', '1234.5'],
    ['0.10', '0.1'],
    ['007', '7'],
    ['-0.0', '0'],
    ['-1,000', '-1000'],
    ['12345678901234567890.123456789', '12345678901234567890.123456789'],
    ['18.100000000000136', '18.100000000000136'],
  ])('reads %j as %j', (text, read) => {
    expect(parseDecimal(text)).toBe(read)
  })

  test.each([
    '',
    ' 1',
    '1,23',
    '1,2345',
    '1.234,5',
    'NaN',
    'Infinity',
    '1e5',
    '0x10',
    '1_000',
    '-',
    '.5',
    '5.',
    '+1',
    '١',
  ])('refuses %j', (text) => {
    expect(() => parseDecimal(text)).toThrow(ParseError)
  })
})

describe('parseDay', () => {
  test.each([
    ['2025-01-02', '2025-01-02'],
    ['2025/01/02', '2025-01-02'],
    ['02/01/2025', '2025-01-02'],
    ['2024/02/29', '2024-02-29'],
    ['2025/01/02 09:15:00', '2025-01-02'],
    ['2025-01-02T09:15', '2025-01-02'],
    ['02/01/2025 14:45:00', '2025-01-02'],
  ])('reads %j as %j', (text, read) => {
    expect(parseDay(text)).toBe(read)
  })

  test.each([
    '',
    '2025-02-29',
    '2025-13-01',
    '2025-1-2',
    '20250102',
    '2025-01/02',
    '31/02/2025',
    '2025-01-02T00:00:00Z',
    'today',
  ])('refuses %j', (text) => {
    expect(() => parseDay(text)).toThrow(ParseError)
  })
})

describe('what does not compile', () => {
  const [from, to] = [parseDay('2025-01-01'), parseDay('2025-01-02')]

  it('a day in the form of the wire, and any other text', () => {
    // @ts-expect-error a day is read first
    const slashed: Day = '2025/01/01'
    // @ts-expect-error and so is a number
    const grouped: Decimal = '6,003,500'
    // @ts-expect-error a day is not a number
    const mixed: Decimal = from
    expect([slashed, grouped, mixed]).toHaveLength(3)
  })

  it('two filters where the service takes one', () => {
    // @ts-expect-error symbol or board
    expect(queries.securitiesByBoard({ symbol: 'FPT', board: 'HOSE' })).toHaveProperty('board')
    // @ts-expect-error symbol or index
    expect(queries.securitiesSummary({ symbol: 'FPT', index: 'VN30', from, to })).toHaveProperty('index')
    // @ts-expect-error board or index
    expect(queries.indexSummary({ board: 'HOSE', index: 'VN30' })).toHaveProperty('index')
    // @ts-expect-error one of the two
    expect(queries.indexSummary({})).toEqual({})
    expect(queries.securitiesByBoard({})).toEqual({})
    expect(queries.securitiesSummary({ from, to })).toEqual({ from: '2025/01/01', to: '2025/01/02' })
  })
})

describe('orderTypesOn', () => {
  test.each([
    ['HOSE', '2025-05-04', 'ATO LO MP ATC'],
    ['HOSE', '2025-05-05', 'ATO LO MTL ATC'],
    ['HNX', '2025-11-20', 'LO MTL MOK MAK ATC PLO'],
    ['UPCOM', '2025-11-20', 'LO'],
    ['DERIVATIVE', '2025-11-20', 'ATO LO MTL MOK MAK ATC'],
    ['HOSE', '2001-01-01', ''],
  ] as const)('%s on %s: %s', (board, day, types) => {
    expect(orderTypesOn(board, parseDay(day)).join(' ')).toBe(types)
  })
})
