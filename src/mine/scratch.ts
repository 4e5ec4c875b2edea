import { join } from 'node:path'
import { type Database, openDatabase } from '../duckdb/open.js'
import type { Effects } from '../effects.js'
import { copyToWrite } from '../home/files.js'
import { openTempFolder } from '../home/home.js'
import { EMPTY_CATALOG } from '../lake/catalog-base.js'
import { MINE } from '../lake/own-views.js'

/** A user's statement is bound, not run: it needs little. */
const MEMORY = '256MB'

/** A catalog without rows in which statements of a user can be tried. Nothing outside of it can be reached. */
export interface Scratch extends Disposable {
  readonly database: Database
}

/**
 * Copies the catalog of an empty lake: it has every relation, view and macro with its columns, so that a statement binds in it
 * as in the catalog that is published next.
 *
 * @param home where the copy stands until it is closed
 * @param fill gives it rows, before it is closed to the outside
 */
export async function openScratch(
  home: string,
  fill: (database: Database) => Promise<void>,
  { disk }: Pick<Effects, 'disk'>,
): Promise<Scratch> {
  const folder = openTempFolder(home)
  const file = join(folder.path, 'scratch.duckdb')
  try {
    copyToWrite(EMPTY_CATALOG, file, disk)
    const database = await openDatabase(file, { threads: 1, memoryLimit: MEMORY })
    const close = (): void => {
      database.close()
      folder[Symbol.dispose]()
    }
    await database.run(`CREATE SCHEMA IF NOT EXISTS ${MINE}`)
    await fill(database)
    // Most constants are then not computed while a statement is bound. For the others its process is bounded (own-process.ts).
    await database.run('PRAGMA disable_optimizer')
    await database.run('SET enable_external_access = false; SET lock_configuration = true')
    return { database, [Symbol.dispose]: close }
  } catch (cause) {
    folder[Symbol.dispose]()
    throw cause
  }
}
