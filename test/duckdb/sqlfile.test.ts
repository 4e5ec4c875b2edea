import { expect, test } from 'vitest'
import { literal, sqlTemplate } from '../../src/duckdb/sqlfile.js'

test('a value is not put into comments, which a line end in it would end', () => {
  const text = sqlTemplate('read/books/positions.sql', { account: literal('x\n; SELECT 1') })
  expect(text.split('\n')[0]).toContain('$account')
  expect(text).toContain("WHERE day.account_no = 'x\n; SELECT 1'")
})
