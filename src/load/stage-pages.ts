import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isUnreadableInput } from '../duckdb/open.js'
import { identifier, literal } from '../duckdb/sqlfile.js'
import { makeTempFolder, removeTempFolder } from '../home.js'
import type { ClosedWalk, PageRecord } from '../land/journal.js'
import type { FileOfPage } from '../land/read-page.js'
import type { Dataset } from '../plan/datasets.js'
import { boundRows } from './bound-rows.js'
import type { LandedColumns } from './candles/landed-columns.js'
import { NO_COLUMNS, readAsColumns } from './candles/read-pages.js'
import { type PageProblem, readPageText } from './page-text.js'
import { type ProvenPage, provenPage } from './proven-pages.js'
import { singleRecords } from './single-records.js'
import type { Steps } from './steps.js'
import { verifyPages } from './verify-pages.js'

/** Page → why what was read of it is not all of it. */
export type IncompletePages = ReadonlyMap<string, string>

/** Pages of one statement: about 100 ms fixed, 1.5 ms a page; more than 500 only costs memory. */
const PAGES_PER_STATEMENT = 300

/** What the pages of a batch brought. */
export interface StagedPages {
  readonly incomplete: IncompletePages
  /** Whether it is known that no key came twice. */
  readonly isDistinct: boolean
}

/**
 * Reads the pages of closed walks into temp table `staged_record`: typed columns, `reason` where a record cannot be
 * believed. Runs outside the transaction.
 *
 * Plain pages of ordinary candles become columns here (`candle_column`); all others are read as text, twice at most: plain
 * ones whole by DuckDB; those that are not plain, that hold a rejected record, that
 * DuckDB cannot read, or of which it did not bring every record, record by record from their source text. A page that is
 * not JSON is one rejected record: nothing that a page holds makes this throw.
 *
 * @param options.fileOf paths of the pages' files
 * @param options.verify whether the files are compared with the sha256 of their records (pages of former runs)
 * @param options.landed bars of pages that need not be read again
 * @throws StorageError when a landed file is gone or changed, or the disk refuses
 */
export async function stagePages(
  steps: Steps,
  home: string,
  dataset: Dataset,
  walks: readonly ClosedWalk[],
  { fileOf, verify, landed: kept }: { fileOf: FileOfPage; verify: boolean; landed?: LandedColumns },
): Promise<StagedPages> {
  const landed = walks.flatMap((walk) => walk.pages).filter((page) => page.shape !== 'none')
  if (verify) verifyPages(home, landed)
  const pages = landed.map((page) => provenPage(home, page))
  const asColumns = dataset.name === 'ohlc' ? await readAsColumns(steps, home, pages, kept) : NO_COLUMNS
  await describePages(steps, fileOf, pages, asColumns.ids)
  const asText = pages.filter(({ id }) => !asColumns.ids.has(id))
  let isStaged = false
  for (const group of bySpelling(dataset, asText))
    isStaged = await stageWhole(steps, fileOf, dataset, group, isStaged)
  if (!isStaged) {
    await steps.run('load/batch/no_records', { parts: { record: recordType(dataset.fields) } })
    await stageRecords(steps, dataset, isStaged)
  }
  const doubted = await steps.rows<{ request_id: string }>('load/batch/doubted_pages')
  const ids = new Set(doubted.map(({ request_id }) => request_id))
  const unread = pages.filter((page) => ids.has(page.id))
  const problems = new Map(pages.flatMap(({ id, problem }) => (problem ? [[id, problem]] : [])))
  if (unread.length > 0) {
    await steps.run('load/batch/drop_doubted', { values: [boundRows([...ids])] })
    for (const [id, problem] of await stageRecordByRecord(steps, home, dataset, unread))
      problems.set(id, problem)
  }
  if (problems.size > 0) await rejectPages(steps, problems)
  await steps.run(dataset.name === 'ohlc' ? 'load/candles/read_records' : 'load/batch/read_records')
  return {
    incomplete: await incompletePages(steps, landed, pages),
    isDistinct: asColumns.isDistinct && asText.length === 0,
  }
}

/** Pages that hold other than what their journal lines say, or than what was read of them. */
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
  await steps.run('load/batch/unproven_pages', { values: [boundRows(rows)] })
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
  await steps.run('load/batch/pages', { values: [boundRows(rows)] })
}

/** Plain pages, those together that spell their fields alike, at most `PAGES_PER_STATEMENT`. */
function bySpelling(dataset: Dataset, pages: readonly ProvenPage[]): ProvenPage[][] {
  const groups = new Map<string, ProvenPage[]>()
  for (const page of pages) {
    if (!page.plain || !page.fields) continue
    const spelling = `${page.shape} ${spelledFields(dataset, page.fields).join(' ')}`
    const group = groups.get(spelling)
    if (group) group.push(page)
    else groups.set(spelling, [page])
  }
  return [...groups.values()].flatMap((group) => portions(group, PAGES_PER_STATEMENT))
}

function portions<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}

/** The dataset's fields as a page spells them. */
function spelledFields(dataset: Dataset, fields: readonly string[]): string[] {
  const spelled = new Map(fields.map((name) => [name.toLowerCase(), name]))
  return dataset.fields.map((name) => spelled.get(name.toLowerCase()) ?? name)
}

/**
 * Reads pages of one spelling at once; halves the group where DuckDB cannot read it, and skips pages it cannot read.
 * Returns whether there is `staged_record` now.
 */
async function stageWhole(
  steps: Steps,
  fileOf: FileOfPage,
  dataset: Dataset,
  pages: readonly ProvenPage[],
  isStaged: boolean,
): Promise<boolean> {
  const [first] = pages
  if (!first) return isStaged
  const records = `${recordType(spelledFields(dataset, first.fields ?? []))}[]`
  try {
    await steps.run('load/batch/whole_pages', {
      parts: {
        files: `[${pages.map((page) => literal(fileOf(page))).join(', ')}]`,
        list: first.shape === 'array' ? 'json' : 'data',
        has_envelope: String(first.shape !== 'array'),
        records: literal(records),
      },
    })
    await stageRecords(steps, dataset, isStaged)
    return true
  } catch (error) {
    // A page with a record of another shape fails the whole statement. Anything else is not a matter of the page.
    if (!isUnreadableInput(error)) throw error
    if (pages.length === 1) return isStaged
    const half = pages.length >> 1
    const isFirstStaged = await stageWhole(steps, fileOf, dataset, pages.slice(0, half), isStaged)
    return await stageWhole(steps, fileOf, dataset, pages.slice(half), isFirstStaged)
  }
}

/**
 * Types the records of the pages being read, and adds them to `staged_record`. The first records create it: planning what
 * types a record takes most of a small batch's time, and happens once per group of pages.
 */
async function stageRecords(steps: Steps, dataset: Dataset, isStaged: boolean): Promise<void> {
  await steps.run(`load/${dataset.name}`)
  await steps.run(isStaged ? 'load/batch/stage' : 'load/batch/staged')
}

/** Reads pages record by record from their source text. Returns those that cannot be read, with the reason. */
async function stageRecordByRecord(
  steps: Steps,
  home: string,
  dataset: Dataset,
  pages: readonly ProvenPage[],
): Promise<Map<string, PageProblem>> {
  const problems = new Map<string, PageProblem>()
  const folder = makeTempFolder(home)
  try {
    const file = join(folder, 'records.ndjson')
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
    const parts = { file: literal(file), record: literal(recordType(dataset.fields)) }
    await steps.run('load/batch/single_records', { parts })
    await stageRecords(steps, dataset, true)
    await steps.run('load/batch/faults')
    return problems
  } finally {
    removeTempFolder(folder)
  }
}

/** A record with these fields as text. */
function recordType(fields: readonly string[]): string {
  return `STRUCT(${fields.map((name) => `${identifier(name)} VARCHAR`).join(', ')})`
}
