/**
 * Writes `test/recorded/world` anew: `npm run build && npx tsx test/recorded/record.ts`. Only a home that the oracle has
 * recomputed without a difference is recorded.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../src/duckdb/open.js'
import { literal } from '../../src/duckdb/sqlfile.js'
import { makeHome } from '../oracle/home.js'
import { hasOracle, recompute } from '../oracle/recompute.js'
import { WORLD } from './world.js'

/** Enough for windows of 250 sessions, for splits in them, and for evenings of every kind; bars of fewer sessions, since they are large. */
const SESSIONS = 260
const EVENINGS = 10
const WITH_BARS = 15

/** What a warehouse knows of its own files: none of it is the market's or an account's. */
const OF_FILES = new Set([
  ...['migration', 'lake_file', 'file_period', 'publication', 'sealed_file', 'dirty_partition'].map(
    (name) => `ops.${name}`,
  ),
])

async function exportTables(home: string): Promise<void> {
  rmSync(WORLD, { recursive: true, force: true })
  mkdirSync(WORLD, { recursive: true })
  const database = await openDatabase(join(home, 'warehouse.duckdb'), { readOnly: true })
  const tables = await database.rows<{ name: string }>(
    `SELECT schema_name || '.' || table_name AS name FROM duckdb_tables()
     WHERE schema_name IN ('market', 'account', 'ops') AND estimated_size > 0`,
  )
  // Sorted, so that the same rows are the same file.
  for (const { name } of tables.filter((table) => !OF_FILES.has(table.name)))
    await database.run(
      `COPY (FROM ${name} ORDER BY ALL) TO ${literal(join(WORLD, `${name}.parquet`))} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 19)`,
    )
  database.close()
}

if (!hasOracle()) throw new Error('no oracle: make interop installs what it needs')
const home = await makeHome(SESSIONS, EVENINGS, WITH_BARS)
try {
  if (!recompute(home)) throw new Error('the oracle found differences: nothing is recorded')
  await exportTables(home)
} finally {
  rmSync(home, { recursive: true, force: true })
}
