import { expect, test } from 'vitest'
import { EarlierStatement } from '../../../src/cli/prompt/earlier-statement.js'

const statements = ['select 3;', 'from candle;', 'select 2;', 'FROM Candle limit 1;']

test('words lead to the latest statement that contains them, and again to the one before, until there is none', () => {
  const earlier = new EarlierStatement(statements)
  expect(earlier.find('candle')).toBe('from candle;')
  expect(earlier.find('from candle;')).toBe('FROM Candle limit 1;')
  expect(earlier.find('FROM Candle limit 1;')).toBeUndefined()
})

test('what was typed since begins another search', () => {
  const earlier = new EarlierStatement(statements)
  expect(earlier.find('')).toBe('select 3;')
  expect(earlier.find('select')).toBe('select 3;')
  expect(earlier.find('select 3;')).toBe('select 2;')
  expect(earlier.find('nothing of this')).toBeUndefined()
})
