import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { homedir, hostname } from 'node:os'
import { join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import { reasonOf, refused, systemFault } from 'candlehouse-foundation/system-fault'

/** A folder of another machine that shares the home counts as left behind after so long. */
const FOREIGN_MS = 24 * 60 * 60 * 1000

/** Temporary files beside their target, and the folder that DuckDB spilled to before the home had one for it. */
const LEFT_BESIDE =
  /^([a-z0-9][a-z0-9_-]*\.(json|html|duckdb|ducklake)\.\d+\.tmp(\.wal)?|metrics\.prom\.tmp|warehouse\.duckdb(\.replay)?\.tmp)$/

/** Folders that this process made and still uses. */
const inUse = new Set<string>()

/**
 * Refuses a path that DuckDB takes for something else: it reads `*` and `?` as patterns for names, and `?` also as the
 * beginning of options.
 *
 * @throws StorageError that names the character
 */
export function requireUsablePath(path: string): void {
  const [character] = /[*?]/.exec(path) ?? []
  if (character === undefined) return
  throw new StorageError(`${path} has the character ${character}, which DuckDB reads as a pattern`, {
    hint: `choose a folder without ${character}: CANDLEHOUSE_HOME or --home for the home`,
  })
}

/** Creates the home; not its parents: a disk that is not mounted must not be filled in its place. @throws StorageError */
export function makeHome(folder: string): void {
  requireUsablePath(folder)
  if (existsSync(folder)) return
  try {
    mkdirSync(folder)
    chmodSync(folder, 0o755)
  } catch (cause) {
    const hint = 'create its parent folder, or choose another home with CANDLEHOUSE_HOME'
    const why = systemFault(cause)?.code === 'ENOENT' ? 'its parent folder does not exist' : reasonOf(cause)
    throw new StorageError(`cannot create ${folder}: ${why}`, { hint, cause })
  }
}

/**
 * A folder for temporary files in the home (0700). Remove it with `removeTempFolder`; the next run that has the lock
 * removes those of killed processes.
 *
 * @throws StorageError
 */
export function makeTempFolder(home: string): string {
  const parent = join(home, 'tmp')
  try {
    return makeIn(parent)
  } catch (cause) {
    throw refused(`create a folder in ${parent}`, cause, 'make the home writable')
  }
}

/**
 * A folder for temporary files of a process that only reads: in the home where it may write there, else in the user's
 * cache folder.
 *
 * @returns undefined where neither can be written
 */
export function makeReaderFolder(home: string): string | undefined {
  if (existsSync(home)) {
    try {
      return makeIn(join(home, 'tmp'))
    } catch {
      // Analysts may read the home and not write to it.
    }
  }
  try {
    const cache = join(homedir(), '.cache', 'candlehouse')
    mkdirSync(cache, { recursive: true, mode: 0o700 })
    return makeIn(cache)
  } catch {
    return undefined
  }
}

/** As `makeTempFolder`: `using` removes it where its scope ends. */
export function openTempFolder(home: string): Disposable & { readonly path: string } {
  const path = makeTempFolder(home)
  return { path, [Symbol.dispose]: () => removeTempFolder(path) }
}

export function removeTempFolder(folder: string): void {
  inUse.delete(folder)
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // The next run that has the lock removes it.
  }
}

/**
 * Removes what killed processes left in the home. The caller has the lock. What cannot be removed stays.
 *
 * @param now epoch milliseconds
 */
export function removeLeftovers(home: string, now: number): void {
  const remove = (folder: string, isLeft: (name: string) => boolean): void => {
    try {
      for (const name of readdirSync(folder))
        if (isLeft(name)) rmSync(join(folder, name), { recursive: true, force: true })
    } catch {
      // A folder that is not there has no leftovers; one that cannot be read is none of this run's.
    }
  }
  for (const folder of ['', 'logs', 'logs/conclusions', 'reports'])
    remove(join(home, folder), (name) => LEFT_BESIDE.test(name))
  remove(join(home, 'tmp'), (name) => isAbandoned(join(home, 'tmp'), name, now))
}

/** The folder's name says which process of which machine made it. */
function makeIn(parent: string): string {
  if (!existsSync(parent)) mkdirSync(parent, { mode: 0o700 })
  accessSync(parent, constants.W_OK)
  const folder = mkdtempSync(join(parent, `${machineName()}.${process.pid}.`))
  inUse.add(folder)
  return folder
}

function isAbandoned(parent: string, name: string, now: number): boolean {
  const [, owner, pid] = /^(.*)\.(\d+)\.[^.]+$/.exec(name) ?? []
  if (owner === undefined || pid === undefined) return true
  if (owner !== machineName()) return now - statSync(join(parent, name)).mtimeMs > FOREIGN_MS
  // In a container every run may have the same process id.
  return Number(pid) === process.pid ? !inUse.has(join(parent, name)) : !isAlive(Number(pid))
}

/** Whether a process of this machine runs, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** This machine's name, as files have it. */
export function machineName(): string {
  return hostname().replaceAll(/[^A-Za-z0-9-]/g, '-')
}
