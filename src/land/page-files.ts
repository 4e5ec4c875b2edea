import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { refused } from '../system-fault.js'
import { syncData, syncPath } from '../whole-file.js'

/** The file of a page. */
export interface PageFile {
  /** Relative to the home folder. */
  readonly file: string
  /** Gzip. */
  readonly bytes: Uint8Array
}

/** Folders that this process has created: a page in one of them saves three system calls. */
const knownFolders = new Set<string>()

/**
 * Writes the files of pages, each whole or not at all; on return all of them are on disk. They are synced together, because the
 * file system puts files that are synced at the same time into one commit. All other calls are synchronous: they do not wait
 * for the disk, and a promise for each costs more than the call.
 *
 * @throws StorageError when the disk refuses any of them
 */
export async function writePageFiles(home: string, pages: readonly PageFile[]): Promise<void> {
  const targets = pages.map(({ file }) => join(home, file))
  const folders = [...new Set(targets.map((target) => dirname(target)))]
  const [first = home] = targets
  try {
    for (const folder of folders) await makeFolder(folder)
    await writeTogether(targets.map(tempOf), pages)
    for (const target of targets) renameSync(tempOf(target), target)
    await Promise.all(folders.map(syncPath))
  } catch (cause) {
    for (const target of targets) removeQuietly(tempOf(target))
    const hint = 'free some space or choose another folder with CANDLEHOUSE_HOME, then run again'
    throw refused(`write ${first}`, cause, hint)
  }
}

function tempOf(target: string): string {
  return `${target}.tmp`
}

/** Writes the bytes of all pages, then waits once until they are on disk. */
async function writeTogether(files: readonly string[], pages: readonly PageFile[]): Promise<void> {
  const handles: number[] = []
  try {
    pages.forEach(({ bytes }, index) => {
      const handle = openSync(files[index] as string, 'w', 0o600)
      handles.push(handle)
      writeFileSync(handle, bytes)
    })
    // No file is closed while another is still being synced.
    const synced = await Promise.allSettled(handles.map(syncData))
    for (const result of synced) if (result.status === 'rejected') throw result.reason
  } finally {
    for (const handle of handles) closeSync(handle)
  }
}

/** Creates a folder with its parents, and waits until their names are on disk. */
async function makeFolder(folder: string): Promise<void> {
  if (knownFolders.has(folder)) return
  const topmost = mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (let path = folder; topmost !== undefined; path = dirname(path)) {
    await syncPath(dirname(path))
    if (path === topmost) break
  }
  knownFolders.add(folder)
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // The first error is the one to report; a file that no journal names does no harm.
  }
}
