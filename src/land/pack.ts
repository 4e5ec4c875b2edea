import { createHash, type Hash } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import type { Effects } from '../effects.js'
import type { OpenFile } from '../home/disk.js'
import { removeQuietly } from '../home/files.js'
import { sha256 } from '../home/sha256.js'
import { type Archive, appendRawIndex, archivedPage, readMember, readRawIndex } from './archives.js'
import { journalledPages, journalledRuns, type PageRecord } from './journal.js'
import { TAR_END, tarMember, tarMembers } from './tar.js'

/** Bytes written at once: one write per page takes longer. */
const BYTES_AT_ONCE = 4_194_304

/** Loose pages of one dataset and month, in the order of the journals: the order in which a replay reads them. */
export interface LooseMonth {
  readonly dataset: string
  /** YYYY-MM of the trading date that their runs worked for. */
  readonly month: string
  readonly pages: readonly PageRecord[]
}

/** A page that differs from its journal line. It is not packed, and its file is not removed. */
export interface DamagedPage {
  /** Relative to the home folder. */
  readonly path: string
  readonly wrong: string
}

export interface PackedMonth {
  /** Undefined if every page was in an archive already, or damaged. */
  readonly archive: Archive | undefined
  /** Number of files removed. */
  readonly removed: number
  readonly damaged: readonly DamagedPage[]
}

/** Folders of pages in `raw/`: one for each dataset and part. */
export function datasetFolders(home: string): string[] {
  return foldersIn(join(home, 'raw')).filter((name) => name !== 'journal' && name !== 'refused')
}

/** Journalled pages of months before `month` that are files of their own. Journals of runs without such files are not read. */
export function looseMonths(home: string, month: string): LooseMonth[] {
  const loose = new Map<string, Set<string>>()
  for (const dataset of datasetFolders(home)) {
    for (const run of foldersIn(join(home, 'raw', dataset))) {
      const files = readdirSync(join(home, 'raw', dataset, run)).map(
        (name) => `raw/${dataset}/${run}/${name}`,
      )
      loose.set(run, new Set([...(loose.get(run) ?? []), ...files]))
    }
  }
  const months = new Map<string, LooseMonth & { pages: PageRecord[] }>()
  for (const run of journalledRuns(home).filter((id) => loose.has(id))) {
    for (const page of journalledPages(home, run)) {
      const pageMonth = page.trading_date.slice(0, 7)
      if (pageMonth >= month || !loose.get(run)?.has(page.file)) continue
      const { dataset } = page.window
      const key = `${dataset} ${pageMonth}`
      const group = months.get(key) ?? { dataset, month: pageMonth, pages: [] }
      months.set(key, group)
      group.pages.push(page)
    }
  }
  return [...months.keys()].sort().flatMap((key) => months.get(key) ?? [])
}

/** Progress and signal of the packing. */
export interface PackSteps {
  readonly onPage: () => void
  readonly signal: AbortSignal
}

/**
 * Puts loose pages of a month into one archive, reads every page back, names the archive in the index, and only then removes
 * the files. A kill at any point leaves each page in its file, in an archive of the index, or in both; the next call continues.
 *
 * @throws StorageError if the disk refuses, or the archive differs from what was written
 */
export async function packMonth(
  home: string,
  { dataset, month, pages }: LooseMonth,
  steps: PackSteps,
  effects: Effects,
): Promise<PackedMonth> {
  const { disk } = effects
  const damaged: DamagedPage[] = []
  const packed: PageRecord[] = []
  const unpacked: PageRecord[] = []
  for (const page of pages) {
    const known = archivedPage(home, page.file)
    // A kill came after the index was written and before this file was removed.
    if (known && sha256(readMember(home, known)) === page.sha256) packed.push(page)
    else unpacked.push(page)
  }
  const file = nextArchive(home, dataset, month)
  const { written, bytes, digest } = await writeArchive(
    home,
    `${file}.tmp`,
    unpacked,
    damaged,
    steps,
    effects,
  )
  let archive: Archive | undefined
  if (written.length > 0) {
    verifyArchive(join(home, `${file}.tmp`), written)
    disk.rename(join(home, `${file}.tmp`), join(home, file))
    await disk.sync(dirname(join(home, file)))
    const packed_at = new Date(effects.now()).toISOString()
    const runs = [...new Set(written.map((page) => page.run))]
    const facts = { dataset, month, runs, pages: written.length, bytes, sha256: digest, packed_at }
    archive = { kind: 'archive', archive: file, ...facts }
    await appendRawIndex(home, [archive], effects)
  } else disk.remove(join(home, `${file}.tmp`))
  const removed = [...packed, ...written]
  removePages(home, removed, effects)
  return { archive, removed: removed.length, damaged }
}

/** Removes files of pages, and folders of runs that are empty then. */
export function removePages(
  home: string,
  pages: readonly Pick<PageRecord, 'file'>[],
  { disk }: Effects,
): void {
  for (const { file } of pages) disk.remove(join(home, file))
  const folders = new Set(pages.map(({ file }) => dirname(join(home, file))))
  // A folder with other files is not removed.
  for (const folder of folders)
    if (existsSync(folder) && readdirSync(folder).length === 0) removeQuietly(folder, disk)
}

/** A month gets another archive if pages landed after it was packed. A name that the index does not have is free. */
function nextArchive(home: string, dataset: string, month: string): string {
  const { archives, obsolete } = readRawIndex(home)
  const taken = new Set([...archives, ...obsolete].map(({ archive }) => archive))
  for (let number = 1; ; number++) {
    const file = `raw/${dataset}/archive-${month}${number === 1 ? '' : `.${number}`}.tar`
    if (!taken.has(file)) return file
  }
}

interface WrittenArchive {
  readonly written: readonly PageRecord[]
  readonly bytes: number
  readonly digest: string
}

/** Writes the archive of all pages that equal their journal lines. @param damaged gets the others */
async function writeArchive(
  home: string,
  file: string,
  pages: readonly PageRecord[],
  damaged: DamagedPage[],
  steps: PackSteps,
  { disk }: Effects,
): Promise<WrittenArchive> {
  const target = join(home, file)
  const written: PageRecord[] = []
  try {
    const handle = disk.create(target, 0o600)
    try {
      const output = new ArchiveOutput(handle)
      for (const page of pages) {
        steps.signal.throwIfAborted()
        steps.onPage()
        const content = readFileSync(join(home, page.file))
        if (sha256(content) !== page.sha256) {
          damaged.push({ path: page.file, wrong: 'changed: its SHA-256 differs from the journal' })
          continue
        }
        output.add(tarMember(page.file, content, Math.floor(Date.parse(page.received_at) / 1000)))
        written.push(page)
      }
      output.add([TAR_END])
      output.flush()
      // Here, not by `settleFiles`: a refusal says that every page is still there.
      await handle.sync()
      return { written, bytes: output.bytes, digest: output.digest() }
    } finally {
      handle.close()
    }
  } catch (cause) {
    removeQuietly(target, disk)
    if (steps.signal.aborted) throw cause
    throw new StorageError(`cannot write ${target}: ${(cause as Error).message}`, {
      hint: 'free some space, then run the same command again; every page is still there',
      cause,
    })
  }
}

class ArchiveOutput {
  private readonly hash: Hash = createHash('sha256')
  private waiting: Uint8Array[] = []
  private waitingBytes = 0
  bytes = 0

  constructor(private readonly handle: OpenFile) {}

  add(parts: readonly Uint8Array[]): void {
    for (const part of parts) {
      this.hash.update(part)
      this.waiting.push(part)
      this.waitingBytes += part.length
      this.bytes += part.length
    }
    if (this.waitingBytes >= BYTES_AT_ONCE) this.flush()
  }

  flush(): void {
    const bytes = Buffer.concat(this.waiting)
    this.waiting = []
    this.waitingBytes = 0
    this.handle.write(bytes)
  }

  digest(): string {
    return this.hash.digest('hex')
  }
}

/** Reads every page back. @throws StorageError where one differs from its journal line */
function verifyArchive(path: string, pages: readonly PageRecord[]): void {
  const expected = new Map(pages.map((page) => [page.file, page.sha256]))
  const handle = openSync(path, 'r')
  try {
    for (const { name, offset, size } of tarMembers(handle, path)) {
      const bytes = Buffer.alloc(size)
      readSync(handle, bytes, 0, size, offset)
      if (sha256(bytes) !== expected.get(name)) throw unlike(path, name)
      expected.delete(name)
    }
  } finally {
    closeSync(handle)
  }
  for (const [name] of expected) throw unlike(path, name)
}

function unlike(path: string, name: string): StorageError {
  return new StorageError(`${path} does not hold ${name} as it was written: nothing was removed`, {
    hint: 'check the disk, then run the same command again',
  })
}

function foldersIn(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}
