import { StorageError } from 'candlehouse-foundation/errors'
import { systemFault } from 'candlehouse-foundation/system-fault'
import { sha256 } from '../home/sha256.js'
import { isPart } from '../plan/parts.js'
import { deletionOf, readRawIndex } from './archives.js'
import { journalFolder, journalledRuns, type PageRecord } from './journal.js'
import { type DamagedLine, readJournalLines } from './journal-lines.js'
import { findPageBytes } from './page-bytes.js'

/** A page as a ledger has it that was not made from the journals alone. */
export interface KnownPage {
  readonly request_id: string
  readonly dataset: string
  readonly walk: string
  readonly page: number
  readonly sha256: string
  readonly raw_file: string
  /** As sent, JSON. */
  readonly query: string
  /** YYYY-MM-DD. */
  readonly received_on: string
}

/** What `raw/` lacks of one run and dataset. */
export interface RawLoss {
  readonly run: string
  readonly dataset: string
  /** Pages that were loaded and that `raw/` can no longer give: gone, changed, or no longer in a journal. */
  readonly pages: number
  /** First and last day that they were asked for; of pages that were asked for no day, the days of their receipt. */
  readonly days: readonly string[]
  /** One of them, relative to the home. */
  readonly example: string
  /** Whether they are of accounts: the service cannot give those again. */
  readonly isOfAccounts: boolean
}

/** `raw/` compared with the pages that were loaded from it. */
export interface RawState {
  /** Loaded pages that are lost, by run and dataset. */
  readonly losses: readonly RawLoss[]
  /** Ids of lost pages and of journalled pages that are gone or changed: walks with them cannot be loaded. */
  readonly unusable: ReadonlySet<string>
  /** Journalled pages that no ledger has as loaded, and that are gone or not as received. */
  readonly unloaded: readonly PageRecord[]
  readonly damagedLines: readonly DamagedLine[]
}

/** Loaded pages of a run by their ids, of all ledgers together; empty where none knows the run. */
export type KnownPagesOf = (run: string) => Promise<ReadonlyMap<string, KnownPage>>

/**
 * Compares the journals, and the pages that they name, with the pages that ledgers know. A page that is gone and
 * one that is not as it was received are lost alike: neither can be loaded again. Pages that a user deleted with `raw delete` are not lost.
 *
 * @param runs runs that a ledger knows
 * @param isWhole whether a page is there as it was received; by default its bytes are read and compared
 */
export async function compareRaw(
  home: string,
  runs: readonly string[],
  knownPagesOf: KnownPagesOf,
  isWhole: (page: PageRecord) => boolean = (page) => isAsReceived(home, page),
): Promise<RawState> {
  const losses: RawLoss[] = []
  const unusable = new Set<string>()
  const unloaded: PageRecord[] = []
  const damagedLines: DamagedLine[] = []
  const journalled = new Set(journalledRuns(home))
  for (const run of [...new Set([...runs, ...journalled])].sort()) {
    const { pages, damaged } = journalled.has(run)
      ? readJournalLines<PageRecord>(journalFolder(home), run)
      : { pages: [], damaged: [] }
    damagedLines.push(...damaged)
    const known = await knownPagesOf(run)
    for (const page of pages) {
      if (isDeleted(home, page) || isWhole(page)) continue
      unusable.add(page.id)
      if (!known.has(page.id)) unloaded.push(page)
    }
    const records = new Map(pages.map((page) => [page.id, page]))
    const lost = [...known.values()].filter(
      (page) =>
        !isDeleted(home, { file: page.raw_file }) &&
        (unusable.has(page.request_id) || !isSame(page, records.get(page.request_id))),
    )
    for (const page of lost) unusable.add(page.request_id)
    losses.push(...byDataset(run, lost))
  }
  return { losses, unusable, unloaded, damagedLines }
}

/** Codes of the system that say of a page or its archive that it is gone, or that its bytes are. */
const GONE = new Set<string | undefined>([undefined, 'ENOENT', 'ENOTDIR', 'EISDIR', 'EIO'])

/**
 * Whether the page is there with its SHA-256.
 *
 * @throws StorageError where the system refuses to read it now: without permission a page is not lost
 */
export function isAsReceived(home: string, page: Pick<PageRecord, 'file' | 'sha256'>): boolean {
  try {
    const bytes = findPageBytes(home, page)
    return bytes !== undefined && sha256(bytes) === page.sha256
  } catch (error) {
    if (error instanceof StorageError && GONE.has(systemFault(error)?.code)) return false
    throw error
  }
}

function isDeleted(home: string, page: { file: string; trading_date?: string }): boolean {
  return deletionOf(readRawIndex(home), page) !== undefined
}

function isSame(known: KnownPage, record: PageRecord | undefined): boolean {
  return (
    record !== undefined &&
    record.sha256 === known.sha256 &&
    record.walk === known.walk &&
    record.page === known.page &&
    record.file === known.raw_file
  )
}

function byDataset(run: string, lost: readonly KnownPage[]): RawLoss[] {
  const datasets = [...new Set(lost.map(({ dataset }) => dataset))].sort()
  return datasets.map((dataset) => {
    const pages = lost.filter((page) => page.dataset === dataset)
    const days = [...new Set(pages.flatMap(daysOf))].sort()
    const ends = [...new Set([days[0] ?? '', days.at(-1) ?? ''])]
    const example = pages[0]?.raw_file ?? ''
    return { run, dataset, pages: pages.length, days: ends, example, isOfAccounts: isPart(dataset) }
  })
}

function daysOf({ query, received_on }: KnownPage): string[] {
  const asked = [...query.matchAll(/(\d{4})[/-](\d{2})[/-](\d{2})/g)].map(
    ([, year, month, day]) => `${year}-${month}-${day}`,
  )
  return asked.length > 0 ? asked : [received_on]
}
