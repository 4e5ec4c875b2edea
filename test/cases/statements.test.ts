import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { identifier, literal, sqlTemplate } from '../../src/duckdb/sqlfile.js'
import { packageRoot } from '../../src/package.js'
import { emptyWarehouse } from '../support/memory.js'

/**
 * Statements of console, report, metrics, commands and shipped watches, each alone: a folder a statement, in it a file a case. The relations that it reads
 * are tables with the given rows and nothing else, whatever they are made of.
 */
const FOLDERS = ['console', 'metrics', 'night', 'read', 'report', 'watches'] as const

type Row = Readonly<Record<string, unknown>>

interface Case {
  /** How the expected rows were found by hand, and what would be wrong without them. */
  readonly notes: string
  /** Statements that run before: for variables and for relations that the warehouse does not have. @default none */
  readonly setup?: string
  /** Parts of the statement, as SQL. @default none */
  readonly parts?: Readonly<Record<string, string>>
  /** What stands for each `?`, or for `$1`, as SQL. @default none */
  readonly values?: readonly string[]
  /** Rows of relations by name; columns that are not named are null. Many alike: a statement that gives them. */
  readonly given: Readonly<Record<string, readonly Row[] | string>>
  /** Which rows matter here, as SQL: for statements about all relations. @default all */
  readonly where?: string
  /** These rows in their order, with the columns that matter here. */
  readonly expected: readonly Row[]
}

/** What a relation is, and the types of its columns. */
interface Shape {
  readonly kind: 'TABLE' | 'VIEW'
  readonly types: ReadonlyMap<string, string>
}

/** Of the warehouse's own relations: describing a view takes longer than most statements. */
const shapes = new Map<string, Shape>()

async function shapeOf(database: Database, relation: string): Promise<Shape> {
  const described = await database.rows<{ column_name: string; column_type: string }>(`DESCRIBE ${relation}`)
  const [schema = '', name = ''] = relation.split('.')
  const [view] = await database.rows(
    `FROM duckdb_views() WHERE schema_name = ${literal(schema)} AND view_name = ${literal(name)}`,
  )
  const types = new Map(described.map((column) => [column.column_name, column.column_type]))
  return { kind: view ? 'VIEW' : 'TABLE', types }
}

/**
 * A relation becomes a table of the same columns, with these rows.
 *
 * @param isOwn whether all relations are the warehouse's own: a case may make others
 */
async function give(
  database: Database,
  relation: string,
  rows: readonly Row[] | string,
  isOwn: boolean,
): Promise<void> {
  const shape = shapes.get(relation) ?? (await shapeOf(database, relation))
  if (isOwn) shapes.set(relation, shape)
  const { kind, types } = shape
  const columns = [...types].map(([column, type]) => `${identifier(column)} ${type}`)
  await database.run(`DROP ${kind} ${relation}; CREATE TABLE ${relation} (${columns.join(', ')})`)
  if (typeof rows === 'string') {
    await database.run(`INSERT INTO ${relation} BY NAME ${rows}`)
    return
  }
  const inserts = rows.map((row) => {
    const unknown = Object.keys(row).filter((column) => !types.has(column))
    expect(unknown.map((column) => `${relation} has no ${column}: take it from given`)).toEqual([])
    const values = Object.values(row).map((value) => (value === null ? 'NULL' : literal(textOf(value))))
    const named = Object.keys(row).map(identifier)
    return `INSERT INTO ${relation} (${named.join(', ')}) VALUES (${values.join(', ')})`
  })
  if (inserts.length > 0) await database.run(inserts.join(';\n'))
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What the statement gives, as JSON has it. */
async function answered(database: Database, statement: string, where = 'true'): Promise<Row[]> {
  const text = statement.trim().replace(/;$/, '')
  const rows = await database.rows<{ row: string }>(
    `SELECT CAST(to_json(answer) AS VARCHAR) AS row FROM (\n${text}\n) AS answer WHERE ${where}`,
  )
  return rows.map(({ row }) => JSON.parse(row) as Row)
}

const rounded = (value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(9)) : value

/** Paths below a folder that end so, without the ending, sorted. */
function namesIn(folder: string, ending: string): string[] {
  return readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => path.slice(0, -ending.length))
    .sort()
}

describe.each(FOLDERS)('%s', (folder) => {
  const cases = namesIn(`test/cases/${folder}`, '.json')
  test.each(cases)('%s', async (name) => {
    const text = readFileSync(join(packageRoot, 'test/cases', folder, `${name}.json`), 'utf8')
    const { setup, parts = {}, values = [], given, where, expected } = JSON.parse(text) as Case
    const database = await emptyWarehouse()
    await database.run('BEGIN')
    try {
      if (setup) await database.run(setup)
      for (const [relation, rows] of Object.entries(given))
        await give(database, relation, rows, setup === undefined)
      const bound = values.values()
      const statement = sqlTemplate(`${folder}/${dirname(name)}.sql`, parts).replaceAll(
        /\?|\$(\d)/g,
        (_, place?: string) => (place ? values[Number(place) - 1] : bound.next().value) ?? 'NULL',
      )
      const rows = await answered(database, statement, where)
      const columns = Object.keys(expected[0] ?? {})
      const actual = rows.map((row) =>
        Object.fromEntries(columns.map((column) => [column, rounded(row[column])])),
      )
      expect(actual).toEqual(expected)
    } finally {
      await database.run('ROLLBACK')
    }
  })

  test('every statement has a case', () => {
    const statements = namesIn(`sql/${folder}`, '.sql')
    const tested = new Set(cases.map((name) => dirname(name)))
    const lacking = statements
      .filter((name) => !tested.has(name))
      .map((name) => `sql/${folder}/${name}.sql has no case: add test/cases/${folder}/${name}/….json`)
    const gone = [...tested]
      .filter((name) => !statements.includes(name))
      .map((name) => `sql/${folder}/${name}.sql is gone: remove test/cases/${folder}/${name}`)
    expect([...lacking, ...gone]).toEqual([])
  })
})
