import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import { literal, sqlFile } from '../duckdb/sqlfile.js'
import type { ClosedWalk, PageRecord } from '../land/journal.js'
import type { Dataset } from '../plan/datasets.js'
import { slowRecords } from './normalise.js'
import { verifyPages } from './verify.js'

/**
 * Reads the pages of closed walks into temp table `staged`: typed columns, `reason` where a record cannot be
 * believed. Runs outside the transaction.
 *
 * Pages are read twice at most: at once by `read_json`; those that hold a rejected record, that DuckDB
 * refuses, or whose values are not text, again record by record from their source text.
 *
 * @param verify whether the files are compared with the sha256 of their records (pages of former runs)
 * @throws StorageError when a landed file is gone or changed
 */
export async function stagePages(
  database: Database,
  home: string,
  dataset: Dataset,
  walks: readonly ClosedWalk[],
  verify: boolean,
): Promise<void> {
  const pages = walks.flatMap((walk) => walk.pages).filter((page) => page.shape !== 'none')
  if (verify) verifyPages(home, pages)
  await createPageTable(database, home, pages)
  const select = sqlFile(`load/${dataset.name}.sql`)
  await database.run(`CREATE OR REPLACE TEMP TABLE staged AS
    SELECT *, NULL::VARCHAR AS payload FROM (${select.replace('FROM record', `FROM (${noRecord(dataset)})`)})`)

  const slow: PageRecord[] = []
  const groups = new Map<string, PageRecord[]>()
  for (const page of pages) {
    if (!page.textual || !page.fields) slow.push(page)
    else {
      const spelling = `${page.shape} ${spellings(dataset, page.fields).join(' ')}`
      groups.set(spelling, [...(groups.get(spelling) ?? []), page])
    }
  }
  for (const group of groups.values()) slow.push(...(await stageFast(database, home, dataset, select, group)))
  const doubted = await database.rows<{ request_id: string }>(
    'SELECT DISTINCT request_id FROM staged WHERE reason IS NOT NULL',
  )
  if (doubted.length > 0) {
    const ids = new Set(doubted.map((row) => row.request_id))
    slow.push(...pages.filter((page) => ids.has(page.id)))
    await database.run(
      'DELETE FROM staged WHERE request_id IN (SELECT request_id FROM staged WHERE reason IS NOT NULL)',
    )
  }
  if (slow.length > 0) await stageSlow(database, home, dataset, select, slow)
}

/** The dataset's fields as this page spells them. */
function spellings(dataset: Dataset, fields: readonly string[]): string[] {
  const seen = new Map(fields.map((name) => [name.toLowerCase(), name]))
  return dataset.fields.map((name) => seen.get(name.toLowerCase()) ?? name)
}

/** Reads pages of one spelling at once; halves the group where DuckDB refuses it. Returns what it refuses. */
async function stageFast(
  database: Database,
  home: string,
  dataset: Dataset,
  select: string,
  pages: readonly PageRecord[],
): Promise<PageRecord[]> {
  const [first] = pages
  if (!first) return []
  const struct = `STRUCT(${spellings(dataset, first.fields ?? [])
    .map((name) => `"${name.replaceAll('"', '""')}" VARCHAR`)
    .join(', ')})[]`
  const files = `[${pages.map((page) => literal(join(home, page.file))).join(', ')}]`
  const column = first.shape === 'array' ? 'json' : 'data'
  const record = `
    SELECT page.*, unnest(one.${column}) AS r, generate_subscripts(one.${column}, 1) AS ordinal
    FROM read_json(${files}, columns = {${column}: ${literal(struct)}}, format = 'unstructured',
      records = ${first.shape !== 'array'}, filename = true, maximum_object_size = 134217728) one
    JOIN load_page page ON page.file = one.filename`
  try {
    await insertStaged(database, select, record)
    return []
  } catch {
    if (pages.length === 1) return [first]
    const half = pages.length >> 1
    return [
      ...(await stageFast(database, home, dataset, select, pages.slice(0, half))),
      ...(await stageFast(database, home, dataset, select, pages.slice(half))),
    ]
  }
}

/** Reads pages record by record from their source text. */
async function stageSlow(
  database: Database,
  home: string,
  dataset: Dataset,
  select: string,
  pages: readonly PageRecord[],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'candlehouse-'))
  try {
    const file = join(folder, 'records.ndjson')
    const lines = pages.flatMap((page) =>
      slowRecords(readFileSync(join(home, page.file)), dataset.fields).map((record, index) =>
        JSON.stringify({ id: page.id, ordinal: index + 1, r: record.fields, fault: record.fault }),
      ),
    )
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
    const struct = `STRUCT(${dataset.fields.map((name) => `"${name}" VARCHAR`).join(', ')})`
    await database.run(`CREATE OR REPLACE TEMP TABLE slow_record AS
      SELECT page.*, one.ordinal, one.r, one.fault
      FROM read_json(${literal(file)}, format = 'newline_delimited', maximum_object_size = 134217728, columns = {
        id: 'VARCHAR', ordinal: 'BIGINT', r: ${literal(struct)}, fault: 'VARCHAR'}) one
      JOIN load_page page ON page.request_id = one.id`)
    await insertStaged(database, select, 'SELECT * EXCLUDE (fault) FROM slow_record')
    await database.run(`UPDATE staged SET reason = slow_record.fault
      FROM slow_record WHERE slow_record.fault IS NOT NULL AND slow_record.request_id = staged.request_id AND slow_record.ordinal = staged.ordinal`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function insertStaged(database: Database, select: string, record: string): Promise<void> {
  await database.run(
    `INSERT INTO staged BY NAME SELECT *, NULL::VARCHAR AS payload FROM (${select.replace('FROM record', `FROM (${record})`)})`,
  )
}

/** No record, with the columns that the loading SQL reads. */
function noRecord(dataset: Dataset): string {
  const struct = `STRUCT(${dataset.fields.map((name) => `"${name}" VARCHAR`).join(', ')})`
  return `SELECT load_page.*, 0::BIGINT AS ordinal, NULL::${struct} AS r FROM load_page WHERE false`
}

async function createPageTable(
  database: Database,
  home: string,
  pages: readonly PageRecord[],
): Promise<void> {
  const rows = pages.map((page) => ({
    request_id: page.id,
    walk: page.walk,
    file: join(home, page.file),
    received_at: page.received_at,
    as_of: page.trading_date,
    window_key: page.window.key,
    window_timeframe: page.window.timeframe,
    window_from: page.window.from,
    window_to: page.window.to,
  }))
  await database.run(sqlFile('load/page.sql'), [JSON.stringify(rows)])
}
