import { StorageError } from 'candlehouse-foundation/errors'
import type { Database } from '../duckdb/open.js'
import { sqlFile, sqlFiles } from '../duckdb/sqlfile.js'
import { sha256 } from '../home/sha256.js'

interface Applied {
  version: number
  name: string
  sha256: string
}

/**
 * Applies the numbered files of `sql/migrations` that the warehouse has not seen, each in a transaction
 * with its ledger row written first: a kill halfway leaves the version before, whole.
 *
 * @throws StorageError when the warehouse knows a migration that this program does not, or knows it otherwise
 */
export async function migrate(database: Database): Promise<void> {
  // Looked at before anything is written: what a newer program made stays as it is.
  const [ledger] = await database.rows(
    `SELECT 1 FROM duckdb_tables() WHERE schema_name = 'ops' AND table_name = 'migration'`,
  )
  const applied = ledger
    ? await database.rows<Applied>('SELECT version, name, sha256 FROM ops.migration ORDER BY version')
    : []
  const known = numbered(sqlFiles('migrations')).map(({ version, name }) => {
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
  if (!ledger) await database.run(sqlFile('warehouse/migration.sql'))
  const missing = known.filter((each) => !applied.some((row) => row.version === each.version))
  if (missing.length === 0) return
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
