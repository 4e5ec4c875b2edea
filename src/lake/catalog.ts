import { chmod, copyFile, rm } from 'node:fs/promises'
import { type Database, openDatabase } from '../duckdb/open.js'
import { identifier, literal, sqlFile } from '../duckdb/sqlfile.js'
import { StorageError } from '../errors.js'
import { installMart } from '../mart/install.js'
import { relations } from '../relations.js'
import { refused } from '../system-fault.js'
import { settleFile } from '../whole-file.js'
import { canKeepView, catalogHash, EMPTY_CATALOG, findBase, readsFiles } from './catalogbase.js'
import type { Manifest } from './manifest.js'
import { createView } from './relationview.js'

/**
 * Writes the catalog that analysts open: one view per relation over exactly the files of the manifest, by absolute path,
 * with the warehouse's comments, and schema `mart`. It is written to a temporary file, made read-only (0444) and renamed:
 * a reader keeps the catalog it opened, the next reader opens the new one.
 *
 * It starts as a copy of the former catalog, or of the empty one of the build, if only files differ: then only views whose
 * files changed are created again. A complete catalog takes 0.7 s, mostly for binding schema `mart`; only the views of all
 * relations take 0.2 s. A catalog that already shows this manifest is left unchanged, which is the usual case: it is not,
 * if a kill came before the rename or if the home was moved.
 *
 * @param lake absolute path under which readers see the lake
 * @returns whether it was written; false where it shows this manifest already
 * @throws StorageError if the disk refuses, or if an older version of candlehouse wrote the lake
 */
export async function writeCatalog(manifest: Manifest, lake: string, catalog: string): Promise<boolean> {
  requireAllRelations(manifest, lake)
  const base = await findBase([catalog, EMPTY_CATALOG], manifest, lake)
  if (base?.file === catalog && manifest.relations.every((relation) => readsFiles(base, relation)))
    return false
  const temp = `${catalog}.${process.pid}.tmp`
  try {
    await rm(temp, { force: true })
    await rm(`${temp}.wal`, { force: true })
    if (base) {
      await copyFile(base.file, temp)
      await chmod(temp, 0o600)
    }
    const database = await openDatabase(temp)
    try {
      await database.transaction(async () => {
        if (!base) await createSchemas(database, manifest)
        for (const relation of manifest.relations)
          if (!base || !canKeepView(base, relation)) await createView(database, relation, manifest, lake)
        if (!base) await installMartAndFiles(database, manifest)
        await listFiles(database, manifest)
      })
      await database.run('CHECKPOINT')
    } finally {
      database.close()
    }
    await settleFile(temp, catalog, 0o444)
    return true
  } catch (cause) {
    await rm(temp, { force: true })
    await rm(`${temp}.wal`, { force: true })
    const hint = 'the former catalog is unchanged; free some disk space, then run the same command again'
    throw refused(`write ${catalog}`, cause, hint)
  }
}

/** @throws StorageError if an older version wrote the manifest: views would read relations that do not exist */
function requireAllRelations(manifest: Manifest, lake: string): void {
  const published = new Set(manifest.relations.map(({ name }) => name))
  const missing = relations.filter(({ name }) => !published.has(name)).map(({ name }) => name)
  if (missing.length === 0) return
  throw new StorageError(
    `${lake} was published by an older version of candlehouse: ${missing.join(', ')} missing`,
    {
      hint: 'run candlehouse publish on the machine that writes the lake, then the same command again',
    },
  )
}

async function createSchemas(catalog: Database, manifest: Manifest): Promise<void> {
  const schemas = new Set(['mart', ...manifest.relations.map(({ name }) => name.split('.')[0] ?? '')])
  for (const schema of schemas) await catalog.run(`CREATE SCHEMA ${identifier(schema)}`)
}

/** Adds the table of files and schema `mart`. */
async function installMartAndFiles(catalog: Database, manifest: Manifest): Promise<void> {
  await catalog.run(sqlFile('catalog/lake_file.sql'))
  await installMart(catalog, catalogHash(manifest))
}

async function listFiles(catalog: Database, manifest: Manifest): Promise<void> {
  await catalog.run('DELETE FROM ops.lake_file')
  const files = manifest.relations.flatMap((relation) =>
    relation.files.map(({ partition, path }) => [relation.name, partition, path].map(literal).join(', ')),
  )
  if (files.length > 0) await catalog.run(`INSERT INTO ops.lake_file VALUES (${files.join('), (')})`)
}
