import { createHash } from 'node:crypto'
import type { Database } from './open.js'
import { sqlFile, sqlFiles } from './sqlfile.js'

/** Each may use what stands before it: scalar macros, table macros, views. */
const FOLDERS = ['mart/scalar', 'mart/table', 'mart'] as const

function texts(): string[] {
  return FOLDERS.flatMap((folder) => sqlFiles(folder).map((name) => sqlFile(`${folder}/${name}`)))
}

/** Creates the views and macros of schema `mart`: the same in the warehouse, where rules read them, and in the catalog. */
export async function installMart(database: Database): Promise<void> {
  // Most nights find what the last one made: a statement instead of one a view.
  const [made] = await database
    .rows<{ made_of: string }>('SELECT mart.made_of() AS made_of')
    .catch(() => [undefined])
  if (made?.made_of === martHash()) return
  for (const text of texts()) await database.run(text)
  await database.run(`CREATE OR REPLACE MACRO mart.made_of() AS '${martHash()}'`)
}

/** SHA-256 of what `installMart` creates, as `mart.made_of()` says it: tells a catalog that an older candlehouse wrote. */
export function martHash(): string {
  return createHash('sha256').update(texts().join('\n')).digest('hex')
}
