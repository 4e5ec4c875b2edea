import { expect, test } from 'vitest'
import { querySql } from '../../src/read/index.js'
import { query, withCatalog, withComments } from '../../src/read/query.js'
import { sharedHome } from '../support/shared-home.js'

const { home } = sharedHome()

async function rows(sql: string): Promise<unknown[][]> {
  return await withCatalog(home, async (reader) => (await query(reader, withComments(sql))).rows)
}

test('a name without its schema is looked up in market, mart, account, ops, recon; with its schema it is the same', async () => {
  expect(await rows('select count(*) from candle')).toEqual(await rows('select count(*) from market.candle'))
  await rows('select * from daily_adjusted')
  await rows('select * from mart.daily_adjusted')
})

test('one name is in two schemas: `coverage` is that of mart, which comes first', async () => {
  const { rows: doubles } = await querySql(
    home,
    `SELECT name, list(schema_name) FROM (
       SELECT schema_name, view_name AS name FROM duckdb_views() WHERE NOT internal
       UNION ALL SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal)
     GROUP BY name HAVING count(*) > 1`,
  )
  expect(doubles).toEqual([['coverage', ['mart', 'ops']]])
  expect(await rows('describe coverage')).toEqual(await rows('describe mart.coverage'))
})

test('describe has the comment of every column, in the order of the relation', async () => {
  const columns = await rows('Describe Candle;')
  expect(columns[0]).toEqual(['symbol', 'VARCHAR', expect.stringMatching(/\w/)])
  expect(columns.map(([name]) => name)).toEqual(
    (await rows('select column_name from (describe market.candle)')).map(([name]) => name),
  )
  expect(await rows('desc MARKET.candle')).toEqual(columns)
  const silent = columns.filter(([, , comment]) => comment === null)
  expect(silent.map(([name]) => `${name}: COMMENT ON COLUMN in sql`)).toEqual([])
  await expect(rows('describe candel')).rejects.toThrow('Did you mean "candle"?')
})

test('show tables lists every relation with its comment', async () => {
  const list = await rows('show tables;')
  expect(list.length).toBeGreaterThan(60)
  expect(list.find(([name]) => name === 'market.candle')?.[1]).toMatch(/candle|bar/i)
  const silent = list.filter(([, comment]) => comment === null)
  expect(silent.map(([name]) => `${name}: COMMENT ON it in sql`)).toEqual([])
})
