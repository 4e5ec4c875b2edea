import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { provePage } from 'candlehouse-foundation/json/page'
import { JsonFault } from 'candlehouse-foundation/json/scan'
import { recordTexts } from 'candlehouse-foundation/json/source'
import { expect } from 'vitest'
import { mutations } from '../../packages/foundation/test/json/mutations.js'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { literal, sqlTemplate } from '../../src/duckdb/sqlfile.js'
import { singleRecords } from '../../src/load/single-records.js'
import { temporaryFolder } from '../support/folder.js'

const FIELDS = ['symbol', 'tradingDate', 'open', 'note']

const record = (index: number): string =>
  `{"symbol":"FPT","tradingDate":"2025/03/14","open":"${27000 + index}","note":null}`
const LIST = [record(1), record(2), record(3)].join(',')
const PAGES = [`{"pageSize":3,"pageIndex":1,"itemsCount":3,"data":[${LIST}]}`, `[${LIST}]`]

/** Files of one statement of DuckDB. */
const PAGES_AT_ONCE = 500

/** What the readers agreed on. */
export interface Agreement {
  /** Pages that are JSON. */
  accepted: number
  /** Pages that DuckDB read as a whole. */
  plain: number
}

interface PlainPage {
  readonly file: string
  readonly text: string
  readonly isArray: boolean
  /** The dataset's fields as the page spells them. */
  readonly spelled: readonly string[]
  readonly records: readonly Record<string, string | null>[]
}

/** Reads damaged pages in every way there is: the proof, JSON.parse, the reader of records, and DuckDB where it may. */
export async function compareReaders(count: number, seed: number): Promise<Agreement> {
  const database = await openDatabase(':memory:')
  const folder = temporaryFolder()
  const agreement: Agreement = { accepted: 0, plain: 0 }
  let waiting: PlainPage[] = []
  const flush = async (): Promise<void> => {
    await comparePlain(database, waiting)
    waiting = []
  }
  try {
    for (const text of mutations(PAGES, count, seed)) {
      const parsed = parse(text)
      const proven = prove(text)
      if (proven === 'duplicate') continue
      expect([text.toString('latin1'), proven !== undefined]).toEqual([
        text.toString('latin1'),
        parsed !== undefined,
      ])
      if (!proven) continue
      agreement.accepted++
      const records = listOf(parsed?.value)
      expect(proven.list?.rows ?? 0).toBe(records.length)
      expect(JSON.stringify(recordTexts(text).map((source) => JSON.parse(source)))).toBe(
        JSON.stringify(records),
      )
      const read = compareRecords(text, records)
      if (!proven.list?.plain || !proven.list.fields) continue
      const file = join(folder, `${agreement.plain}.json`)
      writeFileSync(file, text)
      const isArray = proven.envelope === undefined
      const names = new Map(proven.list.fields.map((name) => [name.toLowerCase(), name]))
      const spelled = FIELDS.map((name) => names.get(name.toLowerCase()) ?? name)
      agreement.plain++
      waiting.push({ file, text: text.toString(), isArray, spelled, records: read })
      if (waiting.length === PAGES_AT_ONCE) await flush()
    }
    await flush()
  } finally {
    database.close()
  }
  return agreement
}

/** Records of a page, one by one, beside what JSON.parse has of them. */
function compareRecords(text: Buffer, parsed: readonly unknown[]): Record<string, string | null>[] {
  return singleRecords(text, FIELDS).map(({ fields, fault }, index) => {
    const value = parsed[index]
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      expect(fault).toBe('not an object')
      return {}
    }
    if (fault !== null) return {}
    for (const [name, member] of Object.entries(value)) {
      const field = FIELDS.find((known) => known.toLowerCase() === name.toLowerCase())
      if (field === undefined) continue
      const read = fields[field]
      if (typeof member === 'string' || member === null) expect(read).toBe(member)
      else expect(JSON.parse(read ?? '')).toEqual(member)
    }
    return fields
  })
}

/** Plain pages as DuckDB reads them, by the statement that loading uses. */
async function comparePlain(database: Database, pages: readonly PlainPage[]): Promise<void> {
  const groups = grouped(pages, ({ isArray, spelled }) => JSON.stringify([isArray, spelled]))
  for (const group of groups.values()) {
    const [first] = group
    if (!first) continue
    await database.run(
      'CREATE OR REPLACE TEMP TABLE batch_page AS SELECT unnest(from_json(?, \'["VARCHAR"]\')) AS file',
      [JSON.stringify(group.map(({ file }) => file))],
    )
    const type = `STRUCT(${first.spelled.map((name) => `"${name.replaceAll('"', '""')}" VARCHAR`).join(', ')})[]`
    await database.run(
      sqlTemplate('load/batch/whole_pages.sql', {
        files: `[${group.map(({ file }) => literal(file)).join(', ')}]`,
        list: first.isArray ? 'json' : 'data',
        has_envelope: String(!first.isArray),
        records: literal(type),
        most_bytes: String(Math.max(...group.map(({ text }) => Buffer.byteLength(text))) + 1),
      }),
    )
    // As JSON: the driver drops a byte order mark at the beginning of a text.
    const values = first.spelled.map((name) => `r."${name.replaceAll('"', '""')}"`).join(', ')
    const rows = await database.rows<{ file: string; r: string }>(
      `SELECT file, CAST(to_json([${values}]) AS VARCHAR) AS r FROM page_record ORDER BY file, ordinal`,
    )
    const read = grouped(rows, ({ file }) => file)
    for (const { file, text, records } of group) {
      const received = (read.get(file) ?? []).map(({ r }) => JSON.parse(r) as unknown)
      const expected = records.map((fields) => FIELDS.map((name) => fields[name] ?? null))
      expect([text, received]).toEqual([text, expected])
    }
  }
}

function prove(text: Buffer): ReturnType<typeof provePage> | 'duplicate' | undefined {
  try {
    return provePage(text)
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    return error.message.includes('second member') ? 'duplicate' : undefined
  }
}

function parse(text: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text)) }
  } catch {
    return undefined
  }
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  const data = Object.entries(value ?? {}).find(
    ([name, member]) => name.toLowerCase() === 'data' && Array.isArray(member),
  )
  return (data?.[1] as unknown[] | undefined) ?? []
}

function grouped<Value>(values: readonly Value[], nameOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const group = groups.get(nameOf(value))
    if (group) group.push(value)
    else groups.set(nameOf(value), [value])
  }
  return groups
}
