import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { referenceFile } from 'candlehouse-foundation/market/reference'
import type { Database } from '../duckdb/open.js'
import { literal, sqlTemplate } from '../duckdb/sqlfile.js'
import { sha256 } from '../home/sha256.js'
import { packageRoot } from '../package.js'
import { type MartObject, martObjects, writerObjects } from './objects.js'

/** Tables of `data/reference` that views read: the catalog carries them, since its readers have no other files. */
const REFERENCES = ['sessions', 'calendar', 'market_rules', 'ticks'] as const

/** Comments of columns that mean the same in several objects, by name of the column. */
const SHARED_COMMENTS = join(packageRoot, 'sql', 'mart', 'columns.csv')

/**
 * Creates the views, macros and reference tables of schema `mart`, unless they are there already.
 *
 * @param hash what `mart.made_of()` returns afterwards, where more than schema mart goes into it
 */
export async function installMart(database: Database, hash = martHash()): Promise<void> {
  if ((await installedHash(database)) !== hash) await install(database, martObjects(), hash)
}

/**
 * The same for the objects that the writer's side reads: its rules and the materialized tables.
 *
 * @returns SHA-256 of them
 */
export async function installForWriter(database: Database): Promise<string> {
  const objects = writerObjects()
  const wanted = hashOf(objects)
  const installed = await installedHash(database)
  // Most nights find the objects of the night before.
  if (installed !== wanted && installed !== martHash()) await install(database, objects, wanted)
  return wanted
}

async function install(database: Database, objects: readonly MartObject[], hash: string): Promise<void> {
  await installObjects(database, objects)
  await recordHash(database, hash)
}

/** Creates objects, in their order, with the comments that they share. */
export async function installObjects(database: Database, objects: readonly MartObject[]): Promise<void> {
  for (const name of REFERENCES)
    await database.run(`SET VARIABLE reference_${name} = ${literal(referenceFile(name))}`)
  await database.run(objects.map(({ text }) => text).join('\n'))
  await commentSharedColumns(database, objects)
}

/** Makes `mart.made_of()` return this hash. */
export async function recordHash(database: Database, hash: string): Promise<void> {
  await database.run(
    [
      `CREATE OR REPLACE MACRO mart.made_of() AS ${literal(hash)};`,
      "COMMENT ON MACRO mart.made_of IS 'SHA-256 of what schema mart was made of: it identifies a catalog of another version of candlehouse.';",
    ].join('\n'),
  )
}

/**
 * Columns without a comment of their own get the one of their name in `sql/mart/columns.csv`: the one for their object,
 * else the one for all objects.
 */
async function commentSharedColumns(database: Database, objects: readonly MartObject[]): Promise<void> {
  const names = objects.map(({ name }) => literal(name)).join(', ')
  const comments = await database.column<string>(
    sqlTemplate('install/shared_comments.sql', { comments: literal(SHARED_COMMENTS), objects: names }),
  )
  if (comments.length > 0) await database.run(comments.join('\n'))
}

/** SHA-256 of what `installMart` creates, as `mart.made_of()` returns it: it identifies a catalog of an older candlehouse. */
export function martHash(): string {
  return hashOf(martObjects())
}

/** Hash of the schema `mart` that a database has; undefined where it has none. */
export async function installedHash(database: Database): Promise<string | undefined> {
  const [hash] = await database.column<string>('SELECT mart.made_of()').catch(() => [])
  return hash
}

const hashes = new WeakMap<readonly MartObject[], string>()

/** SHA-256 of objects, of the reference tables and of the shared comments. */
export function hashOf(objects: readonly MartObject[]): string {
  const known = hashes.get(objects)
  if (known !== undefined) return known
  const files = [...REFERENCES.map(referenceFile), SHARED_COMMENTS].map((file) => readFileSync(file))
  const digest = sha256(...objects.map(({ text }) => text), ...files)
  hashes.set(objects, digest)
  return digest
}
