import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { identifier, literal } from '../../src/duckdb/sqlfile.js'
import { installMart } from '../../src/mart/install.js'
import { refreshStored } from '../../src/mart/stored.js'
import { migrate } from '../../src/warehouse/migrate.js'

/** Where a case says what is given: a CSV file a relation, empty cells are NULL. */
const GIVEN = /^(market|account|ops|recon)\.\w+\.csv$/

/** Migrated once: a case empties what the one before it has filled. */
let shared: Promise<Database> | undefined
let filled: string[] = []

async function migrated(): Promise<Database> {
  const database = await openDatabase(':memory:')
  await migrate(database)
  await installMart(database)
  return database
}

afterAll(async () => {
  ;(await shared)?.close()
  shared = undefined
  filled = []
})

/** A warehouse in memory that holds just the CSV files of a folder, with the kept tables of schema `mart` made of them. */
export async function warehouseOf(folder: string): Promise<Database> {
  shared ??= migrated()
  const database = await shared
  for (const relation of filled) await database.run(`DELETE FROM ${relation}`)
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
  for (const relation of ['market.price_limit', 'market.daily_summary', 'market.candle'])
    await database.run(
      `INSERT INTO ops.dirty_partition SELECT DISTINCT ${literal(relation)}, CAST(trading_date AS VARCHAR) FROM ${relation}`,
    )
  await refreshStored(database)
  filled = [
    ...relations,
    'ops.dirty_partition',
    'mart.adjustment_event',
    'mart.reference_glitch',
    'mart.intraday',
  ]
  return database
}
