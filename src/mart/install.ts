import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import { referenceFile } from '../market/reference.js'
import { martObjects } from './objects.js'

/** Tables of `data/reference` that views read: the catalog carries them, since its readers have no other files. */
const REFERENCES = ['sessions', 'calendar'] as const

/**
 * Creates the views, macros and reference tables of schema `mart`: the same in the warehouse, where rules read them, and
 * in the catalog.
 */
export async function installMart(database: Database): Promise<void> {
  // Most nights find what the last one made: a statement instead of one a view.
  const [made] = await database
    .rows<{ made_of: string }>('SELECT mart.made_of() AS made_of')
    .catch(() => [undefined])
  const hash = martHash()
  if (made?.made_of === hash) return
  for (const name of REFERENCES)
    await database.run(`SET VARIABLE reference_${name} = ${literal(referenceFile(name))}`)
  await database.run(
    [
      ...martObjects().map(({ text }) => text),
      `CREATE OR REPLACE MACRO mart.made_of() AS '${hash}';`,
      "COMMENT ON MACRO mart.made_of IS 'SHA-256 of what schema mart was made of: tells a catalog that another candlehouse wrote.';",
    ].join('\n'),
  )
}

/** SHA-256 of what `installMart` creates, as `mart.made_of()` says it: tells a catalog that an older candlehouse wrote. */
export function martHash(): string {
  const hash = createHash('sha256')
  for (const { text } of martObjects()) hash.update(text)
  for (const name of REFERENCES) hash.update(readFileSync(referenceFile(name)))
  return hash.digest('hex')
}
