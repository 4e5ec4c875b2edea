import { shellWord } from 'candlehouse-foundation/command-line/shell-word'
import { UsageError } from 'candlehouse-foundation/errors'
import type { ResultColumn } from '../../duckdb/reader.js'
import { identifier, literal } from '../../duckdb/sqlfile.js'
import type { Relation } from '../../relations.js'
import { parseTime, shortInstant } from './time.js'

/** Key column → its value as text: a day, an instant with its zone, a whole number, or the text itself. */
export type Key = ReadonlyMap<string, string>

export interface KeyShape {
  readonly relation: Relation
  /** Columns of the key, with their types. */
  readonly columns: readonly ResultColumn[]
  /** A command that works, for error messages. */
  readonly example: string
}

/** The key column that may be omitted: the default is the latest snapshot of the account. */
export const SNAPSHOT = 'snapshot_id'

/**
 * Reads a key from the words of a command line: values in the order of the logical key, COLUMN=VALUE pairs, or one
 * JSON object in the form of `recon.offender.key`. `snapshot_id` may be omitted.
 *
 * @throws UsageError naming the columns of the key, with an example
 */
export function readKey(words: readonly string[], shape: KeyShape): Key {
  const texts = textByColumn(words, shape)
  const key = new Map<string, string>()
  for (const column of shape.columns) {
    const text = texts.get(column.name)
    if (text === undefined && column.name === SNAPSHOT) continue
    if (text === undefined) throw keyError(`${column.name} is missing`, shape)
    key.set(column.name, checkedValue(text, column, shape))
  }
  return key
}

/** SQL condition that is true for the row of that key. */
export function keyCondition(key: Key, columns: readonly ResultColumn[]): string {
  return [...key]
    .map(([name, text]) => `${identifier(name)} = ${valueSql(text, name, columns)}`)
    .join(' AND ')
}

/** SQL of a key value, cast to the type of its column. */
export function valueSql(text: string, name: string, columns: readonly ResultColumn[]): string {
  return `CAST(${literal(text)} AS ${typeOf(name, columns)})`
}

/** SQL condition that is true if the column `key` contains that key as a JSON object (`market.revision`, `recon.offender`). */
export function jsonKeyCondition(key: Key, columns: readonly ResultColumn[]): string {
  return [...key]
    .map(([name, text]) => {
      const member = `json_extract_string("key", '$.${name}')`
      const value = valueSql(text, name, columns)
      const equal = `TRY_CAST(${member} AS ${typeOf(name, columns)}) = ${value}`
      // The key of an offender may omit the snapshot: it belongs to the snapshot that the rule checked.
      return name === SNAPSHOT ? `coalesce(${equal}, true)` : equal
    })
    .join(' AND ')
}

/** A command that traces the row with these values. A column without a value is written in capitals. */
export function traceCommand(
  relation: Relation,
  values: readonly (readonly [ResultColumn, string | undefined])[],
): string {
  const words = values.map(([{ name, type }, text]) => {
    if (text === undefined) return name.toUpperCase()
    return shellWord(type.startsWith('TIMESTAMP') ? shortInstant(text) : text)
  })
  return ['candlehouse trace', relation.name, ...words].join(' ')
}

function typeOf(name: string, columns: readonly ResultColumn[]): string {
  return columns.find((column) => column.name === name)?.type ?? 'VARCHAR'
}

function textByColumn(words: readonly string[], shape: KeyShape): ReadonlyMap<string, string> {
  const names = shape.columns.map(({ name }) => name)
  const [first = ''] = words
  if (words.length === 1 && first.trimStart().startsWith('{'))
    return knownColumns(objectPairs(first, shape), shape)
  const pairs = words.map((word) => /^([a-z][a-z0-9_]*)=(.*)$/s.exec(word))
  if (pairs.every((pair) => pair !== null)) {
    return knownColumns(
      pairs.map(([, name = '', text = '']) => [name, text]),
      shape,
    )
  }
  const columns = words.length === names.length ? names : names.filter((name) => name !== SNAPSHOT)
  if (words.length !== columns.length) {
    const count = columns.length === names.length ? `${names.length}` : `${columns.length} or ${names.length}`
    throw keyError(
      `the key has ${count} ${names.length === 1 ? 'part' : 'parts'}, not ${words.length}`,
      shape,
    )
  }
  return new Map(columns.map((name, index) => [name, words[index] ?? '']))
}

function objectPairs(text: string, shape: KeyShape): [string, string][] {
  try {
    const value = JSON.parse(text) as Record<string, unknown>
    return Object.entries(value).map(([name, member]) => [name, String(member)])
  } catch {
    throw keyError('the key starts with { but is not a JSON object', shape)
  }
}

function knownColumns(
  pairs: readonly (readonly [string, string])[],
  shape: KeyShape,
): ReadonlyMap<string, string> {
  const unknown = pairs.find(([name]) => !shape.columns.some((column) => column.name === name))
  if (unknown) throw keyError(`${unknown[0]} is not a column of the key`, shape)
  return new Map(pairs)
}

/** @throws UsageError if the text does not fit the type of the column */
function checkedValue(text: string, { name, type }: ResultColumn, shape: KeyShape): string {
  if (type === 'DATE' || type.startsWith('TIMESTAMP')) {
    const time = parseTime(text)
    if (!time) throw keyError(`${name}: '${text}' is not ${type === 'DATE' ? 'a day' : 'an instant'}`, shape)
    return type === 'DATE' ? time.day : time.instant
  }
  if (/INT/.test(type) && !/^\d{1,18}$/.test(text))
    throw keyError(`${name}: '${text}' is not a whole number`, shape)
  return text
}

function keyError(problem: string, { relation, columns, example }: KeyShape): UsageError {
  const names = columns.map(({ name }) => (name === SNAPSHOT ? `${name} (default: the latest)` : name))
  return new UsageError(`${problem}: the key of ${relation.name} is ${names.join(', ')}`, { hint: example })
}
