import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../src/duckdb/open.js'
import { identifier, literal } from '../../src/duckdb/sqlfile.js'
import { refreshMaterialized } from '../../src/mart/materialized.js'
import { martObjects, readsOf } from '../../src/mart/objects.js'
import { emptyWarehouse } from '../support/memory.js'

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

/** Whether a statement reads a kept table, or an object that does. */
export function readsKept(sql: string): boolean {
  const needed = new Set(readsOf(sql))
  // From the end: an object comes after those it reads.
  for (const { name, reads } of [...martObjects()].reverse())
    if (needed.has(`mart.${name}`)) for (const read of reads) needed.add(read)
  return KEPT.some((table) => needed.has(table))
}

/**
 * A warehouse in memory that holds just the CSV files of a folder.
 *
 * @param withKept whether the kept tables of schema `mart` are made of them: that takes most of a case's time
 */
export async function warehouseOf(folder: string, withKept = true): Promise<Database> {
  const database = await emptyWarehouse()
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
  if (!withKept) return database
  for (const relation of [
    'market.price_limit',
    'market.daily_summary',
    'market.candle',
    'market.index_summary',
  ])
    await database.run(
      `INSERT INTO ops.dirty_partition SELECT DISTINCT ${literal(relation)}, CAST(trading_date AS VARCHAR) FROM ${relation}`,
    )
  await refreshMaterialized(database)
  return database
}
