import { recordTexts } from 'candlehouse-foundation/json/source'
import { BOARDS } from 'candlehouse-foundation/market/board'
import type { Calendar } from 'candlehouse-foundation/market/calendar'
import { openInstant } from 'candlehouse-foundation/market/sessions'
import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import { type ClosedWalk, isImported } from '../land/journal.js'
import { withPageFiles } from '../land/page-bytes.js'
import { type Counted, type DatasetName, datasets, isList } from '../plan/datasets.js'
import { applyFacts, relationColumns } from './apply-facts.js'
import { attributesOf } from './attributes.js'
import { type Blocked, blockSessions, NOTHING_BLOCKED } from './blocking-sessions.js'
import { boundRows } from './bound-rows.js'
import { hasDerivedFields } from './fields/field-rules.js'
import { keepLostFields } from './fields/lost-fields.js'
import { pageText } from './page-text.js'
import { answersOfBatch, areStored, isRepeatable, keepAnswers } from './repeated.js'
import { recordRequests } from './requests.js'
import { describeWalks } from './session-answers.js'
import { stagePages } from './stage-pages.js'
import { BATCH_STEPS, followSteps, type Steps } from './steps.js'
import { verifyPages } from './verify-pages.js'
import type { LoadOptions, WalkBatch } from './walk-batch.js'

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
  const steps = followSteps(database, BATCH_STEPS)
  const pages = walks.flatMap((walk) => walk.pages)
  const asOf = pages[0]?.trading_date ?? ''
  const batch = { steps, home, dataset: datasets[name], walks, pages, calendar, asOf }
  const answers = answersOfBatch(batch)
  if (answers === undefined || !(await areStored(steps, { dataset: name, keyName: '' }, answers)))
    return await loadPages(database, batch, answers, options)
  if (options.verify) verifyPages(home, pages)
  await database.transaction(async () => await recordRequests(batch))
  const rows = pages.reduce((sum, page) => sum + page.rows, 0)
  return { ...NOTHING_CHANGED, dataset: name, pages: pages.length, rows }
}

const NOTHING_CHANGED = { changed: 0, rejected: 0, unreadable: 0, blocked: NOTHING_BLOCKED, missing: [] }

/** @param answers hash of the answers; undefined if the dataset's answers are not remembered */
async function loadPages(
  database: Database,
  batch: WalkBatch,
  answers: string | undefined,
  options: LoadOptions,
): Promise<Loaded> {
  const { steps, home, dataset, walks, pages, asOf } = batch
  const { name } = dataset
  await steps.run('load/batch/variables', { dataset: literal(name), as_of: literal(asOf) })
  const { incomplete, isDistinct } = await withPageFiles(home, pages, (fileOf) =>
    stagePages(batch, { fileOf, ...options }),
  )
  await describeWalks(batch, incomplete)
  await keepDistinctRows(batch, isDistinct)
  await steps.run('load/batch/imported_pages')
  const mayBeBlocked = dataset.shape === 'session' && walks.some(isImported)
  const blocked = mayBeBlocked ? await blockSessions(batch) : NOTHING_BLOCKED
  await steps.run(hasDerivedFields(name) ? 'load/batch/noisy_values' : 'load/batch/no_noisy_values')
  const quarantined = await cutPayloads(batch)
  return await database.transaction(async () => {
    const changed = await applyRows(batch)
    await recordRequests(batch)
    if (quarantined > 0) await steps.run('load/batch/quarantine')
    await steps.run('load/batch/coverage')
    if (dataset.shape === 'session') await steps.run('load/batch/limits')
    const loaded = { dataset: name, pages: pages.length, changed, blocked, ...(await countBatch(steps)) }
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
  const missing = await steps.column<string>('load/batch/incomplete_sessions')
  return {
    rows: Number(counts?.rows ?? 0),
    rejected: Number(counts?.rejected ?? 0),
    unreadable: Number(counts?.unreadable ?? 0),
    missing,
  }
}

/** @returns number of stored rows that changed */
async function applyRows(batch: WalkBatch): Promise<number> {
  if (isList(batch.dataset.name)) return await applyList(batch)
  if (batch.dataset.shape === 'declaration') return await applyDeclarations(batch)
  return await applyFacts(batch)
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

const BOARD_LIST = `[${BOARDS.map(literal).join(', ')}]`

/** What the statements of security lists get. */
const PARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'apply/securities': attributesOf('listed', 'stored'),
  'apply/late_securities': { boards: BOARD_LIST, ...attributesOf('listed', 'history', 'later') },
}

/**
 * Applies lists, which have all rows that are valid on a day. A stored row that a list does not name has ended only if the list
 * is complete and long enough (`sql/load/lists/session_answers.sql`). Temp table `session_answer` gets one row per list.
 *
 * @returns number of rows that changed
 */
async function applyList(batch: WalkBatch): Promise<number> {
  const { steps, dataset, walks, calendar, asOf } = batch
  const { name } = dataset
  const open = new Date(openInstant(calendar.nextSession(asOf))).toISOString()
  await keepLostFields(batch, await relationColumns(steps, dataset))
  await steps.run('load/lists/variables', { next_open: literal(open) })
  await steps.run('load/lists/session_answers')
  if (name === 'securities') {
    await steps.run('load/lists/all_boards', { boards: BOARD_LIST })
  }
  if (name === 'indexMembers') await steps.run('load/lists/answered_indexes')
  const [latest] = await steps.rows<{ is_later: boolean }>('load/lists/latest_list')
  if (walks.length === 0) return 0
  const isLate = latest?.is_later === true
  // Indexes have no validity, so an earlier list changes nothing of them.
  if (isLate && name === 'indexes') return 0
  const step = isLate && name === 'securities' ? 'apply/late_securities' : `apply/${name}`
  return await steps.count(step, PARTS[step] ?? {})
}

/**
 * Applies declarations of a user's file: each row replaces the stored row of its key, with a line in `market.revision`; rows
 * that the file does not name stay. Temp table `session_answer` gets one row per walk.
 *
 * @returns number of rows that changed
 */
async function applyDeclarations({ steps, dataset }: WalkBatch): Promise<number> {
  // A user's file lacks nothing: fields that it does not have are not declared.
  await steps.run('load/fields/no_lost_fields')
  await steps.run('load/lists/session_answers')
  return await steps.count(`apply/${dataset.name}`)
}

/**
 * Creates temp view `received_row`: one row per key. Pages that shifted between requests repeat rows: equal rows are one row.
 * Rows of one key that differ within one answer contradict each other, so all of them are rejected.
 *
 * @param isDistinct whether it is known that no key was received twice: counting the keys of a million bars costs 0.13 CPU-seconds,
 * and as much memory as the bars
 */
async function keepDistinctRows({ steps, dataset }: WalkBatch, isDistinct: boolean): Promise<void> {
  if (isDistinct) return await steps.run('load/candles/distinct')
  const parts = { key: dataset.key.join(', ') }
  if ((await steps.count('load/batch/repeated_keys', parts)) === 0) return
  if (dataset.name === 'ohlc') await steps.run('load/candles/stage')
  await steps.run('load/batch/shifted_walks', parts)
  await steps.run('load/batch/distinct_rows', parts)
}

/** Texts per statement: one statement per record took a minute for a file of which every record was rejected. */
const PAYLOADS_AT_ONCE = 5000

/**
 * Writes the text of every record that goes to quarantine to its row of `staged_record`: it is rejected, or is loaded without a
 * field. The text is cut from the page, because DuckDB's STRUCT has rewritten it. Returns the number of these records; a rejected
 * page counts as one.
 */
async function cutPayloads({ steps, home, ...batch }: WalkBatch): Promise<number> {
  const rejected = await steps.rows<{ id: string; ordinal: bigint }>('load/batch/rejected_records')
  const pages = new Map(batch.pages.map((page) => [page.id, page]))
  let texts: { id: string; records: string[] } | undefined
  let cut: { id: string; ordinal: number; payload: string }[] = []
  const write = async (): Promise<void> => {
    if (cut.length > 0) await steps.run('load/batch/payloads', {}, [boundRows(cut)])
    cut = []
  }
  for (const { id, ordinal } of rejected) {
    const page = pages.get(id)
    if (!page || ordinal === 0n) continue
    if (texts?.id !== id) {
      texts = { id, records: recordTexts(pageText(home, page)) }
    }
    const payload = texts.records[Number(ordinal) - 1]
    if (payload !== undefined) cut.push({ id, ordinal: Number(ordinal), payload })
    if (cut.length === PAYLOADS_AT_ONCE) await write()
  }
  await write()
  return rejected.length
}
