import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bind, Database } from '../../src/duckdb/open.js'
import { identifier, literal } from '../../src/duckdb/sqlfile.js'
import { refreshMaterialized } from '../../src/mart/materialized.js'
import { martObjects, readsOf } from '../../src/mart/objects.js'
import { emptyPlannedWarehouse } from '../support/memory.js'

/** Where a case says what is given: a CSV file a relation, empty cells are NULL. */
const GIVEN = /^(market|account|ops|recon)\.\w+\.csv$/

/** Tables of schema `mart` that are made of the others. */
const KEPT = [
  'mart.adjustment_event',
  'mart.reference_glitch',
  'mart.chain_gap',
  'mart.intraday',
  'mart.session_factor',
]

/** Kept tables that a statement reads, itself or through objects. */
export function keptOf(sql: string): string[] {
  const needed = new Set(readsOf(sql))
  // From the end: an object comes after those it reads.
  for (const { name, reads } of [...martObjects()].reverse())
    if (needed.has(`mart.${name}`)) for (const read of reads) needed.add(read)
  return KEPT.filter((table) => needed.has(table))
}

/**
 * A warehouse in memory that holds just the CSV files of a folder.
 *
 * @param kept the kept tables of schema `mart` that are needed: to make them takes most of a case's time
 */
export async function warehouseOf(folder: string, kept: readonly string[] = KEPT): Promise<Database> {
  const database = await emptyPlannedWarehouse()
  const files = readdirSync(folder).filter((file) => GIVEN.test(file))
  const relations = files.map((file) => file.slice(0, -'.csv'.length))
  for (const relation of relations) {
    const file = join(folder, `${relation}.csv`)
    const [header = ''] = readFileSync(file, 'utf8').split('\n')
    const names = header.trim().split(',').map(identifier).join(', ')
    await database.run(
      `INSERT INTO ${relation} (${names}) SELECT ${names} FROM read_csv(${literal(file)}, header = true, all_varchar = true, delim = ',')`,
    )
  }
  if (kept.length === 0) return database
  for (const relation of [
    'market.price_limit',
    'market.daily_summary',
    'market.candle',
    'market.index_summary',
  ])
    await database.run(
      `INSERT INTO ops.dirty_partition SELECT DISTINCT ${literal(relation)}, CAST(trading_date AS VARCHAR) FROM ${relation}`,
    )
  await refreshMaterialized(refreshing(database, kept))
  return database
}

/** Wider than the sessions of any case: the statements that compute events then have the same range in all of them, and one plan. */
const ALL_SESSIONS = { first: '1995-01-01', last: '2035-12-31' }

/** A database that makes only some of the kept tables. Nothing that is kept is made of factors. */
function refreshing(database: Database, kept: readonly string[]): Database {
  const isLeftOut = (sql: string): boolean =>
    !kept.includes('mart.session_factor') &&
    /\b(refreshed_factor|changed_factor|withheld\w*|changed_input)\b/.test(sql)
  return {
    ...database,
    run: async (sql, values) => {
      if (!isLeftOut(sql)) await database.run(sql, values)
    },
    rows: async <Row>(sql: string, values?: readonly Bind[]) => {
      const rows = await database.rows<Row>(sql, values)
      return sql.startsWith('-- grain: one row: the trading dates whose adjustment events may have changed')
        ? ([ALL_SESSIONS] as Row[])
        : rows
    },
    column: async <Value>(sql: string, values?: readonly Bind[]) =>
      isLeftOut(sql) ? ([] as Value[]) : await database.column<Value>(sql, values),
  }
}
