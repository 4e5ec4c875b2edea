import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { type Disk, type OpenFile, systemDisk } from '../../src/home/disk.js'
import { copyFolder } from '../support/folder.js'

/** One operation of the port. `write`, `cut` and `syncData` are those of an open file. */
export type StepKind = Exclude<keyof Disk, 'sync'> | 'write' | 'cut' | 'syncData' | 'syncFile' | 'syncFolder'

/** A moment of an operation: the disk asks before it, and tells after it. */
export interface Step {
  readonly moment: 'before' | 'after'
  readonly kind: StepKind
  /** What is changed: of a rename, a link or a copy the new name. */
  readonly path: string
}

/** What ends the program at a step: every later operation throws it too. */
export class Killed extends Error {
  constructor(step: Step) {
    super(`killed ${step.moment} ${step.kind} ${step.path}`)
    this.name = 'Killed'
  }
}

/** What a disk that is full, broken or read-only answers. */
export function refusal(code: 'ENOSPC' | 'EIO' | 'EROFS' | 'EACCES', { kind, path }: Step): Error {
  const message = `${code}: refused by the simulated disk, ${kind} '${path}'`
  return Object.assign(new Error(message), { code, syscall: kind, path })
}

export interface SimulatedDiskOptions {
  /** Called before and after each operation. What it throws is the answer; `Killed` ends the program. */
  readonly onStep?: (step: Step) => void
  /** What a sync waits for: a seeded scheduler orders syncs that are under way at the same time. @default nothing */
  readonly wait?: (path: string) => Promise<void>
}

/** What the disk has of a file. What stands behind `written` is DuckDB's, which syncs its own writes. */
interface Content {
  durable: number
  /** Bytes that the file had when the port last wrote or synced it. */
  written: number
}

/** A change of the names in a folder that the folder has not on disk yet. */
type NameChange =
  | { readonly kind: 'new'; readonly path: string }
  | {
      readonly kind: 'moved'
      readonly path: string
      readonly from: string
      readonly former: string | undefined
    }
  | { readonly kind: 'removed'; readonly path: string; readonly former: string }

/**
 * A disk on real files that knows what is durable: which bytes are synced, and which names are in a folder that is synced.
 * It is strict, as POSIX is: a sync of a file says nothing of its name, and a sync of a folder nothing of its files.
 *
 * A file that the port never wrote is DuckDB's. Its bytes count as durable, since DuckDB syncs its database and its log, unless
 * it is renamed or linked without a sync before: then DuckDB's COPY wrote it, which syncs nothing.
 */
export class SimulatedDisk implements Disk {
  private readonly onStep: (step: Step) => void
  private readonly wait: (path: string) => Promise<void>
  /** Of the files that the port wrote or synced, by `identityOf`. */
  private readonly content = new Map<string, Content>()
  /** By folder, the oldest first. */
  private readonly changes = new Map<string, NameChange[]>()
  /** What was replaced or removed and may come back. */
  private readonly store = mkdtempSync(join(tmpdir(), 'candlehouse-disk-'))
  private stored = 0
  private killed: Killed | undefined

  constructor({ onStep = () => undefined, wait = async () => undefined }: SimulatedDiskOptions = {}) {
    this.onStep = onStep
    this.wait = wait
  }

  /** Removes what is kept for `powerLoss`. */
  close(): void {
    rmSync(this.store, { recursive: true, force: true })
  }

  create(file: string, mode: number): OpenFile {
    return this.do('create', file, () => {
      const isNew = !existsSync(file)
      const open = systemDisk.create(file, mode)
      this.content.set(identityOf(file), { durable: 0, written: 0 })
      if (isNew) this.change({ kind: 'new', path: file })
      return this.watched(open, file)
    })
  }

  append(file: string, mode: number): OpenFile {
    return this.do('append', file, () => {
      const isNew = !existsSync(file)
      const open = systemDisk.append(file, mode)
      // What an earlier program wrote to it has survived.
      this.contentOf(file, statSync(file).size)
      if (isNew) this.change({ kind: 'new', path: file })
      return this.watched(open, file)
    })
  }

  async sync(path: string): Promise<void> {
    if (statSync(path).isDirectory()) {
      const begun = new Set(this.changes.get(path))
      await this.doSync('syncFolder', path, () => {
        const later = this.changes.get(path)?.filter((change) => !begun.has(change)) ?? []
        this.changes.set(path, later)
      })
    } else {
      const { size } = statSync(path)
      const content = this.contentOf(path, 0)
      await this.doSync('syncFile', path, () => Object.assign(content, { durable: size, written: size }))
    }
  }

  setMode(path: string, mode: number): void {
    this.do('setMode', path, () => systemDisk.setMode(path, mode))
  }

  rename(from: string, to: string): void {
    this.do('rename', to, () => {
      this.contentOf(from, 0)
      const former = this.keep(to)
      systemDisk.rename(from, to)
      this.change({ kind: 'moved', path: to, from, former })
    })
  }

  link(file: string, name: string): void {
    this.do('link', name, () => {
      this.contentOf(file, 0)
      systemDisk.link(file, name)
      this.change({ kind: 'new', path: name })
    })
  }

  copy(file: string, copy: string): void {
    this.do('copy', copy, () => {
      const isNew = !existsSync(copy)
      systemDisk.copy(file, copy)
      this.content.set(identityOf(copy), { durable: 0, written: statSync(copy).size })
      if (isNew) this.change({ kind: 'new', path: copy })
    })
  }

  remove(path: string): void {
    this.do('remove', path, () => {
      if (!existsSync(path)) return
      const former = this.place()
      renameSync(path, former)
      this.change({ kind: 'removed', path, former })
    })
  }

  makeFolder(folder: string, mode: number): string[] {
    return this.do('makeFolder', folder, () => {
      const created = systemDisk.makeFolder(folder, mode)
      for (const path of created.toReversed()) this.change({ kind: 'new', path })
      return created
    })
  }

  /**
   * Writes to `copy` what a power cut at this moment leaves of a folder: of bytes and names that are not synced, as many as
   * chance decides; names of one folder are lost from the last one back. It is synchronous: called in `onStep`, it sees DuckDB's
   * files as they are at that moment.
   *
   * @returns what was lost, for the log
   */
  powerLoss(folder: string, copy: string, random: () => number): string[] {
    copyFolder(folder, copy)
    const lost: string[] = []
    const inCopy = (path: string): string => join(copy, relative(folder, path))
    const tear = (file: string, torn: string): void => {
      const { size } = statSync(file)
      const { durable, written } = this.content.get(identityOf(file)) ?? { durable: size, written: size }
      const left = durable + Math.floor(random() * (written - durable + 1))
      if (left >= written) return
      truncateSync(torn, left)
      lost.push(`${size - left} of ${size} bytes of ${relative(folder, file)}`)
    }
    for (const file of filesIn(folder)) tear(file, inCopy(file))
    const putBack = (former: string, path: string): void => {
      if (statSync(former).isDirectory()) copyFolder(former, path)
      else copyFileSync(former, path)
      for (const file of filesIn(former)) tear(file, join(path, relative(former, file)))
    }
    for (const [parent, changes] of this.changes) {
      if (relative(folder, parent).startsWith('..')) continue
      const kept = Math.floor(random() * (changes.length + 1))
      for (const change of changes.slice(kept).reverse()) {
        // A folder above may have been lost already.
        if (!existsSync(inCopy(parent))) break
        const path = inCopy(change.path)
        if (change.kind === 'moved' && existsSync(path)) renameSync(path, inCopy(change.from))
        if (change.kind === 'new') rmSync(path, { recursive: true, force: true })
        if ('former' in change && change.former) putBack(change.former, path)
        lost.push(`${change.kind} ${relative(folder, change.path)}`)
      }
    }
    return lost
  }

  private do<T>(kind: StepKind, path: string, work: () => T): T {
    this.step({ moment: 'before', kind, path })
    const result = work()
    this.step({ moment: 'after', kind, path })
    return result
  }

  /** What is durable afterwards is what was there when the sync began. */
  private async doSync(kind: StepKind, path: string, done: () => void): Promise<void> {
    this.step({ moment: 'before', kind, path })
    await this.wait(path)
    if (this.killed) throw this.killed
    done()
    this.step({ moment: 'after', kind, path })
  }

  private step(step: Step): void {
    if (this.killed) throw this.killed
    try {
      this.onStep(step)
    } catch (error) {
      if (error instanceof Killed) this.killed = error
      throw error
    }
  }

  private watched(open: OpenFile, file: string): OpenFile {
    const content = this.contentOf(file, 0)
    return {
      write: (text) =>
        this.do('write', file, () => {
          open.write(text)
          content.written += Buffer.byteLength(text)
        }),
      cut: (to) =>
        this.do('cut', file, () => {
          open.cut(to)
          content.written = to
          content.durable = Math.min(content.durable, to)
        }),
      sync: async () => {
        const { written } = content
        await this.doSync('syncData', file, () => {
          content.durable = Math.min(written, content.written)
        })
      },
      // The system closes the files of a killed program too.
      close: () => open.close(),
    }
  }

  /** @param durable bytes of a file that the port has not written; one of DuckDB that nobody synced may be empty */
  private contentOf(file: string, durable: number): Content {
    const identity = identityOf(file)
    const content = this.content.get(identity) ?? { durable, written: statSync(file).size }
    this.content.set(identity, content)
    return content
  }

  private change(change: NameChange): void {
    const parent = dirname(change.path)
    const changes = this.changes.get(parent) ?? []
    this.changes.set(parent, changes)
    changes.push(change)
  }

  /** Another name for a file that is about to be replaced. */
  private keep(file: string): string | undefined {
    if (!existsSync(file)) return undefined
    const place = this.place()
    linkSync(file, place)
    return place
  }

  private place(): string {
    this.stored += 1
    return join(this.store, String(this.stored))
  }
}

/** The same under every name of a file. The number of its inode is given to another file once it is removed. */
function identityOf(file: string): string {
  const { ino, birthtimeNs } = statSync(file, { bigint: true })
  return `${ino} ${birthtimeNs}`
}

/** All files below a folder; a file itself. */
export function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
