import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import { referenceFile } from '../market/reference.js'
import { type MartObject, martObjects, writerObjects } from './objects.js'

/** Tables of `data/reference` that views read: the catalog carries them, since its readers have no other files. */
const REFERENCES = ['sessions', 'calendar'] as const

/**
 * Creates the views, macros and reference tables of schema `mart`, where they are not there already.
 *
 * @param made what `mart.made_of()` is to say, where more than schema mart goes into it
 */
export async function installMart(database: Database, made = martHash()): Promise<void> {
  if ((await installedHash(database)) !== made) await install(database, martObjects(), made)
}

/**
 * The same of what the writer's side reads: rules, and what fills the kept tables.
 *
 * @returns SHA-256 of it
 */
export async function installForWriter(database: Database): Promise<string> {
  const objects = writerObjects()
  const wanted = hashOf(objects)
  const there = await installedHash(database)
  // Most nights find what the last one made.
  if (there !== wanted && there !== martHash()) await install(database, objects, wanted)
  return wanted
}

async function install(database: Database, objects: readonly MartObject[], made: string): Promise<void> {
  for (const name of REFERENCES)
    await database.run(`SET VARIABLE reference_${name} = ${literal(referenceFile(name))}`)
  await database.run(
    [
      ...objects.map(({ text }) => text),
      `CREATE OR REPLACE MACRO mart.made_of() AS ${literal(made)};`,
      "COMMENT ON MACRO mart.made_of IS 'SHA-256 of what schema mart was made of: tells a catalog that another candlehouse wrote.';",
    ].join('\n'),
  )
}

/** SHA-256 of what `installMart` creates, as `mart.made_of()` says it: tells a catalog that an older candlehouse wrote. */
export function martHash(): string {
  return hashOf(martObjects())
}

/** What a database says that its schema `mart` was made of; undefined where it says nothing. */
export async function installedHash(database: Database): Promise<string | undefined> {
  const [made] = await database
    .rows<{ made_of: string }>('SELECT mart.made_of() AS made_of')
    .catch(() => [undefined])
  return made?.made_of
}

function hashOf(objects: readonly MartObject[]): string {
  const hash = createHash('sha256')
  for (const { text } of objects) hash.update(text)
  for (const name of REFERENCES) hash.update(readFileSync(referenceFile(name)))
  return hash.digest('hex')
}
