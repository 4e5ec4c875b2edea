import { expect, test } from 'vitest'
import { counted, groupedDigits, isNumberOfName, isNumberType, withoutZeros } from '../src/number-text.js'

test.each([
  ['27000.000000', '27,000'],
  ['1234567.500000', '1,234,567.5'],
  ['-1000', '-1,000'],
  ['999', '999'],
  ['0.000001', '0.000001'],
  ['100', '100'],
  ['9007199254740993', '9,007,199,254,740,993'],
  ['0.0000', '0'],
  ['1e+21', '1e+21'],
  ['NaN', 'NaN'],
  ['2025-03-14', '2025-03-14'],
  ['', ''],
])('%j is written %j', (text, shown) => expect(groupedDigits(text)).toBe(shown))

test.each([
  ['1204.00', '1204'],
  ['1000', '1000'],
  ['0.50', '0.5'],
  ['NaN', 'NaN'],
])('%j without zeros is %j', (text, shown) => expect(withoutZeros(text)).toBe(shown))

test('types of numbers are known, of intervals and lists they are not', () => {
  const types = ['TINYINT', 'UBIGINT', 'INTEGER', 'HUGEINT', 'DECIMAL(18,6)', 'DOUBLE', 'FLOAT', 'BIGNUM']
  expect(types.filter((type) => !isNumberType(type))).toEqual([])
  expect(['INTERVAL', 'VARCHAR', 'DATE', 'INTEGER[]', 'BOOLEAN'].filter(isNumberType)).toEqual([])
})

test('years and numbers of names are not quantities', () => {
  expect(['year', 'publication_id', 'run_id', 'rule'].filter((name) => !isNumberOfName(name))).toEqual([])
  expect(['volume', 'close', 'rows', 'paid', 'yearly'].filter(isNumberOfName)).toEqual([])
})

test.each([
  [counted(0, 'window'), '0 windows'],
  [counted(1, 'window'), '1 window'],
  [counted(1200, 'window'), '1,200 windows'],
  [counted(2, 'index', 'indexes'), '2 indexes'],
])('%s are counted', (text, expected) => {
  expect(text).toBe(expected)
})
