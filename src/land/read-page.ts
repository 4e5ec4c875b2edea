import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { StorageError } from '../errors.js'
import { makeTempFolder, removeTempFolder } from '../home.js'
import { refused } from '../system-fault.js'
import { archivedPage, readMember } from './archives.js'

/** A landed page: its file, relative to the home folder. */
type Page = Readonly<{ file: string }>

/**
 * Bytes of a landed page as received, gzip: its file, or what the archive of its month has. The one way to a page's bytes.
 *
 * @throws StorageError when the page is gone, or cannot be read
 */
export function readPage(home: string, page: Page): Buffer {
  const bytes = findPage(home, page)
  if (bytes) return bytes
  throw new StorageError(`landed page ${join(home, page.file)} is gone`, {
    hint: 'restore raw/ from a backup; candlehouse raw verify names every page that is missing',
  })
}

/** The same; undefined where the page is gone. @throws StorageError when it cannot be read */
export function findPage(home: string, { file }: Page): Buffer | undefined {
  const bytes = readLoose(home, file)
  if (bytes) return bytes
  const archived = archivedPage(home, file)
  return archived && readMember(home, archived)
}

/** Path of a page's file. */
export type FileOfPage = (page: Page) => string

/**
 * Gives `work` a file for each of the pages, for a reader that needs files: the page's own, or for an archived page one in a
 * temporary folder of the home, which is removed after it.
 *
 * @throws StorageError when a page is gone, or the disk refuses · what `work` throws
 */
export async function withPageFiles<Value>(
  home: string,
  pages: readonly Page[],
  work: (fileOf: FileOfPage) => Promise<Value>,
): Promise<Value> {
  const archived = new Set(pages.map(({ file }) => file).filter((file) => !existsSync(join(home, file))))
  if (archived.size === 0) return await work(({ file }) => join(home, file))
  const folder = makeTempFolder(home)
  try {
    await extract(home, archived, folder)
    return await work(({ file }) => (archived.has(file) ? join(folder, basename(file)) : join(home, file)))
  } finally {
    removeTempFolder(folder)
  }
}

async function extract(home: string, files: ReadonlySet<string>, folder: string): Promise<void> {
  try {
    for (const file of files)
      await writeFile(join(folder, basename(file)), readPage(home, { file }), { mode: 0o600 })
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
