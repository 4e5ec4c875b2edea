import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { martObjects } from '../../src/mart/objects.js'
import { emptyWarehouse } from '../support/memory.js'

test('every object of schema mart and every column of it says what it is', async () => {
  const database = await emptyWarehouse()
  const silent = await database.rows<{ name: string }>(`
    SELECT view_name AS name FROM duckdb_views() WHERE schema_name = 'mart' AND coalesce(comment, '') = ''
    UNION ALL SELECT table_name FROM duckdb_tables() WHERE schema_name = 'mart' AND coalesce(comment, '') = ''
    UNION ALL SELECT function_name FROM duckdb_functions() WHERE schema_name = 'mart' AND coalesce(comment, '') = ''
    UNION ALL SELECT table_name || '.' || column_name FROM duckdb_columns() WHERE schema_name = 'mart' AND coalesce(comment, '') = ''
    ORDER BY name`)
  expect(silent.map(({ name }) => name)).toEqual([])
})

test('a file is named as what it creates', () => {
  const other = martObjects().filter(({ file, name }) => basename(file) !== `${name}.sql`)
  expect(other.map(({ file }) => file)).toEqual([])
})

test('views and table macros begin with their grain', () => {
  const whole = martObjects().filter(({ kind }) => kind !== 'macro')
  expect(
    whole.filter(({ text }) => !text.startsWith('-- grain: one row per')).map(({ file }) => file),
  ).toEqual([])
})
