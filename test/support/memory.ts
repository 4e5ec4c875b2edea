import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { identifier } from '../../src/duckdb/sqlfile.js'
import { installMart } from '../../src/mart/install.js'
import { migrate } from '../../src/warehouse/migrate.js'

let shared: Promise<Shared> | undefined

interface Shared {
  readonly database: Database
  /** Tables that a new warehouse has rows in. */
  readonly seeded: ReadonlySet<string>
}

/** A warehouse in memory with schema mart, as new: made once a worker, emptied of whatever the cases before have written. */
export async function emptyWarehouse(): Promise<Database> {
  shared ??= migrated()
  const { database, seeded } = await shared
  for (const table of await withRows(database))
    if (!seeded.has(table)) await database.run(`DELETE FROM ${table}`)
  return database
}

async function migrated(): Promise<Shared> {
  // A handful of rows: a second thread only waits for them.
  const database = await openDatabase(':memory:', { threads: 1 })
  await migrate(database)
  await installMart(database)
  return { database, seeded: new Set(await withRows(database)) }
}

/** Tables that have rows, or had: DuckDB counts deleted ones until a checkpoint. */
async function withRows(database: Database): Promise<string[]> {
  const tables = await database.rows<{ schema_name: string; table_name: string }>(
    'SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT temporary AND estimated_size > 0',
  )
  return tables.map((table) => `${identifier(table.schema_name)}.${identifier(table.table_name)}`)
}
