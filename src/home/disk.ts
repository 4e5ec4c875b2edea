import {
  chmodSync,
  closeSync,
  copyFileSync,
  fchmodSync,
  fdatasync,
  fstatSync,
  fsync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * The file system, where what is written must survive a kill and a power cut. Reading needs no port. Calls that only change
 * the system's memory are synchronous: a promise for each costs more than the call. Only syncs wait for the disk.
 *
 * `files.ts` composes these calls: a file as a whole, a file that must be new, a file of lines.
 */
export interface Disk {
  /** Opens a new or emptied file. Its permissions are the mode, whatever the umask of the process is; a device keeps its own. */
  create(file: string, mode: number): OpenFile
  /** Opens a file to write at its end; a new one gets the mode. */
  append(file: string, mode: number): OpenFile
  /** Waits until a file that another program has written, or the names in a folder, are on disk. */
  sync(path: string): Promise<void>
  setMode(path: string, mode: number): void
  /** @throws Error where `to` is a device or a pipe */
  rename(from: string, to: string): void
  /** Gives a file a second name. @throws EEXIST where the name is taken */
  link(file: string, name: string): void
  copy(file: string, copy: string): void
  /** Removes a file, or a folder with all that is in it; nothing where there is none. */
  remove(path: string): void
  /** Makes a folder and its parents with these permissions. @returns the folders that did not exist, innermost first */
  makeFolder(folder: string, mode: number): string[]
}

export interface OpenFile {
  write(content: string | Uint8Array): void
  /** Removes what is behind the first bytes. */
  cut(bytes: number): void
  /** Waits until its content is on disk. */
  sync(): Promise<void>
  close(): void
}

export const systemDisk: Disk = {
  create(file, mode) {
    const handle = openSync(file, 'w', mode)
    if (fstatSync(handle).isFile()) fchmodSync(handle, mode)
    return openFile(handle)
  },
  append: (file, mode) => openFile(openSync(file, 'a', mode)),
  async sync(path) {
    const handle = openSync(path, 'r')
    try {
      await finished((done) => fsync(handle, done))
    } finally {
      closeSync(handle)
    }
  },
  setMode: (path, mode) => chmodSync(path, mode),
  rename(from, to) {
    if (isDevice(to)) throw new Error('it is a device or a pipe, not a file')
    renameSync(from, to)
  },
  link: (file, name) => linkSync(file, name),
  copy: (file, copy) => copyFileSync(file, copy),
  remove: (path) => rmSync(path, { recursive: true, force: true }),
  makeFolder(folder, mode) {
    const topmost = mkdirSync(folder, { recursive: true, mode })
    if (topmost === undefined) return []
    const created: string[] = []
    for (let path = folder; path.length >= topmost.length; path = dirname(path)) created.push(path)
    for (const path of created) chmodSync(path, mode)
    return created
  },
}

/**
 * Whether a path is that of a device, a pipe or a socket. A rename would put a file in its place: /dev/null or /dev/stdout
 * would be gone for every program of the machine.
 */
export function isDevice(path: string): boolean {
  const there = entryAt(path)
  if (there === undefined) return false
  // Links as /dev/stdout lead to what the shell has opened, which may be a file.
  if (there.isSymbolicLink()) return /^\/(dev|proc)\/(?!shm\/)/.test(resolve(path))
  return !there.isFile() && !there.isDirectory()
}

/** Undefined where nothing is, or nothing can be: whoever writes there finds out why. */
function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

function openFile(handle: number): OpenFile {
  return {
    write: (content) => writeFileSync(handle, content),
    cut: (bytes) => ftruncateSync(handle, bytes),
    sync: () => finished((done) => fdatasync(handle, done)),
    close: () => closeSync(handle),
  }
}

function finished(start: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())))
}
