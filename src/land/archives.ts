import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import { refused } from 'candlehouse-foundation/system-fault'
import { z } from 'zod'
import type { Effects } from '../effects.js'
import { appendLines } from '../home/files.js'
import { type TarMember, tarMembers } from './tar.js'

const archived = z.object({
  kind: z.literal('archive'),
  /** Relative to the home folder. */
  archive: z.string(),
  dataset: z.string(),
  /** YYYY-MM of the trading date that the runs worked for. */
  month: z.string(),
  /** Runs whose pages it has. */
  runs: z.array(z.string()),
  pages: z.number(),
  /** Size and SHA-256 of the archive. */
  bytes: z.number(),
  sha256: z.string(),
  /** ISO 8601. */
  packed_at: z.string(),
})

const deleted = z.object({
  kind: z.literal('deleted'),
  dataset: z.string(),
  month: z.string(),
  /** Runs whose pages of that dataset and month are gone. */
  runs: z.array(z.string()),
  pages: z.number(),
  /** First and last day that the pages were asked for. */
  from: z.string(),
  to: z.string(),
  /** ISO 8601. */
  deleted_at: z.string(),
})

/** A closed month's pages of a dataset in one tar file. */
export type Archive = z.infer<typeof archived>

/** Pages of a dataset and month that a user deleted for good. */
export type Deletion = z.infer<typeof deleted>

const line = z.discriminatedUnion('kind', [archived, deleted])

/** The fields of a journal line that identify a landed page. */
export interface LandedPage {
  /** Relative to the home folder: `raw/DATASET/RUN/ID.json.gz`. */
  readonly file: string
  /** Absent if only the file is known: then deletions of all months of its run count. */
  readonly trading_date?: string
}

/** The index of a home's archives and deletions. The journals are never rewritten. */
export interface RawIndex {
  /** Archives whose pages are still needed, oldest first. */
  readonly archives: readonly Archive[]
  /** Archives whose pages were deleted: their files are to be removed. */
  readonly obsolete: readonly Archive[]
  readonly deletions: readonly Deletion[]
  /** `DATASET/RUN` → the archives that have its pages, the latest first. */
  readonly archivesOfRun: ReadonlyMap<string, readonly Archive[]>
  readonly deletionsOfRun: ReadonlyMap<string, readonly Deletion[]>
}

/** File of the index: one line per archive and deletion, appended before a page is removed. */
export function archivesFile(home: string): string {
  return join(home, 'raw', 'archives.ndjson')
}

interface Cached<Value> {
  readonly identity: string
  readonly value: Value
}

/** Parsed files. A file is read again if it was replaced or has grown. */
const indexes = new Map<string, Cached<RawIndex>>()
const contents = new Map<string, Cached<ReadonlyMap<string, TarMember> | StorageError>>()

/** The index of a home; empty if nothing was packed. A last line without a newline was cut off by a kill. @throws StorageError */
export function readRawIndex(home: string): RawIndex {
  const file = archivesFile(home)
  const identity = identityOf(file)
  const cached = indexes.get(file)
  if (cached?.identity === identity) return cached.value
  const value = parseIndex(file, identity === '' ? '' : readFileSync(file, 'utf8'))
  indexes.set(file, { identity, value })
  return value
}

function parseIndex(file: string, content: string): RawIndex {
  const lines = content.split('\n')
  lines.pop()
  let archives: Archive[] = []
  const obsolete: Archive[] = []
  const deletions: Deletion[] = []
  lines.forEach((text, index) => {
    const entry = parseLine(file, text, index + 1)
    if (entry.kind === 'archive') {
      archives.push(entry)
      return
    }
    deletions.push(entry)
    const isDeleted = ({ dataset, month }: Archive): boolean =>
      dataset === entry.dataset && month === entry.month
    obsolete.push(...archives.filter(isDeleted))
    archives = archives.filter((archive) => !isDeleted(archive))
  })
  const archivesOfRun = byRun(archives.toReversed())
  return { archives, obsolete, deletions, archivesOfRun, deletionsOfRun: byRun(deletions) }
}

function byRun<Entry extends Archive | Deletion>(entries: readonly Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) {
    for (const run of entry.runs) {
      const key = `${entry.dataset}/${run}`
      groups.set(key, [...(groups.get(key) ?? []), entry])
    }
  }
  return groups
}

function parseLine(file: string, text: string, number: number): Archive | Deletion {
  try {
    return line.parse(JSON.parse(text))
  } catch (cause) {
    throw new StorageError(`${file}, line ${number}: not a line of the index of archives`, {
      hint: 'restore the file from a backup; the archives that it names are in raw/',
      cause,
    })
  }
}

/** Appends entries to the index and waits until they are on disk. @throws StorageError */
export async function appendRawIndex(
  home: string,
  entries: readonly (Archive | Deletion)[],
  { disk }: Effects,
): Promise<void> {
  await appendLines(archivesFile(home), entries, disk)
}

/** The deletion that a page belongs to; undefined if it was not deleted. */
export function deletionOf(index: RawIndex, { file, trading_date }: LandedPage): Deletion | undefined {
  const month = trading_date?.slice(0, 7)
  const deletions = index.deletionsOfRun.get(runFolder(file)) ?? []
  return deletions.find((entry) => month === undefined || entry.month === month)
}

/** Where a page stands in an archive. */
export interface ArchivedPage extends TarMember {
  /** Relative to the home folder. */
  readonly archive: string
}

/** The member of an archive that is this page; undefined where none has it. @throws StorageError for a damaged archive */
export function archivedPage(home: string, file: string): ArchivedPage | undefined {
  for (const { archive } of readRawIndex(home).archivesOfRun.get(runFolder(file)) ?? []) {
    const member = membersOf(home, archive).get(file)
    if (member) return { ...member, archive }
  }
  return undefined
}

/** Bytes of an archived page. @throws StorageError where the archive cannot be read */
export function readMember(home: string, { archive, offset, size }: ArchivedPage): Buffer {
  return withArchive(home, archive, (handle) => {
    const bytes = Buffer.alloc(size)
    if (readSync(handle, bytes, 0, size, offset) === size) return bytes
    throw new StorageError(`${join(home, archive)} is damaged: it ends too early`, {
      hint: 'restore the archive from a backup',
    })
  })
}

/** Name → place of every page of an archive. @throws StorageError where it is gone or damaged */
function membersOf(home: string, archive: string): ReadonlyMap<string, TarMember> {
  const path = join(home, archive)
  const identity = identityOf(path)
  const cached = contents.get(path)
  const isKnown = cached && identity !== '' && cached.identity === identity
  const value = isKnown ? cached.value : withArchive(home, archive, (handle) => scanned(handle, path))
  contents.set(path, { identity, value })
  if (value instanceof StorageError) throw value
  return value
}

/** What is wrong with a damaged archive is remembered too: each of its pages would scan it again. */
function scanned(handle: number, path: string): ReadonlyMap<string, TarMember> | StorageError {
  try {
    return new Map([...tarMembers(handle, path)].map((member) => [member.name, member]))
  } catch (error) {
    if (error instanceof StorageError) return error
    throw error
  }
}

function withArchive<Value>(home: string, archive: string, work: (handle: number) => Value): Value {
  const path = join(home, archive)
  let handle: number
  try {
    handle = openSync(path, 'r')
  } catch (cause) {
    throw refused(`read the archive ${path}`, cause, 'restore the archive from a backup')
  }
  try {
    return work(handle)
  } finally {
    closeSync(handle)
  }
}

/** `DATASET/RUN` of a page. */
function runFolder(file: string): string {
  const [, dataset = '', run = ''] = file.split('/')
  return `${dataset}/${run}`
}

/** Changes when a file is replaced or grows; empty where there is none. */
function identityOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : ''
}
