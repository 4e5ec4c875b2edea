import { StorageError } from 'candlehouse-foundation/errors'
import type { Database } from '../duckdb/open.js'
import { sqlFile, sqlFiles } from '../duckdb/sqlfile.js'
import { sha256 } from '../home/sha256.js'

interface Applied {
  version: number
  name: string
  sha256: string
}

interface Migration extends Applied {
  text: string
}

/**
 * Applies the numbered files of `sql/migrations` that the warehouse has not seen, each in a transaction
 * with its ledger row written first: a kill halfway leaves the version before, whole.
 *
 * @throws StorageError as `missingMigrations`
 */
export async function migrate(database: Database): Promise<void> {
  // Looked at before anything is written: what another program made stays as it is.
  const missing = await missingMigrations(database)
  if (missing.length === 0) return
  await database.run(sqlFile('warehouse/migration.sql'))
  // A migration keeps its text. DuckDB 2.0 no longer takes the arrow of lambdas, which number 25 has, by itself.
  await database.run("SET lambda_syntax = 'ENABLE_SINGLE_ARROW'")
  for (const file of missing) {
    await database.transaction(async () => {
      await database.run('INSERT INTO ops.migration VALUES (?, ?, ?)', [file.version, file.name, file.sha256])
      await database.run(file.text)
    })
  }
  await database.run('RESET lambda_syntax')
}

/**
 * The migrations that a warehouse has not seen; it only reads.
 *
 * @throws StorageError when the warehouse knows a migration that this program does not, or knows it otherwise, or when the
 * file is another program's
 */
export async function missingMigrations(database: Database): Promise<Migration[]> {
  const applied = await appliedMigrations(database)
  const known = numbered(sqlFiles('migrations')).map(({ version, name }): Migration => {
    const text = sqlFile(`migrations/${name}`)
    return { version, name, text, sha256: sha256(text) }
  })
  for (const row of applied) {
    const migration = known.find((file) => file.version === row.version)
    if (!migration) {
      throw new StorageError(
        `${database.file} was made by a newer candlehouse (schema ${row.version}, ${row.name})`,
        { hint: 'update candlehouse; nothing was changed' },
      )
    }
    if (migration.sha256 !== row.sha256) {
      throw new StorageError(`${database.file} holds another version of migration ${row.name}`, {
        hint: 'move the file away, then rebuild it: candlehouse replay',
      })
    }
  }
  return known.filter((each) => !applied.some((row) => row.version === each.version))
}

const LEDGER = 'ops.migration'

async function appliedMigrations(database: Database): Promise<Applied[]> {
  const relations = await database.column<string>(
    `SELECT schema_name || '.' || table_name FROM duckdb_tables() WHERE NOT temporary AND database_name = current_database()
     UNION ALL SELECT schema_name || '.' || view_name FROM duckdb_views()
     WHERE NOT internal AND NOT temporary AND database_name = current_database() ORDER BY ALL`,
  )
  const applied = relations.includes(LEDGER)
    ? await database.rows<Applied>(`SELECT version, name, sha256 FROM ${LEDGER} ORDER BY version`)
    : []
  const other = relations.find((name) => name !== LEDGER)
  if (applied.length > 0 || other === undefined) return applied
  throw new StorageError(`${database.file} is a DuckDB file of another program: it has ${other}`, {
    hint: 'move the file away; nothing was changed. Where raw/ has pages: candlehouse replay',
  })
}

/**
 * Migrations by their numbers. The build migrates an empty warehouse, so two branches that took the same number are
 * noticed there: otherwise every warehouse would be refused when it is opened for the second time.
 *
 * @throws RangeError where two files have one number
 */
export function numbered(names: readonly string[]): { version: number; name: string }[] {
  const byVersion = new Map<number, string>()
  for (const name of names) {
    const version = Number.parseInt(name, 10)
    const other = byVersion.get(version)
    if (other) throw new RangeError(`migrations ${other} and ${name} have the same number`)
    byVersion.set(version, name)
  }
  return [...byVersion].map(([version, name]) => ({ version, name }))
}
