import { JsonFault } from 'candlehouse-foundation/json/scan'
import { elementTexts, memberTexts } from 'candlehouse-foundation/json/source'
import { parseReceivedTime } from './time.js'

/** The record of a page that a row was loaded from, as text. */
export interface RawRecord {
  readonly text: string
  /** Position in its list, from 1; null if it is not in a list. */
  readonly position: number | null
  /** Number of records in that list. */
  readonly of: number | null
}

interface Candidate extends RawRecord {
  /** Names of the JSON members that contain it, lower case. */
  readonly path: readonly string[]
}

/**
 * Columns that the API names otherwise; all others are its names in snake_case
 * (docs/brokerage-api.md#names-in-the-warehouse).
 */
const API_NAMES: Readonly<Record<string, string>> = {
  index_code: 'index',
  opened_at: 'tradingdate',
  input_at: 'inputtime',
  modified_at: 'modifiedtime',
  from_at: 'from',
  to_at: 'to',
  occurred_at: 'time',
}

/** Columns that candlehouse adds: they are in no record of the service. */
const ADDED_COLUMNS = [
  'request_id',
  'loaded_at',
  'snapshot_id',
  'local_time',
  'timeframe',
  'is_derived',
  'valid_from',
  'valid_to',
]

/**
 * Finds the record of a row in the text of its page and cuts it out; numbers keep their digits. The ledger does not store
 * ordinals of accepted records. So the record is the one that contradicts no column of the key and agrees with most of the
 * others. Of equal ones it is the last, because that one counts if a list shifted between pages.
 *
 * @param relation decides between the equity and the derivative side of an account's response
 * @returns undefined if no record agrees
 */
export function cutRecord(
  text: string,
  relation: string,
  key: readonly string[],
  row: Readonly<Record<string, unknown>>,
): RawRecord | undefined {
  let best: { score: number; record: RawRecord } | undefined
  const start = text.trimStart()
  try {
    for (const { path, ...record } of candidates(start, [], null, null)) {
      const score = isOnSide(path, relation, row) ? agreement(record, key, row) : 0
      if (score > 0 && score >= (best?.score ?? 0)) best = { score, record }
    }
  } catch (error) {
    // Older versions landed pages that are not whole JSON.
    if (!(error instanceof JsonFault)) throw error
  }
  return best?.record
}

function* candidates(
  text: string,
  path: readonly string[],
  position: number | null,
  listLength: number | null,
): Generator<Candidate> {
  if (text.startsWith('[')) {
    const texts = elementTexts(text)
    for (const [index, element] of texts.entries()) yield* candidates(element, path, index + 1, texts.length)
  } else if (text.startsWith('{')) {
    yield { text, path, position, of: listLength }
    for (const [name, value] of memberTexts(text)) {
      if (/^[[{]/.test(value)) yield* candidates(value, [...path, name.toLowerCase()], null, null)
    }
  }
}

/** Responses about accounts have an equity and a derivative side, and lists of open and of closed positions. */
function isOnSide(
  path: readonly string[],
  relation: string,
  row: Readonly<Record<string, unknown>>,
): boolean {
  const table = relation.split('.')[1] ?? ''
  if (table.startsWith('equity_') && path.includes('derivative')) return false
  if (table.startsWith('derivative_') && path.includes('equity')) return false
  const list = path.at(-1) ?? ''
  return typeof row.side_of_book !== 'string' || list === `der${row.side_of_book}positions`
}

/** Number of columns that agree with a record; 0 if one of the key does not. */
function agreement(
  record: RawRecord,
  key: readonly string[],
  row: Readonly<Record<string, unknown>>,
): number {
  const fields = fieldsOf(record.text)
  let score = row.ordinal !== undefined && String(row.ordinal) === String(record.position) ? 1 : 0
  for (const [column, value] of Object.entries(row)) {
    if (ADDED_COLUMNS.includes(column)) continue
    const field = fields.get(API_NAMES[column] ?? column.replaceAll('_', ''))
    if (field === undefined) continue
    if (agrees(value, field, column, row)) score += value === null ? 0 : 1
    else if (key.includes(column)) return 0
  }
  return score
}

/** Lower-case name → source text, strings unquoted. The members of `params` (conditional orders) count as fields. */
function fieldsOf(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of memberTexts(text)) {
    if (name.toLowerCase() === 'params' && value.startsWith('{')) {
      for (const [innerName, innerValue] of fieldsOf(value)) fields.set(innerName, innerValue)
    } else {
      fields.set(
        name.toLowerCase().replaceAll('_', ''),
        value.startsWith('"') ? (JSON.parse(value) as string) : value,
      )
    }
  }
  return fields
}

function agrees(
  value: unknown,
  field: string,
  column: string,
  row: Readonly<Record<string, unknown>>,
): boolean {
  if (value === null) return field === '' || field === 'null'
  const text = String(value)
  if (text === field || shortestNumber(text) === shortestNumber(field)) return true
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return false
  const [stored, received] = [parseReceivedTime(text), parseReceivedTime(field)]
  if (!stored || !received) return false
  // A daily bar opens at midnight, but some deployments write another time of day.
  const isDaily = text.length === 10 || (column === 'opened_at' && row.timeframe === '1d')
  return isDaily ? stored.day === received.day : stored.at === received.at
}

/** The shortest text of a number; other texts are unchanged. */
function shortestNumber(text: string): string {
  const plain = text.replace(/^(-?\d{1,3})((,\d{3})+)(?=\.|$)/, (all) => all.replaceAll(',', ''))
  if (!/^-?\d+(\.\d+)?$/.test(plain)) return text
  const short = plain
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
  return short === '-0' ? '0' : short
}
