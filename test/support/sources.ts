import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'

/** Folders of the code that users run: the warehouse, and what it is built from. */
export const SOURCE_FOLDERS = [
  'src',
  'jobs',
  'packages/client/src',
  'packages/sandbox/src',
  'packages/foundation/src',
] as const

/** Folders of the tests, and of what they need. */
export const TEST_FOLDERS = [
  'test',
  'packages/client/test',
  'packages/sandbox/test',
  'packages/foundation/test',
] as const

/** What is installed or generated below the tests: nobody here wrote it. */
const FOREIGN = /\/(node_modules|\.generated)\//

/** Files with such an end below these folders, relative to the root of the repository. */
export function filesIn(folders: readonly string[], end: string): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(end))
      .map((entry) => join(entry.parentPath, entry.name).slice(packageRoot.length + 1))
      .filter((path) => !FOREIGN.test(path))
      .sort(),
  )
}
