import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { identifier } from '../../src/duckdb/sqlfile.js'
import { installMart } from '../../src/mart/install.js'
import { migrate } from '../../src/warehouse/migrate.js'
import { type PlannedOnce, plannedOnce } from './planned-once.js'

let shared: Promise<Shared> | undefined

interface Shared {
  readonly database: Database
  readonly planned: PlannedOnce
  /** Tables that a new warehouse has rows in. */
  readonly seeded: ReadonlySet<string>
}

/** A warehouse in memory with schema mart, as new: made once a worker, emptied of whatever the cases before have written. */
export async function emptyWarehouse(): Promise<Database> {
  const { database, planned } = await emptied()
  planned.forget()
  await database.run("SET disabled_optimizers = ''")
  return database
}

/** The same warehouse for one of many cases that run the same statements on a handful of rows: each is planned once. */
export async function emptyPlannedWarehouse(): Promise<Database> {
  const { database, planned } = await emptied()
  // DuckDB does not notice that the statistics of a table have changed since it planned.
  await database.run("SET disabled_optimizers = 'statistics_propagation'")
  return planned.database
}

async function emptied(): Promise<Shared> {
  shared ??= migrated()
  const { database, seeded } = await shared
  const tables = (await withRows(database)).filter((table) => !seeded.has(table))
  // DuckDB counts deleted rows until a checkpoint: without one, every table that a case has used is deleted from again.
  const deletes = tables.map((table) => `DELETE FROM ${table};`)
  if (deletes.length > 0) await database.run([...deletes, 'CHECKPOINT;'].join('\n'))
  return await shared
}

async function migrated(): Promise<Shared> {
  // A handful of rows: a second thread only waits for them.
  const database = await openDatabase(':memory:', { threads: 1 })
  await migrate(database)
  await installMart(database)
  return { database, planned: plannedOnce(database), seeded: new Set(await withRows(database)) }
}

/** Tables that have rows. */
async function withRows(database: Database): Promise<string[]> {
  const tables = await database.rows<{ schema_name: string; table_name: string }>(
    'SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT temporary AND estimated_size > 0',
  )
  return tables.map((table) => `${identifier(table.schema_name)}.${identifier(table.table_name)}`)
}
