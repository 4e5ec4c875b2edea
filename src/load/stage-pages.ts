import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isUnreadableInput } from '../duckdb/open.js'
import { identifier, literal } from '../duckdb/sqlfile.js'
import type { ClosedWalk, PageRecord } from '../land/journal.js'
import { pageFile, readPage } from '../land/read-page.js'
import type { Dataset } from '../plan/datasets.js'
import { singleRecords } from './single-records.js'
import type { Steps } from './steps.js'
import { verifyPages } from './verify-pages.js'

/**
 * Reads the pages of closed walks into temp table `staged_record`: typed columns, `reason` where a record cannot be
 * believed. Runs outside the transaction.
 *
 * Pages are read twice at most: whole by DuckDB; those that hold a rejected record, that DuckDB cannot read, or whose
 * values are not text, again record by record from their source text.
 *
 * @param verify whether the files are compared with the sha256 of their records (pages of former runs)
 * @throws StorageError when a landed file is gone or changed, or the disk refuses
 */
export async function stagePages(
  steps: Steps,
  home: string,
  dataset: Dataset,
  walks: readonly ClosedWalk[],
  verify: boolean,
): Promise<void> {
  const pages = walks.flatMap((walk) => walk.pages).filter((page) => page.shape !== 'none')
  if (verify) verifyPages(home, pages)
  await describePages(steps, home, pages)
  await steps.run('load/batch/no_records', { parts: { record: recordType(dataset.fields) } })
  await steps.run(`load/${dataset.name}`)
  await steps.run('load/batch/staged')

  const unread: PageRecord[] = pages.filter((page) => !page.textual || !page.fields)
  for (const group of bySpelling(dataset, pages))
    unread.push(...(await stageWhole(steps, home, dataset, group)))
  const doubted = await steps.rows<{ request_id: string }>('load/batch/doubted_pages')
  const ids = new Set(doubted.map(({ request_id }) => request_id))
  unread.push(...pages.filter((page) => ids.has(page.id)))
  if (unread.length > 0) await stageRecordByRecord(steps, home, dataset, unread)
}

/** Temp table `batch_page`. */
async function describePages(steps: Steps, home: string, pages: readonly PageRecord[]): Promise<void> {
  const rows = pages.map((page) => ({
    request_id: page.id,
    walk: page.walk,
    file: pageFile(home, page),
    received_at: page.received_at,
    as_of: page.trading_date,
    window_key: page.window.key,
    window_timeframe: page.window.timeframe,
    window_from: page.window.from,
    window_to: page.window.to,
  }))
  await steps.run('load/batch/pages', { values: [JSON.stringify(rows)] })
}

/** Pages that can be read whole, those together that spell their fields alike. */
function bySpelling(dataset: Dataset, pages: readonly PageRecord[]): PageRecord[][] {
  const groups = new Map<string, PageRecord[]>()
  for (const page of pages) {
    if (!page.textual || !page.fields) continue
    const spelling = `${page.shape} ${spelledFields(dataset, page.fields).join(' ')}`
    groups.set(spelling, [...(groups.get(spelling) ?? []), page])
  }
  return [...groups.values()]
}

/** The dataset's fields as a page spells them. */
function spelledFields(dataset: Dataset, fields: readonly string[]): string[] {
  const spelled = new Map(fields.map((name) => [name.toLowerCase(), name]))
  return dataset.fields.map((name) => spelled.get(name.toLowerCase()) ?? name)
}

/** Reads pages of one spelling at once; halves the group where DuckDB cannot read it. Returns pages it cannot read. */
async function stageWhole(
  steps: Steps,
  home: string,
  dataset: Dataset,
  pages: readonly PageRecord[],
): Promise<PageRecord[]> {
  const [first] = pages
  if (!first) return []
  const records = `${recordType(spelledFields(dataset, first.fields ?? []))}[]`
  try {
    await steps.run('load/batch/whole_pages', {
      parts: {
        files: `[${pages.map((page) => literal(pageFile(home, page))).join(', ')}]`,
        list: first.shape === 'array' ? 'json' : 'data',
        has_envelope: String(first.shape !== 'array'),
        records: literal(records),
      },
    })
    await steps.run('load/batch/stage')
    return []
  } catch (error) {
    // A page with a record of another shape fails the whole statement. Anything else is not a matter of the page.
    if (!isUnreadableInput(error)) throw error
    if (pages.length === 1) return [first]
    const half = pages.length >> 1
    return [
      ...(await stageWhole(steps, home, dataset, pages.slice(0, half))),
      ...(await stageWhole(steps, home, dataset, pages.slice(half))),
    ]
  }
}

/** Reads pages record by record from their source text. */
async function stageRecordByRecord(
  steps: Steps,
  home: string,
  dataset: Dataset,
  pages: readonly PageRecord[],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'candlehouse-'))
  try {
    const file = join(folder, 'records.ndjson')
    const lines = pages.flatMap((page) =>
      singleRecords(readPage(home, page), dataset.fields).map((record, index) =>
        JSON.stringify({ id: page.id, ordinal: index + 1, r: record.fields, fault: record.fault }),
      ),
    )
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
    const parts = { file: literal(file), record: literal(recordType(dataset.fields)) }
    await steps.run('load/batch/single_records', { parts })
    await steps.run('load/batch/stage')
    await steps.run('load/batch/faults')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A record with these fields as text. */
function recordType(fields: readonly string[]): string {
  return `STRUCT(${fields.map((name) => `${identifier(name)} VARCHAR`).join(', ')})`
}
