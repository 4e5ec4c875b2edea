import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { StorageError } from '../errors.js'
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

/**
 * Makes pages files for a reader that needs files (`pageFile`). Archived pages are written to the home's temporary folder for
 * as long as `work` takes; what a kill left there goes with the next call. Only the run that has the lock calls it.
 *
 * @throws StorageError when a page is gone, or the disk refuses · what `work` throws
 */
export async function withPageFiles<Value>(
  home: string,
  pages: readonly Page[],
  work: () => Promise<Value>,
): Promise<Value> {
  const archived = pages.filter(({ file }) => !existsSync(join(home, file)))
  if (archived.length === 0) return await work()
  try {
    await extract(home, archived)
    return await work()
  } finally {
    await rm(extractionFolder(home), { recursive: true, force: true })
  }
}

/** Path of a page's file: its own, or the one that `withPageFiles` has made. */
export function pageFile(home: string, { file }: Page): string {
  const loose = join(home, file)
  return existsSync(loose) ? loose : join(extractionFolder(home), basename(file))
}

function extractionFolder(home: string): string {
  return join(home, 'tmp', 'pages')
}

async function extract(home: string, pages: readonly Page[]): Promise<void> {
  const folder = extractionFolder(home)
  try {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const page of pages)
      await writeFile(join(folder, basename(page.file)), readPage(home, page), { mode: 0o600 })
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
