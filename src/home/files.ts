import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { refused } from 'candlehouse-foundation/system-fault'
import type { Disk, OpenFile } from './disk.js'

export interface WholeFile {
  readonly file: string
  readonly content: string | Uint8Array
}

export interface WholeFileOptions {
  /** Permissions, whatever the umask of the process is. */
  readonly mode: number
  /** What to do where the disk refuses. */
  readonly hint: string
  /** Name under which a file is written first. @default beside the file, named by the process */
  readonly tempOf?: (file: string) => string
  /** Whether the names are on disk too on return. @default true */
  readonly syncFolder?: boolean
  /** Permissions of folders that do not exist yet. @default none is made */
  readonly folderMode?: number
}

/** Copies a file that readers may not write to one that its owner may. */
export function copyToWrite(file: string, copy: string, disk: Pick<Disk, 'copy' | 'setMode'>): void {
  disk.copy(file, copy)
  disk.setMode(copy, 0o600)
}

/**
 * Writes a file whole or not at all: beside its place, sync, rename, sync of the folder. Readers see the former file or the
 * new one.
 *
 * @throws StorageError where the disk refuses; the former file stays
 */
export async function writeWholeFile(
  file: string,
  content: string | Uint8Array,
  options: WholeFileOptions,
  disk: Disk,
): Promise<void> {
  await writeWholeFiles([{ file, content }], options, disk)
}

/**
 * Writes files, each whole or not at all; on return all of them are on disk. They are synced together, because the file system
 * puts files that are synced at the same time into one commit.
 *
 * @throws StorageError where the disk refuses any of them
 */
export async function writeWholeFiles(
  files: readonly WholeFile[],
  { mode, hint, tempOf = tempOfProcess, syncFolder = true, folderMode }: WholeFileOptions,
  disk: Disk,
): Promise<void> {
  const folders = new Set(files.map(({ file }) => dirname(file)))
  try {
    if (folderMode !== undefined) for (const folder of folders) await makeFolders(folder, folderMode, disk)
    await writeTogether(
      files.map(({ file, content }) => ({ file: tempOf(file), content })),
      mode,
      disk,
    )
    for (const { file } of files) disk.rename(tempOf(file), file)
    if (syncFolder) await Promise.all([...folders].map((folder) => disk.sync(folder)))
  } catch (cause) {
    for (const { file } of files) removeQuietly(tempOf(file), disk)
    throw refused(`write ${files[0]?.file}`, cause, hint)
  }
}

/** Name for a file that is not finished: no other process of this machine uses it. */
export function tempOfProcess(file: string): string {
  return `${file}.${process.pid}.tmp`
}

/** Writes all files, then waits once until their contents are on disk. */
async function writeTogether(files: readonly WholeFile[], mode: number, disk: Disk): Promise<void> {
  const open: OpenFile[] = []
  try {
    for (const { file, content } of files) {
      const handle = disk.create(file, mode)
      open.push(handle)
      handle.write(content)
    }
    // No file is closed while another is still being synced.
    const synced = await Promise.allSettled(open.map((handle) => handle.sync()))
    for (const result of synced) if (result.status === 'rejected') throw result.reason
  } finally {
    for (const handle of open) handle.close()
  }
}

/** Makes a folder and its parents; their names are on disk on return. */
export async function makeFolders(folder: string, mode: number, disk: Disk): Promise<void> {
  for (const created of disk.makeFolder(folder, mode)) await disk.sync(dirname(created))
}

/** Removes a file that nobody needs, where that is possible: the first error is the one to report. */
export function removeQuietly(file: string, disk: Disk): void {
  try {
    disk.remove(file)
  } catch {
    // It does no harm: the next run removes or replaces it.
  }
}

/** A file that another program has written, and the name that it gets. */
export interface UnsettledFile {
  readonly temp: string
  readonly file: string
}

/**
 * Puts files that another program has written under their names: permissions, sync, rename, sync of the folders. They are synced
 * together, as by `writeWholeFiles`.
 *
 * @param mode permissions, whatever the umask of the process is; undefined: those that the files have
 * @throws the error of the file system, without a StorageError around it: the writer of the files decides
 */
export async function settleFiles(
  files: readonly UnsettledFile[],
  mode: number | undefined,
  disk: Disk,
): Promise<void> {
  if (mode !== undefined) for (const { temp } of files) disk.setMode(temp, mode)
  await Promise.all(files.map(({ temp }) => disk.sync(temp)))
  for (const { temp, file } of files) disk.rename(temp, file)
  const folders = new Set(files.map(({ file }) => dirname(file)))
  await Promise.all([...folders].map((folder) => disk.sync(folder)))
}

/** Has a file written by another program under a temporary name, then puts it under its own: whole or not at all. */
export async function writeWholeWith<T>(
  file: string,
  mode: number | undefined,
  write: (temp: string) => Promise<T>,
  disk: Disk,
): Promise<T> {
  const temp = tempOfProcess(file)
  try {
    removeDatabase(temp, disk)
    const result = await write(temp)
    await settleFiles([{ temp, file }], mode, disk)
    return result
  } catch (error) {
    removeDatabase(temp, disk)
    throw error
  }
}

/** Removes a DuckDB file, and what DuckDB may have left beside it. */
export function removeDatabase(file: string, disk: Disk): void {
  disk.remove(file)
  disk.remove(`${file}.wal`)
}

/** Permissions for a file in place of a former one: those of the former one, else reading for its owner and his group. */
export function modeInPlaceOf(file: string): number {
  const former = statSync(file, { throwIfNoEntry: false })
  return former ? former.mode & 0o777 : 0o440
}

/** Writes a file that must not exist yet. @returns false where the name is taken */
export async function createFile(file: string, content: string, mode: number, disk: Disk): Promise<boolean> {
  const temp = tempOfProcess(file)
  await writeTogether([{ file: temp, content }], mode, disk)
  return await placeNew(temp, file, disk)
}

/** Failures of hard links on file systems that have none (exFAT, some network and container mounts). */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/**
 * Puts a file whose content is on disk under a name that must be free: link, sync of the folder. Where the file system has no
 * hard links it is renamed after a look: the run lock keeps other writers of ours away.
 *
 * @returns false where the name is taken; the temporary file is gone then too
 */
export async function placeNew(temp: string, file: string, disk: Disk): Promise<boolean> {
  try {
    disk.link(temp, file)
    disk.remove(temp)
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException
    const hasLinks = !NO_LINKS.has(code)
    if (hasLinks || existsSync(file)) {
      disk.remove(temp)
      if (hasLinks && code !== 'EEXIST') throw cause
      return false
    }
    disk.rename(temp, file)
  }
  await disk.sync(dirname(file))
  return true
}

/** A file that only grows, by a line of JSON per record. */
export interface LineFile {
  /** Appends records; they are on disk on return. @throws StorageError */
  append(records: readonly object[]): Promise<void>
  close(): void
}

/**
 * Opens a file of lines; its name and that of its folder are on disk on return. A last line that a kill or a full disk cut off is removed: it must not
 * become one line with the next.
 *
 * @throws StorageError where the disk refuses
 */
export async function openLines(file: string, disk: Disk): Promise<LineFile> {
  const refusedHere = (cause: unknown): Error =>
    refused(`write ${file}`, cause, 'free some space, then run the same command again')
  let handle: OpenFile | undefined
  try {
    await makeFolders(dirname(file), 0o700, disk)
    handle = disk.append(file, 0o600)
    const content = readFileSync(file)
    const whole = content.lastIndexOf(0x0a) + 1
    if (whole < content.length) handle.cut(whole)
    await disk.sync(dirname(file))
  } catch (cause) {
    handle?.close()
    throw refusedHere(cause)
  }
  const lines = handle
  return {
    async append(records) {
      try {
        lines.write(linesOf(records))
        await lines.sync()
      } catch (cause) {
        throw refusedHere(cause)
      }
    },
    close: () => lines.close(),
  }
}

/** Writes a file of lines that nobody needs after a kill. */
export function writeLines(file: string, records: readonly object[], disk: Disk): void {
  const handle = disk.create(file, 0o600)
  try {
    handle.write(linesOf(records))
  } finally {
    handle.close()
  }
}

function linesOf(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

/** Appends records to a file of lines. @throws StorageError */
export async function appendLines(file: string, records: readonly object[], disk: Disk): Promise<void> {
  const lines = await openLines(file, disk)
  try {
    await lines.append(records)
  } finally {
    lines.close()
  }
}
