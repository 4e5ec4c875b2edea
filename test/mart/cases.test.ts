import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { identifier, literal } from '../../src/duckdb/sqlfile.js'
import { martObjects } from '../../src/mart/objects.js'
import { packageRoot } from '../../src/package.js'
import { relations } from '../../src/relations.js'
import { keptOf, warehouseOf } from './world.js'

/**
 * A folder an object of schema `mart`, in it a folder a case: what is given (a CSV file a relation), `expected.csv`
 * (the columns it names; empty cells are NULL), `notes.md` (how the expected values were computed by hand), and
 * `query.sql` where the object is not simply read whole (a macro needs its arguments).
 */
const folder = join(packageRoot, 'test/cases/mart')
const objects = readdirSync(folder).sort()

type Cell = string | number | bigint | boolean | null

/** Rows in the order of their text, numbers rounded to what hand-computed values give: nine digits. */
function comparable(rows: readonly Record<string, Cell>[], doubles: ReadonlySet<string>): string[] {
  const cell = (name: string, value: Cell): string => {
    if (value === null) return ''
    if (!doubles.has(name)) return String(value)
    const number = Number(value)
    return String(Math.abs(number) < 1e-12 ? 0 : Number(number.toPrecision(9)))
  }
  return rows
    .map((row) =>
      Object.entries(row)
        .map(([name, value]) => `${name}=${cell(name, value)}`)
        .join(' '),
    )
    .sort()
}

/** Columns that a query lacks, where it has others than those that are read of it. */
async function lackedBy(database: Database, query: string, names: readonly string[]): Promise<string[]> {
  const described = await database.column<string>(`DESCRIBE (${query})`)
  return names.filter((name) => !described.includes(name))
}

interface Read {
  readonly rows: Record<string, Cell>[]
  readonly types: ReadonlyMap<string, string>
}

/** The columns of a query as text, and their types by name: in one statement, since planning a view takes longer than its few rows. */
async function read(database: Database, query: string, names: readonly string[]): Promise<Read> {
  const columns = names.flatMap((name) => [
    `CAST(${identifier(name)} AS VARCHAR) AS ${identifier(name)}`,
    `typeof(${identifier(name)}) AS ${identifier(typeOf(name))}`,
  ])
  const typed = await database.rows<Record<string, Cell>>(`SELECT ${columns.join(', ')} FROM (${query})`)
  const rows = typed.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null])))
  return { rows, types: new Map(names.map((name) => [name, String(typed[0]?.[typeOf(name)] ?? 'VARCHAR')])) }
}

const typeOf = (name: string): string => `type of ${name}`

describe.each(objects)('%s', (object) => {
  test.each(readdirSync(join(folder, object)).sort())('%s', async (name) => {
    const path = join(folder, object, name)
    const expected = join(path, 'expected.csv')
    const [header = ''] = readFileSync(expected, 'utf8').split('\n')
    const names = header.trim().split(',')
    const file = join(path, 'query.sql')
    const query = existsSync(file) ? readFileSync(file, 'utf8').replace(/;\s*$/, '') : `FROM mart.${object}`
    const database = await warehouseOf(path, keptOf(`${query} mart.${object}`))
    const { rows: actual, types } = await read(database, query, names).catch(async (cause: unknown) => {
      const unknown = await lackedBy(database, query, names)
      expect(unknown.map((each) => `${object} has no ${each}: take it from ${expected}`)).toEqual([])
      throw cause
    })
    const doubles = new Set(names.filter((each) => types.get(each) === 'DOUBLE'))
    // Through the column's own type, so that 27050 and 27050.000000 are the same DECIMAL.
    const typed = names.map(
      (each) => `CAST(CAST(${identifier(each)} AS ${types.get(each)}) AS VARCHAR) AS ${identifier(each)}`,
    )
    const wanted = await database.rows<Record<string, Cell>>(
      `SELECT ${typed.join(', ')} FROM read_csv(${literal(expected)}, header = true, all_varchar = true, delim = ',')`,
    )
    expect(comparable(actual, doubles)).toEqual(comparable(wanted, doubles))
    expect(existsSync(join(path, 'notes.md')), 'notes.md says how the values were computed').toBe(true)
  })
})

test('every view and every kept table has a case', () => {
  const kept = relations.filter(({ name }) => name.startsWith('mart.')).map(({ name }) => name.slice(5))
  const views = martObjects().flatMap(({ kind, name }) => (kind === 'view' ? [name] : []))
  const lacking = [...views, ...kept].filter((name) => !objects.includes(name))
  expect(lacking.map((name) => `${name} has no case: add test/cases/mart/${name}/…/expected.csv`)).toEqual([])
})
