import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isUnreadableInput } from '../duckdb/open.js'
import { identifier, literal } from '../duckdb/sqlfile.js'
import { openTempFolder } from '../home/home.js'
import type { PageRecord } from '../land/journal.js'
import type { FileOfPage } from '../land/page-bytes.js'
import type { Dataset } from '../plan/datasets.js'
import { groupsBy } from '../plan/groups.js'
import { boundRows } from './bound-rows.js'
import { NO_COLUMNS, readAsColumns } from './candles/read-pages.js'
import { type PageProblem, readPageText } from './page-text.js'
import { type ProvenPage, provenPage } from './proven-pages.js'
import { MOST_RECORD_BYTES, singleRecords } from './single-records.js'
import type { Steps } from './steps.js'
import { verifyPages } from './verify-pages.js'
import type { LoadOptions, WalkBatch } from './walk-batch.js'

/** Id of a page → reason why not all of its records were read. */
export type IncompletePages = ReadonlyMap<string, string>

/** Pages per statement: a statement takes about 100 ms, and 1.5 ms more per page; more than 500 only cost memory. */
const PAGES_PER_STATEMENT = 300

/**
 * Bytes of a page that DuckDB reads as a whole, at most; larger ones are read record by record. Each of its threads takes twice as
 * many bytes of memory as the largest page has. With 128 MiB for every page a machine of three cores could not load a night.
 */
export const MOST_WHOLE_BYTES = MOST_RECORD_BYTES

/** Facts of the pages of a batch, besides the rows in temp tables. */
export interface StagedPages {
  readonly incomplete: IncompletePages
  /** Whether it is known that no key was received twice. */
  readonly isDistinct: boolean
}

/**
 * Reads the pages of a batch into temp table `staged_record`: typed columns, and `reason` for a record that is not valid.
 * Runs outside the transaction.
 *
 * Plain pages of ordinary candles become columns here (`candle_column`). All others are read as text, at most twice:
 * - DuckDB reads plain pages as a whole;
 * - pages that are not plain, that are large, that have a rejected record, that DuckDB cannot read or of which it did not read
 *   every record are read record by record from their source text.
 *
 * A page that is not JSON is one rejected record: the content of a page never makes this throw.
 *
 * @param options.fileOf paths of the pages' files
 * @throws StorageError if a landed file is missing or changed, or the disk refuses
 */
export async function stagePages(
  batch: WalkBatch,
  { fileOf, verify, landed }: LoadOptions & { fileOf: FileOfPage },
): Promise<StagedPages> {
  const { steps, home, dataset } = batch
  const withRecords = batch.pages.filter((page) => page.shape !== 'none')
  if (verify) verifyPages(home, withRecords)
  const pages = withRecords.map((page) => provenPage(home, page))
  const asColumns = dataset.name === 'ohlc' ? await readAsColumns(batch, pages, landed) : NO_COLUMNS
  await describePages(steps, fileOf, pages, asColumns.ids)
  const asText = pages.filter(({ id }) => !asColumns.ids.has(id))
  let isStaged = false
  for (const group of groupsBySpelling(dataset, asText))
    isStaged = await stageWhole(batch, fileOf, group, isStaged)
  if (!isStaged) {
    await steps.run('load/batch/no_records', { record: recordType(dataset.fields) })
    await stageRecords(batch, isStaged)
  }
  const ids = new Set(await steps.column<string>('load/batch/reread_pages'))
  const rereadPages = pages.filter((page) => ids.has(page.id))
  const problems = new Map(pages.flatMap(({ id, problem }) => (problem ? [[id, problem]] : [])))
  if (rereadPages.length > 0) {
    await steps.run('load/batch/drop_reread_pages', {}, [boundRows([...ids])])
    for (const [id, problem] of await stageRecordByRecord(batch, rereadPages)) problems.set(id, problem)
  }
  if (problems.size > 0) await rejectPages(steps, problems)
  await steps.run(dataset.name === 'ohlc' ? 'load/candles/read_records' : 'load/batch/read_records')
  return {
    incomplete: await incompletePages(steps, withRecords, pages),
    isDistinct: asColumns.isDistinct && asText.length === 0,
  }
}

/** Pages whose number of records differs from their journal lines, or from the number of records read. */
async function incompletePages(
  steps: Steps,
  landed: readonly PageRecord[],
  pages: readonly ProvenPage[],
): Promise<IncompletePages> {
  const incomplete = new Map<string, string>()
  landed.forEach(({ id, rows }, index) => {
    const proven = pages[index]
    if (proven?.problem) incomplete.set(id, proven.problem.reason)
    else if (proven && proven.rows !== rows)
      incomplete.set(id, `${rows} records landed, the page has ${proven.rows}`)
  })
  const miscounted = await steps.rows<{ request_id: string; line: string }>('load/batch/miscounted_pages')
  for (const { request_id, line } of miscounted)
    if (!incomplete.has(request_id)) incomplete.set(request_id, line)
  return incomplete
}

/** A page that is not JSON is one rejected record, of position 0, with a part of its text. */
async function rejectPages(steps: Steps, problems: ReadonlyMap<string, PageProblem>): Promise<void> {
  const rows = [...problems].map(([id, { reason, payload }]) => ({ request_id: id, reason, payload }))
  await steps.run('load/batch/unproven_pages', {}, [boundRows(rows)])
}

/** Temp table `batch_page`. */
async function describePages(
  steps: Steps,
  fileOf: FileOfPage,
  pages: readonly ProvenPage[],
  asColumns: ReadonlySet<string>,
): Promise<void> {
  const rows = pages.map((page, number) => ({
    number,
    is_columns: asColumns.has(page.id),
    request_id: page.id,
    walk: page.walk,
    file: fileOf(page),
    received_at: page.received_at,
    as_of: page.trading_date,
    window_key: page.window.key,
    window_timeframe: page.window.timeframe,
    window_from: page.window.from,
    window_to: page.window.to,
    rows: page.rows,
  }))
  await steps.run('load/batch/pages', {}, [boundRows(rows)])
}

/** Groups of plain pages with the same spelling of field names, at most `PAGES_PER_STATEMENT` each. */
function groupsBySpelling(dataset: Dataset, pages: readonly ProvenPage[]): ProvenPage[][] {
  const spellingOf = ({ shape, fields }: ProvenPage): string =>
    `${shape} ${spelledFields(dataset, fields ?? []).join(' ')}`
  const plain = pages.filter((page) => page.plain && page.fields && page.bytes <= MOST_WHOLE_BYTES)
  return [...groupsBy(plain, spellingOf).values()].flatMap((group) => slices(group, PAGES_PER_STATEMENT))
}

function slices<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}

/** The dataset's fields in the spelling of a page. @param fields of the page */
function spelledFields(dataset: Dataset, fields: readonly string[]): string[] {
  const spelled = new Map(fields.map((name) => [name.toLowerCase(), name]))
  return dataset.fields.map((name) => spelled.get(name.toLowerCase()) ?? name)
}

/**
 * Reads pages of one spelling in one statement. If DuckDB cannot read them, it tries each half, and skips a single page that it
 * cannot read.
 *
 * @param isStaged whether table `staged_record` exists
 * @returns whether it exists now
 */
async function stageWhole(
  batch: WalkBatch,
  fileOf: FileOfPage,
  pages: readonly ProvenPage[],
  isStaged: boolean,
): Promise<boolean> {
  const { steps, dataset } = batch
  const [first] = pages
  if (!first) return isStaged
  const records = `${recordType(spelledFields(dataset, first.fields ?? []))}[]`
  try {
    await steps.run('load/batch/whole_pages', {
      files: `[${pages.map((page) => literal(fileOf(page))).join(', ')}]`,
      list: first.shape === 'array' ? 'json' : 'data',
      has_envelope: String(first.shape !== 'array'),
      records: literal(records),
      most_bytes: String(Math.max(...pages.map(({ bytes }) => bytes)) + 1),
    })
    await stageRecords(batch, isStaged)
    return true
  } catch (error) {
    // A page with a record of another shape fails the whole statement. Other errors are not caused by a page.
    if (!isUnreadableInput(error)) throw error
    if (pages.length === 1) return isStaged
    const half = pages.length >> 1
    const isFirstStaged = await stageWhole(batch, fileOf, pages.slice(0, half), isStaged)
    return await stageWhole(batch, fileOf, pages.slice(half), isFirstStaged)
  }
}

/**
 * Types the records of the pages being read, and adds them to `staged_record`; the first records create it. DuckDB plans the
 * typing statement once per group of pages, which takes most of the time of a small batch.
 */
async function stageRecords({ steps, dataset }: WalkBatch, isStaged: boolean): Promise<void> {
  await steps.run(`load/${dataset.name}`)
  await steps.run(isStaged ? 'load/batch/stage' : 'load/batch/staged')
}

/** Reads pages record by record from their source text. @returns id of each page that cannot be read → the problem */
async function stageRecordByRecord(
  batch: WalkBatch,
  pages: readonly ProvenPage[],
): Promise<Map<string, PageProblem>> {
  const { steps, home, dataset } = batch
  const problems = new Map<string, PageProblem>()
  using folder = openTempFolder(home)
  const file = join(folder.path, 'records.ndjson')
  const lines = pages.flatMap((page) => {
    const read = readPageText(home, page, (text) => singleRecords(text, dataset.fields))
    if (Array.isArray(read))
      return read.map(({ fields, fault }, index) =>
        JSON.stringify({ id: page.id, ordinal: index + 1, r: fields, fault }),
      )
    problems.set(page.id, read.problem)
    return []
  })
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
  const most_bytes = String(2 * MOST_RECORD_BYTES)
  const parts = { file: literal(file), record: literal(recordType(dataset.fields)), most_bytes }
  await steps.run('load/batch/single_records', parts)
  await stageRecords(batch, true)
  await steps.run('load/batch/faults')
  return problems
}

/** DuckDB's type of a record with these fields as text. */
function recordType(fields: readonly string[]): string {
  return `STRUCT(${fields.map((name) => `${identifier(name)} VARCHAR`).join(', ')})`
}
