import { FIELD_TYPES, type FieldType } from 'candlehouse-foundation/fields/field-type'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { RecordShape } from '../../packages/client/src/wire/record.js'

// A field is added to the tables in memory: whoever does not follow is a place where one can be forgotten.

/** A field of each type that a record can have, by its name on the wire. */
const ADDED: readonly [string, string, FieldType][] = [
  ['addedText', 'added_text', 'text'],
  ['addedDay', 'added_day', 'day'],
  ['addedInstant', 'added_instant', 'instant'],
  ['addedPrice', 'added_price', 'price'],
  ['addedWord', 'added_word', 'priceOrWord'],
  ['addedQuantity', 'added_quantity', 'quantity'],
  ['addedMoney', 'added_money', 'money'],
  ['addedRatio', 'added_ratio', 'ratio'],
  ['addedFlag', 'added_flag', 'flag'],
]

const NAMES = ADDED.map(([name]) => name)

const COLUMNS = ADDED.map(([, column]) => column)

// Other tests of this process have loaded the modules with the tables as they are, and do so again afterwards.
vi.resetModules()
afterAll(() => {
  vi.resetModules()
})

const tables = await import('candlehouse-foundation/fields/relations')
const orders = await import('candlehouse-foundation/fields/orders')
const added = Object.fromEntries(
  ADDED.map(([name, , type]) => [name, { type, meaning: `Added ${type}`, unit: 'units' }]),
)
for (const table of Object.values({ ...tables.marketFields, ...tables.accountFields, ...orders }))
  Object.assign(table, added)

const { writtenFiles } = await import('../../build/sql/files.js')
const { mapColumns } = await import('../../src/import/columns.js')
const { ACCOUNT_TABLES, fieldsOf, recordTypeOf } = await import('../../src/load/account/account-tables.js')
const { attributesOf } = await import('../../src/load/attributes.js')
const { absentFields, filledColumns, unknownFields } = await import('../../src/load/fields/read-fields.js')
const { datasets } = await import('../../src/plan/datasets.js')
const { readRow } = await import('../../packages/client/src/decode/fields.js')
const { describedRelations } = await import('../../src/publish/lake-tables.js')
const { openMacros } = await import('../support/landed.js')
const { emptyWarehouse } = await import('../support/memory.js')

// Those of the rulebook come from no table of fields.
const files = [...writtenFiles()].filter(
  ([, text]) => !text.startsWith('-- Written by make sql from data/reference'),
)

/** Records of the client but those that a write answers. */
const records = Object.entries<RecordShape<string, string>>({
  ...(await import('../../packages/client/src/wire/market-records.js')),
  ...(await import('../../packages/client/src/wire/account-records.js')),
  ...(await import('../../packages/client/src/wire/order-records.js')),
}).filter(([name]) => !name.endsWith('Action'))

describe('a field that is added to a table', () => {
  test.each(records)('is read by the client in %s', (_, shape) => {
    const nulls = Object.fromEntries(shape.fields.map((field) => [field, null]))
    const record = { ...nulls, addedText: 'a', addedMoney: '12.5000', addedFlag: 'TRUE' }
    const notes = { drift: new Set<string>(), faults: [] }
    expect(readRow(record, shape, {}, notes, '')).toMatchObject({ ...record, addedFlag: true })
    expect(notes).toEqual({ drift: new Set(), faults: [] })
  })

  test.each(Object.values(datasets))('is a field of dataset $name, and its absence is drift', (dataset) => {
    expect(dataset.fields).toEqual(expect.arrayContaining(NAMES))
    expect(unknownFields(dataset, NAMES)).toEqual([])
    const others = dataset.fields.filter((field) => !NAMES.includes(field))
    expect(absentFields(dataset, others)).toEqual(NAMES)
  })

  test.each(Object.values(datasets))('is a column of $name that can be lost', (dataset) => {
    expect(filledColumns(dataset, COLUMNS).map(({ name }) => name)).toEqual(COLUMNS)
  })

  test.each(ACCOUNT_TABLES)('is read from pages of account.$name', (table) => {
    expect(fieldsOf(table)).toEqual(expect.arrayContaining(NAMES))
    const type = recordTypeOf(table)
    if (typeof type !== 'string') expect(Object.keys(type)).toEqual(expect.arrayContaining(NAMES))
  })

  test.each(files)('is in every list of sql/%s', (path, text) => {
    const isLoad = path.startsWith('load/')
    const lists = text.split(isLoad ? /\n {2}FROM \w+_record\n/ : /\nUNION ALL\n/)
    expect(lists).toHaveLength(2)
    const [first = '', second = ''] = lists
    expect((isLoad ? NAMES : COLUMNS).filter((name) => !first.includes(name))).toEqual([])
    expect(COLUMNS.filter((column) => !second.includes(column))).toEqual([])
  })

  test('begins a new validity of a security when it changes', () => {
    const { listed_attributes } = attributesOf('listed')
    for (const column of COLUMNS) expect(listed_attributes).toContain(`listed.${column}`)
  })

  test("is read from a user's file, under either name", () => {
    const columns = ['symbol', 'trading_date', ...COLUMNS].map((name) => ({ name, type: 'VARCHAR' }))
    const flags = { symbol: undefined, index: undefined, timeframe: undefined }
    const { fields, unknown } = mapColumns('securitiesSummary', columns, flags, 'file.csv')
    expect(fields.map(({ field }) => field)).toEqual(expect.arrayContaining(NAMES))
    expect(unknown).toEqual([])
  })

  test('has its words in lake, catalog and dictionary, and is known as it was', async () => {
    const warehouse = await emptyWarehouse()
    const columns = ADDED.map(([, column, type]) => `${column} ${FIELD_TYPES[type].sql}`)
    await warehouse.run('BEGIN')
    for (const column of columns) await warehouse.run(`ALTER TABLE market.daily_summary ADD COLUMN ${column}`)
    const described = (await describedRelations(warehouse)).find(
      ({ relation }) => relation.name === 'market.daily_summary',
    )
    const comments = new Map(described?.columns.map(({ name, comment }) => [name, comment]))
    expect(COLUMNS.map((column) => comments.get(column))).toEqual(
      ADDED.map(([, , type]) => `Added ${type}, units.`),
    )
    await warehouse.run(new Map(files).get('mart/known/daily_summary_as_known_on.sql') ?? '')
    const known = await warehouse.rows<{ column_name: string; column_type: string }>(
      `DESCRIBE FROM mart.daily_summary_as_known_on('2025-03-14 18:00:00+07')`,
    )
    const types = known.map(({ column_name, column_type }) => `${column_name} ${column_type}`)
    const spelled = columns.map((column) => column.replace('TIMESTAMPTZ', 'TIMESTAMP WITH TIME ZONE'))
    expect(types).toEqual(expect.arrayContaining(spelled))
    await warehouse.run('ROLLBACK')
  })

  test('is typed by the loading SQL, and a value that cannot be read rejects the record in words', async () => {
    const macros = await openMacros()
    const { table } = datasets.masterdata
    const records = [
      { symbol: 'AAA', tradingDate: '2025/03/14', addedDay: '2025/03/15', addedPrice: '1.5', addedFlag: '1' },
      { symbol: 'BBB', tradingDate: '2025/03/14', addedDay: 'x', addedPrice: '0.1234567', addedFlag: 'x' },
    ].map((record) => ({ ...Object.fromEntries(Object.keys(table).map((name) => [name, null])), ...record }))
    const type = JSON.stringify([
      Object.fromEntries([...Object.keys(table), 'board'].map((name) => [name, 'VARCHAR'])),
    ])
    await macros.run(
      `CREATE TEMP TABLE page_record AS SELECT '1' AS request_id, 1 AS ordinal, now() AS received_at, '*' AS window_key,
        DATE '2025-03-14' AS window_from, DATE '2025-03-14' AS window_to, unnest(from_json(?, '${type}')) AS r`,
      [JSON.stringify(records)],
    )
    await macros.run(new Map(files).get('load/masterdata.sql') ?? '')
    const rows = await macros.rows(
      'SELECT symbol, added_day, added_price, added_flag, reason FROM typed_record ORDER BY symbol',
    )
    const reason = [
      "addedDay: 'x' is not a date",
      "addedPrice: '0.1234567' is not a plain number with at most 6 decimals",
      "addedFlag: 'x' is not true or false",
    ].join('; ')
    expect(rows).toEqual([
      { symbol: 'AAA', added_day: '2025-03-15', added_price: '1.500000', added_flag: true, reason: null },
      { symbol: 'BBB', added_day: null, added_price: null, added_flag: null, reason },
    ])
  })
})
