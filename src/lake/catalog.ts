import { chmod, copyFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Database, openDatabase } from '../duckdb/open.js'
import { identifier, literal, sqlFile } from '../duckdb/sqlfile.js'
import { StorageError } from '../errors.js'
import { installMart } from '../mart/install.js'
import { relations } from '../relations.js'
import { baseOf, EMPTY_CATALOG, madeOfManifest, readsFiles, staysAsIs } from './base.js'
import { syncPath } from './files.js'
import type { Manifest } from './manifest.js'
import { describeRelation } from './view.js'

/**
 * Writes what analysts open: a view per relation over exactly the files of the manifest, by absolute path, with the
 * warehouse's comments, and schema `mart`. Built beside, made read-only (0444), then renamed over: a reader holds the one
 * it opened, the next reader opens the new one. It begins as a copy of the former catalog, or of the empty one that the
 * build made, where these show the same: only views whose files changed are made again. All of it takes 0.7 s, most of
 * that for schema `mart` to be bound; views of every relation over other files 0.2 s. One that shows just that stays as it
 * is: a kill may have come before the rename, the home may have been moved, and mostly neither is so.
 *
 * @param lake absolute path under which readers see the lake
 * @throws StorageError when the disk refuses, or the lake is of an older candlehouse
 */
export async function writeCatalog(manifest: Manifest, lake: string, catalog: string): Promise<void> {
  requireAllRelations(manifest, lake)
  const base = await baseOf([catalog, EMPTY_CATALOG], manifest, lake)
  if (base?.file === catalog && manifest.relations.every((relation) => readsFiles(base, relation))) return
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
          if (!base || !staysAsIs(base, relation)) await describeRelation(database, relation, manifest, lake)
        if (!base) await finish(database, manifest)
        await nameFiles(database, manifest)
      })
      await database.run('CHECKPOINT')
    } finally {
      database.close()
    }
    await chmod(temp, 0o444)
    await syncPath(temp)
    await rename(temp, catalog)
    await syncPath(dirname(catalog))
  } catch (cause) {
    await rm(temp, { force: true })
    await rm(`${temp}.wal`, { force: true })
    throw new StorageError(`cannot write ${catalog}: ${(cause as Error).message.split('\n')[0]}`, {
      hint: 'the former catalog is still served; free some space, then run the same command again',
      cause,
    })
  }
}

/** @throws StorageError for a lake whose manifest an older candlehouse wrote: views would read what is not there */
function requireAllRelations(manifest: Manifest, lake: string): void {
  const told = new Set(manifest.relations.map(({ name }) => name))
  const missing = relations.filter(({ name }) => !told.has(name)).map(({ name }) => name)
  if (missing.length === 0) return
  throw new StorageError(`${lake} was published by an older candlehouse: it has no ${missing.join(', ')}`, {
    hint: 'run candlehouse publish where the lake is written, then the same command again',
  })
}

async function createSchemas(catalog: Database, manifest: Manifest): Promise<void> {
  const schemas = new Set(['mart', ...manifest.relations.map(({ name }) => name.split('.')[0] ?? '')])
  for (const schema of schemas) await catalog.run(`CREATE SCHEMA ${identifier(schema)}`)
}

/** What stands beside the relations. */
async function finish(catalog: Database, manifest: Manifest): Promise<void> {
  await catalog.run(sqlFile('catalog/lake_file.sql'))
  await installMart(catalog, madeOfManifest(manifest))
}

async function nameFiles(catalog: Database, manifest: Manifest): Promise<void> {
  await catalog.run('DELETE FROM ops.lake_file')
  const files = manifest.relations.flatMap((relation) =>
    relation.files.map(({ partition, path }) => [relation.name, partition, path].map(literal).join(', ')),
  )
  if (files.length > 0) await catalog.run(`INSERT INTO ops.lake_file VALUES (${files.join('), (')})`)
}
