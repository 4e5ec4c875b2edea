import { fdatasync, statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { refused } from './system-fault.js'

export interface WholeFileOptions {
  /** Permissions, whatever the umask of the process is. */
  readonly mode: number
  /** What to do where the disk refuses. */
  readonly hint: string
  /** Name under which the file is written first. @default beside the file, named by the process */
  readonly temp?: string
  /** Whether the name is on disk too on return; else the caller syncs the folder. @default true */
  readonly syncFolder?: boolean
}

/**
 * Writes a file whole or not at all: beside its place, fsync, rename. Readers see the former file or the new one.
 *
 * @throws StorageError where the disk refuses; the former file stays
 */
export async function writeWholeFile(
  file: string,
  content: string | Uint8Array,
  { mode, hint, temp = `${file}.${process.pid}.tmp`, syncFolder = true }: WholeFileOptions,
): Promise<void> {
  try {
    await writeSynced(temp, content, mode)
    await rename(temp, file)
    if (syncFolder) await syncPath(dirname(file))
  } catch (cause) {
    await rm(temp, { force: true }).catch(() => undefined)
    throw refused(`write ${file}`, cause, hint)
  }
}

/**
 * Puts a file that another program has written under its name: permissions, fsync, rename, fsync of the folder.
 *
 * @param mode permissions, whatever the umask of the process is. @default those that the file has
 * @throws the error of the file system, without a StorageError around it: the writer of the file decides
 */
export async function settleFile(temp: string, file: string, mode?: number): Promise<void> {
  const handle = await open(temp, 'r')
  try {
    if (mode !== undefined) await handle.chmod(mode)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temp, file)
  await syncPath(dirname(file))
}

/** Permissions for a file in place of a former one: those of the former one, else reading for its owner and his group. */
export function modeInPlaceOf(file: string): number {
  const former = statSync(file, { throwIfNoEntry: false })
  return former ? former.mode & 0o777 : 0o440
}

/** fsync of a file or folder. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** fdatasync of a file that is open. */
export function syncData(handle: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(handle, (error) => (error ? reject(error) : resolve()))
  })
}

/** Writes a file under the name given, with these permissions, and has its content on disk. */
export async function writeSynced(file: string, content: string | Uint8Array, mode: number): Promise<void> {
  const handle = await open(file, 'w', mode)
  try {
    await handle.chmod(mode)
    await handle.writeFile(content)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}
