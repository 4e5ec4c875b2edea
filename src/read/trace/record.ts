import { elements, members } from '../../land/source.js'
import { readReceived } from './when.js'

/** The record of a page that a row was made of, in its own text. */
export interface RawRecord {
  readonly text: string
  /** Position in its list, from 1; null when it stands alone. */
  readonly position: number | null
  /** Records in that list. */
  readonly of: number | null
}

interface Candidate extends RawRecord {
  /** Names of the members it stands in, lower case. */
  readonly path: readonly string[]
}

/**
 * Columns that the API names otherwise; all others are its names in snake_case
 * (docs/brokerage-api.md#names-in-the-warehouse).
 */
const NAMED: Readonly<Record<string, string>> = {
  index_code: 'index',
  opened_at: 'tradingdate',
  input_at: 'inputtime',
  modified_at: 'modifiedtime',
  from_at: 'from',
  to_at: 'to',
  occurred_at: 'time',
}

/** What candlehouse says of a row, not the service. */
const OWN = [
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
 * Finds the record of a row in the text of its page and cuts it, numbers as they are written. The ledger keeps no
 * ordinals of good records: the record is the one that contradicts no column of the key and agrees with most of the
 * others; of equals the last, which is the one that counts in a list that moved.
 *
 * @param relation decides between the two sides of an account's answer
 * @returns undefined when no record agrees
 */
export function cutRecord(
  text: string,
  relation: string,
  key: readonly string[],
  row: Readonly<Record<string, unknown>>,
): RawRecord | undefined {
  let best: { score: number; record: RawRecord } | undefined
  const start = text.trimStart()
  for (const { path, ...record } of candidates(start, [], null, null)) {
    const score = onThisSide(path, relation, row) ? agreement(record, key, row) : 0
    if (score > 0 && score >= (best?.score ?? 0)) best = { score, record }
  }
  return best?.record
}

function* candidates(
  text: string,
  path: readonly string[],
  position: number | null,
  of: number | null,
): Generator<Candidate> {
  if (text.startsWith('[')) {
    const texts = elements(text)
    for (const [index, each] of texts.entries()) yield* candidates(each, path, index + 1, texts.length)
  } else if (text.startsWith('{')) {
    yield { text, path, position, of }
    for (const [name, value] of members(text)) {
      if (/^[[{]/.test(value)) yield* candidates(value, [...path, name.toLowerCase()], null, null)
    }
  }
}

/** Answers about accounts have an equity and a derivative side, and positions that are open or closed. */
function onThisSide(
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

/** How many columns a record agrees with; 0 when it contradicts the key. */
function agreement(
  record: RawRecord,
  key: readonly string[],
  row: Readonly<Record<string, unknown>>,
): number {
  const fields = fieldsOf(record.text)
  let score = row.ordinal !== undefined && String(row.ordinal) === String(record.position) ? 1 : 0
  for (const [column, value] of Object.entries(row)) {
    if (OWN.includes(column)) continue
    const field = fields.get(NAMED[column] ?? column.replaceAll('_', ''))
    if (field === undefined) continue
    if (agrees(value, field, column, row)) score += value === null ? 0 : 1
    else if (key.includes(column)) return 0
  }
  return score
}

/** Names in lower case → source texts, texts unquoted. `params` of conditional orders are fields of their own. */
function fieldsOf(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of members(text)) {
    if (name.toLowerCase() === 'params' && value.startsWith('{')) {
      for (const [inner, each] of fieldsOf(value)) fields.set(inner, each)
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
  if (text === field || number(text) === number(field)) return true
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return false
  const [held, received] = [readReceived(text), readReceived(field)]
  if (!held || !received) return false
  // A day's bar opens at midnight, whatever time of day a deployment writes beside it.
  const day = text.length === 10 || (column === 'opened_at' && row.timeframe === '1d')
  return day ? held.day === received.day : held.at === received.at
}

/** A number as it would be written shortest; other texts as they are. */
function number(text: string): string {
  const plain = text.replace(/^(-?\d{1,3})((,\d{3})+)(?=\.|$)/, (all) => all.replaceAll(',', ''))
  if (!/^-?\d+(\.\d+)?$/.test(plain)) return text
  const short = plain
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
  return short === '-0' ? '0' : short
}
