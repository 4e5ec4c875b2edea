import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { installMart } from '../../src/mart/install.js'
import { migrate } from '../../src/warehouse/migrate.js'

/** A warehouse in memory with schema mart, made once a worker and emptied for every case. */
export interface MemoryWarehouse {
  /** Without what the case before has filled. */
  empty(): Promise<Database>
  /** What is to be emptied for the next case. */
  filled(relations: readonly string[]): void
}

let shared: Promise<Database> | undefined
let touched: readonly string[] = []

export const memoryWarehouse: MemoryWarehouse = {
  async empty() {
    shared ??= migrated()
    const database = await shared
    for (const relation of touched) await database.run(`DELETE FROM ${relation}`)
    touched = []
    return database
  },
  filled: (relations) => {
    touched = relations
  },
}

async function migrated(): Promise<Database> {
  // A handful of rows: a second thread only waits for them.
  const database = await openDatabase(':memory:', { threads: 1 })
  await migrate(database)
  await installMart(database)
  return database
}
