import type { Calendar } from 'candlehouse-foundation/market/calendar'
import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import { type ClosedWalk, isImported } from '../land/journal.js'
import { withPageFiles } from '../land/page-bytes.js'
import { type Counted, type Dataset, type DatasetName, datasets, isList } from '../plan/datasets.js'
import { applyFacts } from './apply-facts.js'
import { applyList } from './apply-lists.js'
import { type Blocked, blockSessions, NOTHING_BLOCKED } from './blocking-sessions.js'
import type { LandedColumns } from './candles/landed-columns.js'
import { applyDeclarations } from './declarations.js'
import { keepDistinctRows } from './distinct-rows.js'
import { hasDerivedFields } from './fields/field-rules.js'
import { cutPayloads } from './payloads.js'
import { answersOfBatch, areStored, isRepeatable, keepAnswers } from './repeated.js'
import { recordRequests } from './requests.js'
import { describeWalks } from './session-answers.js'
import { stagePages } from './stage-pages.js'
import { BATCH_STEPS, followSteps, type Steps } from './steps.js'
import { verifyPages } from './verify-pages.js'

/** Counts and findings of one loaded batch. */
export interface Loaded {
  dataset: Counted
  pages: number
  rows: number
  changed: number
  rejected: number
  /** Pages that are not JSON: each is one rejected record. */
  unreadable: number
  /** Rows of a user's file that were skipped, because rows of the service are stored for their sessions. */
  blocked: Blocked
  /** Sessions that are incomplete after the batch: `key timeframe day: reason`. */
  missing: string[]
}

/** Pages per batch, at most: a commit costs the same for one page as for many, and a page of a night has 225 bars. */
export const PAGES_PER_BATCH = 2000

/** Records per batch, at most: this limits its memory to about 100 MB. */
export const RECORDS_PER_BATCH = 500_000

/** How a batch is loaded. */
export interface LoadOptions {
  /** Whether the pages are compared with the SHA-256 of their journal lines: needed for pages of earlier runs. */
  readonly verify: boolean
  /** Bars of pages that this run has landed, so that they need not be read again. */
  readonly landed?: LandedColumns
}

/**
 * Loads closed page walks of one dataset. It stages their pages, then writes rows, ledger, coverage, quarantine and dirty marks
 * in one transaction: after a kill at any point the whole batch is stored, or nothing of it. Answers that equal those of the
 * dataset's latest batch are only recorded in the ledger.
 *
 * @throws StorageError if a landed page is missing or changed, or the disk refuses
 */
export async function loadBatch(
  database: Database,
  home: string,
  name: DatasetName,
  walks: readonly ClosedWalk[],
  calendar: Calendar,
  options: LoadOptions,
): Promise<Loaded> {
  const dataset = datasets[name]
  const steps = followSteps(database, BATCH_STEPS)
  const answers = answersOfBatch(dataset, walks, calendar)
  if (answers === undefined || !(await areStored(steps, { dataset: name, keyName: '' }, answers)))
    return await loadPages(database, home, { steps, dataset, walks, answers }, calendar, options)
  const pages = walks.flatMap((walk) => walk.pages)
  if (options.verify) verifyPages(home, pages)
  await database.transaction(async () => await recordRequests(steps, dataset, walks))
  const rows = pages.reduce((sum, page) => sum + page.rows, 0)
  return { ...NOTHING_CHANGED, dataset: name, pages: pages.length, rows }
}

const NOTHING_CHANGED = { changed: 0, rejected: 0, unreadable: 0, blocked: NOTHING_BLOCKED, missing: [] }

/** Page walks that are loaded together. */
interface Batch {
  readonly steps: Steps
  readonly dataset: Dataset
  readonly walks: readonly ClosedWalk[]
  /** Hash of their answers; undefined if the dataset's answers are not remembered. */
  readonly answers: string | undefined
}

async function loadPages(
  database: Database,
  home: string,
  { steps, dataset, walks, answers }: Batch,
  calendar: Calendar,
  options: LoadOptions,
): Promise<Loaded> {
  const { name } = dataset
  const asOf = walks[0]?.pages[0]?.trading_date ?? ''
  await steps.run('load/batch/variables', { parts: { dataset: literal(name), as_of: literal(asOf) } })
  const { incomplete, isDistinct } = await withPageFiles(
    home,
    walks.flatMap((walk) => walk.pages),
    (fileOf) => stagePages(steps, home, dataset, walks, { fileOf, ...options }),
  )
  await describeWalks(steps, walks, incomplete)
  await keepDistinctRows(steps, dataset, isDistinct)
  await steps.run('load/batch/imported_pages')
  const mayBeBlocked = dataset.shape === 'session' && walks.some(isImported)
  const blocked = mayBeBlocked ? await blockSessions(steps, dataset, walks) : NOTHING_BLOCKED
  await steps.run(hasDerivedFields(name) ? 'load/batch/noisy_values' : 'load/batch/no_noisy_values')
  const quarantined = await cutPayloads(steps, home, walks)
  return await database.transaction(async () => {
    const changed = await applyRows(steps, dataset, walks, calendar, asOf)
    await recordRequests(steps, dataset, walks)
    if (quarantined > 0) await steps.run('load/batch/quarantine')
    await steps.run('load/batch/coverage')
    if (dataset.shape === 'session') await steps.run('load/batch/limits')
    const pages = walks.reduce((sum, walk) => sum + walk.pages.length, 0)
    const loaded = { dataset: name, pages, changed, blocked, ...(await countBatch(steps)) }
    if (isRepeatable(dataset)) await keepAnswers(steps, { dataset: name, keyName: '' }, answers, loaded)
    return loaded
  })
}

async function countBatch(
  steps: Steps,
): Promise<Pick<Loaded, 'rows' | 'rejected' | 'unreadable' | 'missing'>> {
  const [counts] = await steps.rows<{ rows: bigint; rejected: bigint; unreadable: bigint }>(
    'load/batch/counts',
  )
  const missing = await steps.rows<{ line: string }>('load/batch/incomplete_sessions')
  return {
    rows: Number(counts?.rows ?? 0),
    rejected: Number(counts?.rejected ?? 0),
    unreadable: Number(counts?.unreadable ?? 0),
    missing: missing.map(({ line }) => line),
  }
}

/** @returns number of stored rows that changed */
async function applyRows(
  steps: Steps,
  dataset: Dataset,
  walks: readonly ClosedWalk[],
  calendar: Calendar,
  asOf: string,
): Promise<number> {
  if (isList(dataset.name)) return await applyList(steps, dataset, walks, calendar, asOf)
  if (dataset.shape === 'declaration') return await applyDeclarations(steps, dataset)
  return await applyFacts(steps, dataset, walks, calendar)
}

/**
 * Divides page walks into batches. A batch has one dataset and one trading date, at most `PAGES_PER_BATCH` pages and
 * `RECORDS_PER_BATCH` records, and walks either of the service or of a user's file. Walks with overlapping windows are in
 * different batches, because the later one is compared with the rows of the earlier one.
 */
export function batchesOf(walks: readonly ClosedWalk[]): ClosedWalk[][] {
  const batches: ClosedWalk[][] = []
  let pages = 0
  let records = 0
  for (const walk of walks) {
    const batch = batches.at(-1)
    const walkRecords = walk.pages.reduce((sum, page) => sum + page.rows, 0)
    const fits =
      batch?.[0] !== undefined &&
      batch[0].window.dataset === walk.window.dataset &&
      batch[0].pages[0]?.trading_date === walk.pages[0]?.trading_date &&
      isImported(batch[0]) === isImported(walk) &&
      pages + walk.pages.length <= PAGES_PER_BATCH &&
      records + walkRecords <= RECORDS_PER_BATCH &&
      !batch.some((other) => overlaps(other, walk))
    if (fits) batch.push(walk)
    else {
      batches.push([walk])
      pages = 0
      records = 0
    }
    pages += walk.pages.length
    records += walkRecords
  }
  return batches
}

function overlaps(a: ClosedWalk, b: ClosedWalk): boolean {
  const [first, second] = [a.window, b.window]
  return (
    (first.key === second.key || first.key === '*' || second.key === '*') &&
    first.timeframe === second.timeframe &&
    first.from <= second.to &&
    second.from <= first.to
  )
}
