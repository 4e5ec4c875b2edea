import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UsageError } from 'candlehouse-foundation/errors'
import { refused } from 'candlehouse-foundation/system-fault'
import { savedStatementsFolder } from '../../home/user-files.js'
import type { Edge } from '../verb.js'
import { splitStatements } from './statements.js'

/**
 * The statements of a file, or of one that was saved in the console, by its name.
 *
 * @throws UsageError where there is none · StorageError where it cannot be read
 */
export function readStatements(name: string, { folder, environment }: Pick<Edge, 'folder' | 'environment'>) {
  const places = [resolve(folder, name), join(savedStatementsFolder(environment), `${name}.sql`)]
  const file = places.find((place) => existsSync(place))
  if (file === undefined) {
    throw new UsageError(`there is no file ${places[0]}, and no saved statement of this name`, {
      hint: 'name a file of this folder, or one of the list Saved of the console',
    })
  }
  try {
    const { statements, rest } = splitStatements(readFileSync(file, 'utf8'))
    // The last one may end without a semicolon.
    return { file, statements: rest === '' ? statements : [...statements, rest] }
  } catch (cause) {
    throw refused(`read ${file}`, cause, 'name a file with statements')
  }
}
