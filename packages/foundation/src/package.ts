import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The nearest folder at or above a module that has an entry of this name. */
export function folderWith(name: string, moduleUrl: string): string {
  let folder = dirname(fileURLToPath(moduleUrl))
  while (!existsSync(join(folder, name))) folder = dirname(folder)
  return folder
}

/** The version of the package that this module was built into: all packages of the repository have the same. */
export const packageVersion: string = (
  JSON.parse(readFileSync(join(folderWith('package.json', import.meta.url), 'package.json'), 'utf8')) as {
    version: string
  }
).version
