import { expect, test } from 'vitest'
import { martObjects } from '../../src/mart/objects.js'
import { lakeMarts, relations } from '../../src/relations.js'
import { emptyWarehouse } from '../support/memory.js'

interface Column {
  column_name: string
  column_type: string
}

const ENDING = '_as_known_on'

const tables = [...relations, ...lakeMarts].map(({ name }) => name)

/** Macros of what was known, and the relation whose rows each of them gives; not those that are a part of others. */
const known = martObjects().flatMap(({ name }): [string, string][] => {
  const own = name.slice(0, -ENDING.length)
  const relation = tables.find((table) => table === `market.${own}` || table === `mart.${own}`)
  return name.endsWith(ENDING) && relation !== undefined ? [[name, relation]] : []
})

test.each(known)('mart.%s has every column of %s, of the same type', async (name, relation) => {
  const database = await emptyWarehouse()
  const columnsOf = async (source: string): Promise<string[]> => {
    const columns = await database.rows<Column>(`DESCRIBE FROM ${source}`)
    return columns.map(({ column_name, column_type }) => `${column_name} ${column_type}`)
  }
  const given = await columnsOf(`mart.${name}('2025-03-14 18:00:00+07')`)
  expect((await columnsOf(relation)).filter((column) => !given.includes(column))).toEqual([])
})

test('relations of facts by session, lists, members, candles, events and adjusted prices have one', () => {
  expect(known.map(([, relation]) => relation).sort()).toEqual([
    'market.candle',
    'market.corporate_action',
    'market.daily_summary',
    'market.index_member',
    'market.index_summary',
    'market.price_limit',
    'market.security',
    'mart.adjustment_event',
    'mart.daily_adjusted',
  ])
})
