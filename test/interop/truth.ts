import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { lakeMarts, type Relation } from '../../src/relations.js'
import { deltaFiles } from '../support/delta.js'
import { type Column, type ColumnFigures, type Figures, type Kind, kindOf, type Probe } from './question.js'

/** What DuckDB says of a relation. */
export interface Truth {
  columns: Column[]
  figures: Figures
}

/** DuckDB over the catalog, or over files alone. Nothing of the Delta log is known to it. */
export interface Oracle {
  /** The current state, by the catalog. */
  current(relation: Relation): Promise<Truth>
  /** A former version: the files that its log entries name, put together by the tests' own reading of the protocol. */
  former(relation: Relation, table: string, version: number): Promise<Truth>
  /** The bounds of every column and null, with how many rows have them. */
  probes(relation: Relation, truth: Truth): Promise<{ probes: Probe[]; counts: string[] }>
  close(): void
}

const EXACT: Partial<Record<Kind, (column: string) => string>> = {
  date: (column) => `date_diff('day', DATE '1970-01-01', ${column})`,
  instant: (column) => `epoch_us(${column})`,
  boolean: (column) => `${column}::INTEGER`,
}

const SUMMAND: Partial<Record<Kind, (column: string) => string>> = {
  text: (column) => `strlen(${column})`,
  double: (column) => `floor(${column} * 1e6)::HUGEINT`,
}

export async function openOracle(catalog: string): Promise<Oracle> {
  const instance = await DuckDBInstance.create(catalog, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
  return {
    current: async (relation) => await truthOf(connection, currentRows(relation)),
    former: async (_relation, table, version) => {
      const files = deltaFiles(table, version).map((file) => `'${join(table, file)}'`)
      const stored = `FROM read_parquet([${files.join(', ')}], hive_partitioning = false)`
      return await truthOf(connection, stored)
    },
    probes: async (relation, { columns, figures }) => {
      const probes = columns.flatMap((column) => {
        const { min, max } = figures.columns[column.name] as ColumnFigures
        return [...new Set([min, max, null])].map((value) => ({ column, value }))
      })
      const asked = probes.map(({ column, value }) => {
        if (value === null) return `count(*) FILTER ("${column.name}" IS NULL)`
        return `count(*) FILTER (${exactly(column)} = ${literalOf(column, value)})`
      })
      return { probes, counts: (await firstRow(connection, asked, currentRows(relation))) as string[] }
    },
    close: () => {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** Rows as the lake stores them: the catalog derives more timeframes, the local time, and columns that a table lacks. */
function currentRows({ name }: Relation): string {
  if (name === 'market.candle') return 'SELECT * EXCLUDE (local_time) FROM market.candle WHERE NOT is_derived'
  const { omitted = [] } = lakeMarts.find((mart) => mart.name === name) ?? {}
  return omitted.length > 0 ? `SELECT * EXCLUDE (${omitted.join(', ')}) FROM ${name}` : `FROM ${name}`
}

async function truthOf(connection: DuckDBConnection, rows: string): Promise<Truth> {
  const described = await connection.runAndReadAll(`DESCRIBE ${rows}`)
  const columns = described.getRowObjects().map((row): Column => {
    const [name, type] = [String(row.column_name), String(row.column_type)]
    return { name, type, kind: kindOf(type) }
  })
  const asked = columns.flatMap((column) => {
    const exact = exactly(column)
    const summand = SUMMAND[column.kind]?.(exact) ?? exact
    return [`count("${column.name}")`, `sum(${summand})`, `min(${exact})`, `max(${exact})`]
  })
  const [count, ...said] = await firstRow(connection, ['count(*)', ...asked], rows)
  const figures = columns.map(({ name, type }, index): [string, ColumnFigures] => {
    const [values, sum = null, min = null, max = null] = said.slice(index * 4)
    return [name, { type, values: String(values), sum, min, max }]
  })
  return { columns, figures: { rows: String(count), columns: Object.fromEntries(figures), probes: [] } }
}

async function firstRow(
  connection: DuckDBConnection,
  asked: readonly string[],
  rows: string,
): Promise<(string | null)[]> {
  const texts = asked.map((each) => `(${each})::VARCHAR`).join(', ')
  const [row = []] = (await connection.runAndReadAll(`SELECT ${texts} FROM (${rows})`)).getRows()
  return row as (string | null)[]
}

function exactly({ name, kind }: Column): string {
  return EXACT[kind]?.(`"${name}"`) ?? `"${name}"`
}

/** A double is read from its text: as a decimal literal its last digit may become another. */
function literalOf({ kind }: Column, value: string): string {
  if (kind === 'double') return `CAST(${quoted(value)} AS DOUBLE)`
  return kind === 'text' ? quoted(value) : value
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
