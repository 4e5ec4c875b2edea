import { existsSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import { sha256 } from '../home/sha256.js'
import { hashFile } from '../lake/lake-files.js'
import { knownPages, openPageLedgers } from '../lake/page-ledger.js'
import { archivesFile, deletionOf, readRawIndex } from '../land/archives.js'
import { journalledPages, journalledRuns, type PageRecord } from '../land/journal.js'
import type { DamagedLine } from '../land/journal-lines.js'
import { compareRaw, type RawLoss } from '../land/loss.js'
import { findPageBytes } from '../land/page-bytes.js'

/**
 * The raw pages of a home compared with their journals, and these with the pages that the warehouse and the published lake
 * name. Paths are relative to the home.
 */
export interface RawVerification {
  readonly home: string
  /** Whether a page is lost, missing or changed, or a line cannot be read. */
  readonly isDamaged: boolean
  /** What the journals were compared with; empty where there is neither a warehouse nor a published lake. */
  readonly ledgers: readonly string[]
  /** Why a warehouse or a lake that is there was not compared. */
  readonly unreadable: readonly string[]
  /** Loaded pages that `raw/` can no longer give, by run and dataset: no whole line of a journal names them, or they are missing or changed. */
  readonly lost: readonly RawLoss[]
  /** Lines of journals that cannot be read. */
  readonly damagedLines: readonly DamagedLine[]
  /** Pages that the journals name. */
  readonly pages: number
  /** Of these, pages that are files, members of archives, or deleted by `raw delete`. */
  readonly inFiles: number
  readonly inArchives: number
  readonly deleted: number
  readonly archives: number
  /** Pages and archives that are gone. */
  readonly missing: readonly string[]
  /** Pages and archives that are not what was written. */
  readonly changed: readonly string[]
  /** Files in `raw/` that no journal and no index names: left by a kill, or put there by somebody. No damage. */
  readonly foreign: readonly string[]
}

/** `the warehouse and the lake have`: what pages were compared with. */
export function ledgersHave(ledgers: readonly string[]): string {
  return `${ledgers.join(' and ')} ${ledgers.length === 1 ? 'has' : 'have'}`
}

export interface RawVerifySteps {
  onRun(run: string): void
  readonly signal: AbortSignal
}

/** Files that no journal names: overrides, and rows of watches. */
const OF_PEOPLE = ['raw/accepted.ndjson', 'raw/watches.ndjson', 'raw/watches-delivered.ndjson']

/**
 * Compares every journalled page with its SHA-256, in its file or its archive, and the journals with the ledgers of the home.
 * Locks nothing: pages that land meanwhile are whole before their journal names them.
 *
 * @throws StorageError where the index cannot be read
 */
export async function verifyRaw(home: string, steps: RawVerifySteps): Promise<RawVerification> {
  // Before the journals: a page that lands in between is not foreign.
  const files = rawFiles(home)
  const known = new Set([relative(home, archivesFile(home)), ...OF_PEOPLE])
  const { archives } = readRawIndex(home)
  const damage = { missing: [] as string[], changed: [] as string[] }
  for (const { archive, sha256 } of archives) {
    steps.signal.throwIfAborted()
    known.add(archive)
    if (!existsSync(join(home, archive))) damage.missing.push(archive)
    else if ((await hashFile(join(home, archive))) !== sha256) damage.changed.push(archive)
  }
  const loose = new Set(files)
  const unusable = new Set<string>()
  const counts = { pages: 0, inFiles: 0, inArchives: 0, deleted: 0 }
  for (const run of journalledRuns(home)) {
    steps.signal.throwIfAborted()
    for (const page of journalledPages(home, run)) {
      counts.pages++
      if (deletionOf(readRawIndex(home), page)) {
        counts.deleted++
        continue
      }
      known.add(page.file)
      const state = compare(home, page)
      if (state !== 'same') {
        damage[state].push(page.file)
        unusable.add(page.file)
      } else if (loose.has(page.file)) counts.inFiles++
      else counts.inArchives++
    }
    steps.onRun(run)
  }
  const foreign = files.filter((file) => !known.has(file))
  const compared = await compareWithPageLedgers(home, unusable)
  const isDamaged =
    [...damage.missing, ...damage.changed, ...compared.lost, ...compared.damagedLines].length > 0
  return { home, isDamaged, ...compared, ...counts, archives: archives.length, ...damage, foreign }
}

type Compared = Pick<RawVerification, 'ledgers' | 'unreadable' | 'lost' | 'damagedLines'>

/** @param unusable files of pages that are missing or changed: no page is read twice */
async function compareWithPageLedgers(home: string, unusable: ReadonlySet<string>): Promise<Compared> {
  using ledgers = await openPageLedgers(home)
  const { runs, pagesOf } = await knownPages(ledgers.all)
  const { losses, damagedLines } = await compareRaw(home, runs, pagesOf, ({ file }) => !unusable.has(file))
  const { all, unreadable } = ledgers
  return { ledgers: all.map(({ name }) => name), unreadable, lost: losses, damagedLines }
}

function compare(home: string, page: PageRecord): 'same' | 'missing' | 'changed' {
  try {
    const bytes = findPageBytes(home, page)
    if (!bytes) return 'missing'
    return sha256(bytes) === page.sha256 ? 'same' : 'changed'
  } catch (error) {
    // Its archive is gone or damaged, or its file cannot be read: it cannot be replayed either.
    if (error instanceof StorageError) return 'missing'
    throw error
  }
}

/** Files of pages, and what else stands beside the journals. */
function rawFiles(home: string): string[] {
  const folder = join(home, 'raw')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(home, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => !file.startsWith('raw/journal/') && !file.startsWith('raw/refused/'))
    .sort()
}
