import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import { refused } from 'candlehouse-foundation/system-fault'
import { openTempFolder } from '../home/home.js'
import { archivedPage, readMember } from './archives.js'

/** A landed page. `file` is relative to the home folder. */
type Page = Readonly<{ file: string }>

/**
 * Bytes of a landed page as received, gzip: from its file, or from the archive of its month. Everything that reads a page calls
 * this or `findPageBytes`.
 *
 * @throws StorageError if the page is missing or cannot be read
 */
export function pageBytes(home: string, page: Page): Buffer {
  const bytes = findPageBytes(home, page)
  if (bytes) return bytes
  throw new StorageError(`landed page ${join(home, page.file)} is gone`, {
    hint: 'restore raw/ from a backup; candlehouse raw verify names every page that is missing',
  })
}

/** As `pageBytes`; undefined if the page is missing. @throws StorageError if it cannot be read */
export function findPageBytes(home: string, { file }: Page): Buffer | undefined {
  const bytes = readLoose(home, file)
  if (bytes) return bytes
  const archived = archivedPage(home, file)
  return archived && readMember(home, archived)
}

export type FileOfPage = (page: Page) => string

/**
 * Calls `work` with a file for each page, for a reader that needs files: the page's own file, or for an archived page a copy in
 * a temporary folder of the home. The folder is removed afterwards.
 *
 * @throws StorageError if a page is missing, or the disk refuses · what `work` throws
 */
export async function withPageFiles<Value>(
  home: string,
  pages: readonly Page[],
  work: (fileOf: FileOfPage) => Promise<Value>,
): Promise<Value> {
  const archived = new Set(pages.map(({ file }) => file).filter((file) => !existsSync(join(home, file))))
  if (archived.size === 0) return await work(({ file }) => join(home, file))
  using folder = openTempFolder(home)
  await extract(home, archived, folder.path)
  return await work(({ file }) => (archived.has(file) ? join(folder.path, basename(file)) : join(home, file)))
}

async function extract(home: string, files: ReadonlySet<string>, folder: string): Promise<void> {
  try {
    for (const file of files)
      await writeFile(join(folder, basename(file)), pageBytes(home, { file }), { mode: 0o600 })
  } catch (cause) {
    if (cause instanceof StorageError) throw cause
    throw refused(`write ${folder}`, cause, 'free some space, then run the same command again')
  }
}

function readLoose(home: string, file: string): Buffer | undefined {
  const path = join(home, file)
  try {
    return readFileSync(path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    const hint = 'check the permissions of raw/, then run the same command again'
    throw refused(`read the landed page ${path}`, cause, hint)
  }
}
