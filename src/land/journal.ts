import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { refused } from 'candlehouse-foundation/system-fault'
import type { Effects } from '../effects.js'
import { type LineFile, makeFolders, openLines } from '../home/files.js'
import { type DatasetName, isList, type Window } from '../plan/datasets.js'
import { isPart, type PartName } from '../plan/parts.js'
import { DEFAULT_KEY_NAME } from '../settings/key-name.js'
import { deletionOf, readRawIndex } from './archives.js'
import { type DamagedLine, isDamaged, readJournalLines } from './journal-lines.js'
import { PageFiles } from './page-files.js'
import { storeRefused } from './refused.js'

/**
 * How a page walk ended, in the line of its last page: a walk without an end is not closed, and not loaded. `imported`: its
 * pages came from a user's file; rows that the file does not have are not missing.
 */
export interface WalkEnd {
  state: 'complete' | 'empty' | 'incomplete' | 'refused' | 'imported'
  reason: string | null
  /** No request got a usable answer, or none was sent. Absent in lines of older versions. */
  code?: 'failed'
}

/** One landed page: one line of the journal. A replay reads only journals and the pages that they name. */
export interface PageRecord {
  id: string
  run: string
  job: string
  /** Trading date of the run: the date of everything that is "as of now" in the page. */
  trading_date: string
  endpoint: string
  query: Readonly<Record<string, string>>
  window: Window<DatasetName | PartName>
  walk: string
  /** From 1. */
  page: number
  /** HTTP status; null if no response arrived, or if the page came from a user's file. */
  status: number | null
  /** Number of HTTP requests until the page was received. */
  attempts: number
  /** ISO 8601, UTC, milliseconds. */
  received_at: string
  /** Size of the body, decoded. */
  bytes: number
  rows: number
  /** Counts that the service reported: records and pages of the whole list, records per page; absent if it reported none. */
  told?: { items?: number; pages?: number; size?: number }
  sha256: string
  /** Relative to the home folder. */
  file: string
  shape: 'array' | 'data' | 'none'
  /** Field names of the first record; null if it is not an object, or not in a list of the page. */
  fields: readonly string[] | null
  /**
   * Whether all records of the page have the same fields in the same order, as text or null, without an escape: then the fast
   * reader loses nothing. If present, the whole page was proven to be JSON before this line was written. Absent in lines of
   * older versions, which did not prove pages: loading proves those.
   */
  plain?: boolean
  /** Account whose part of a snapshot was requested; empty for the list of accounts, absent for market data. */
  account?: string
  /** Name of the API key that received the page; absent for `DEFAULT_KEY_NAME`. */
  key_name?: string
  /** On the last page of a key's snapshot: all other pages of the snapshot are in lines before this one. */
  closes?: 'snapshot'
  /** On the same page: accounts of the key's list that an earlier key of the run has read. They were not requested. */
  of_other_keys?: readonly string[]
  end: WalkEnd | null
}

export interface Journal {
  /**
   * Lands a page: writes its file, then its line; both are on disk on return. Pages that arrive while others are being landed
   * wait, and are then landed together.
   *
   * @param bytes gzip
   * @throws StorageError when the disk refuses
   */
  land(record: PageRecord, bytes: Uint8Array): Promise<void>
  /** Stores a body that is not a page, outside the journal: see `refused.ts`. @throws StorageError when the disk refuses */
  storeRefused(id: string, body: Uint8Array): Promise<void>
  close(): Promise<void>
}

export function journalFolder(home: string): string {
  return join(home, 'raw', 'journal')
}

/** Opens the journal of one run. Every run has a file of its own, so lines of two runs never mix. @throws StorageError */
export async function openJournal(home: string, run: string, effects: Effects): Promise<Journal> {
  const { disk } = effects
  try {
    await makeFolders(journalFolder(home), 0o700, disk)
  } catch (cause) {
    const hint = 'move the file with that name away, or choose another folder with CANDLEHOUSE_HOME'
    throw refused(`create ${journalFolder(home)}`, cause, hint)
  }
  const file = join(journalFolder(home), `${run}.ndjson`)
  const pageFiles = new PageFiles(home, disk)
  let lines: LineFile | undefined
  let waiting: WaitingPage[] = []
  let landing: Promise<void> | undefined
  const landGroup = async (pages: readonly WaitingPage[]): Promise<void> => {
    const files = pages.map(({ record, bytes }) => ({ file: record.file, bytes }))
    await pageFiles.write(files)
    // A line is written only after its page is on disk.
    lines ??= await openLines(file, disk)
    await lines.append(pages.map(({ record }) => record))
  }
  const landWaiting = async (): Promise<void> => {
    while (waiting.length > 0) {
      // Pages of the same turn of the event loop are landed together.
      await turn()
      const pages = waiting
      waiting = []
      try {
        await landGroup(pages)
        for (const { landed } of pages) landed()
      } catch (error) {
        for (const { failed } of pages) failed(error)
      }
    }
    landing = undefined
  }
  return {
    land: (record, bytes) =>
      new Promise((landed, failed) => {
        waiting.push({ record, bytes, landed, failed })
        landing ??= landWaiting()
      }),
    storeRefused: (id, body) => storeRefused(home, run, id, body, effects),
    async close() {
      await landing
      lines?.close()
    },
  }
}

interface WaitingPage {
  readonly record: PageRecord
  readonly bytes: Uint8Array
  landed(): void
  failed(error: unknown): void
}

/** A closed walk: its pages in order. */
export interface ClosedWalk<Asked extends DatasetName | PartName = DatasetName> {
  id: string
  window: Window<Asked>
  end: WalkEnd
  pages: readonly PageRecord[]
}

export type PartWalk = ClosedWalk<PartName>

/** The `endpoint` of pages that came from a user's file. */
export const IMPORT = 'import'

/** Whether a walk's pages came from a user's file. */
export function isImported({ end }: Pick<ClosedWalk, 'end'>): boolean {
  return end.state === 'imported'
}

/** Whether a walk is of a list: its rows are of the trading date, not of the days of its window. */
export function isListWalk({ window }: Pick<ClosedWalk, 'window'>): boolean {
  return isList(window.dataset)
}

/** The part of a snapshot that a page belongs to. @throws TypeError for a page of market data */
export function partOf({ window }: Pick<PageRecord, 'window'>): PartName {
  if (!isPart(window.dataset)) throw new TypeError(`${window.dataset} is not a part of a snapshot`)
  return window.dataset
}

/** Runs that have a journal, oldest first: their ids sort by start. */
export function journalledRuns(home: string): string[] {
  const folder = journalFolder(home)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => name.slice(0, -'.ndjson'.length))
    .sort()
}

/** Closed page walks of a run's journal. */
export interface Journalled {
  /** Walks of market data whose pages all exist. */
  readonly market: readonly ClosedWalk[]
  /**
   * The walks of its account snapshots, one list per key, in the order in which they closed. Empty if the run took no snapshot,
   * or was killed before the first was closed.
   */
  readonly snapshots: readonly (readonly PartWalk[])[]
  /** Walks with a page that a user deleted for good: they cannot be loaded again. */
  readonly deleted: readonly ClosedWalk<DatasetName | PartName>[]
  /** Lines that cannot be read: the pages that they named are not in the walks. */
  readonly damaged: readonly DamagedLine[]
}

/** Every page that a run's journal names, in its order, of open walks too. Damaged lines are left out. */
export function journalledPages(home: string, run: string): readonly PageRecord[] {
  return readJournalLines<PageRecord>(journalFolder(home), run).pages
}

/**
 * Closed walks of a run in the order in which they closed. Pages of open walks are skipped: a kill came in between, and the
 * next run requests them again. So are walks that lack a page, because its line is damaged or its file is lost.
 *
 * @param lost ids of pages that are gone or changed
 */
export function closedWalks(home: string, run: string, lost: ReadonlySet<string> = new Set()): Journalled {
  const index = readRawIndex(home)
  const open = new Map<string, PageRecord[]>()
  const market: ClosedWalk[] = []
  const snapshots = new Map<string, PartsOfKey>()
  const deleted: ClosedWalk<DatasetName | PartName>[] = []
  const { lines, damaged } = readJournalLines<PageRecord>(journalFolder(home), run)
  /** Whether a line since the beginning of the snapshot that is being read may have been one of its own. */
  let isPartLost = false
  for (const record of lines) {
    if (isDamaged(record)) {
      isPartLost ||= record.dataset === undefined || isPart(record.dataset)
      continue
    }
    const pages = open.get(record.walk) ?? []
    open.set(record.walk, pages)
    pages.push(record)
    const { walk: id, end, window } = record
    const { dataset } = window
    const parts = isPart(dataset) ? partsOf(snapshots, keyNameOf(record)) : undefined
    if (parts && lost.has(record.id)) parts.isLost = true
    if (!end) continue
    open.delete(id)
    const isDeleted = pages.some((page) => deletionOf(index, page))
    if (isDeleted) deleted.push({ id, window, end, pages })
    const isWhole = pages.every(({ id, page }, before) => page === before + 1 && !lost.has(id))
    if (parts && isPart(dataset)) {
      parts.walks.push({ id, window: { ...window, dataset }, end, pages })
      parts.isDeleted ||= isDeleted
      parts.isLost ||= !isWhole
      if (record.closes === 'snapshot') {
        parts.isClosed = true
        parts.isLost ||= isPartLost
        isPartLost = false
      }
    } else if (!isPart(dataset) && isWhole && !isDeleted)
      market.push({ id, window: { ...window, dataset }, end, pages })
  }
  // A snapshot is loaded as a whole or not at all.
  const whole = [...snapshots.values()].filter((parts) => parts.isClosed && !parts.isDeleted && !parts.isLost)
  return { market, snapshots: whole.map(({ walks }) => walks), deleted, damaged }
}

function partsOf(snapshots: Map<string, PartsOfKey>, keyName: string): PartsOfKey {
  const parts = snapshots.get(keyName) ?? { walks: [], isClosed: false, isDeleted: false, isLost: false }
  snapshots.set(keyName, parts)
  return parts
}

/** Page walks of the accounts of one key, in one run. */
interface PartsOfKey {
  readonly walks: PartWalk[]
  isClosed: boolean
  isDeleted: boolean
  /** A page of it, or a line that may have named one, is gone or damaged. */
  isLost: boolean
}

/** Name of the key that received a page. */
export function keyNameOf(page: Pick<PageRecord, 'key_name'>): string {
  return page.key_name ?? DEFAULT_KEY_NAME
}
