import type { ResultColumn } from '../../duckdb/reader.js'
import { identifier, literal } from '../../duckdb/sqlfile.js'
import { UsageError } from '../../errors.js'
import type { Relation } from '../../relations.js'
import { readWhen, shortInstant } from './when.js'

/** Key column → its value as text: a day, an instant with its zone, a whole number, or the text itself. */
export type Key = ReadonlyMap<string, string>

/** What the reader of a key has to know. */
export interface KeyShape {
  readonly relation: Relation
  /** Columns of the key, with their types. */
  readonly columns: readonly ResultColumn[]
  /** A command that works, for whoever typed one that does not. */
  readonly example: string
}

/** Filled in when it is left out: the latest snapshot of the account. */
export const SNAPSHOT = 'snapshot_id'

/**
 * Reads a key from the words of a command line: values in the order of the logical key, COLUMN=VALUE pairs, or one
 * JSON object as `recon.offender.key` has it. `snapshot_id` may be left out.
 *
 * @throws UsageError naming the columns of the key, with an example
 */
export function readKey(words: readonly string[], shape: KeyShape): Key {
  const given = pairsOf(words, shape)
  const key = new Map<string, string>()
  for (const column of shape.columns) {
    const text = given.get(column.name)
    if (text === undefined && column.name === SNAPSHOT) continue
    if (text === undefined) throw wrong(`${column.name} is missing`, shape)
    key.set(column.name, typed(text, column, shape))
  }
  return key
}

/** SQL that holds for the row of that key. */
export function keyCondition(key: Key, columns: readonly ResultColumn[]): string {
  return [...key]
    .map(([name, text]) => `${identifier(name)} = ${valueSql(text, name, columns)}`)
    .join(' AND ')
}

/** SQL of a value of the key, in its column's type. */
export function valueSql(text: string, name: string, columns: readonly ResultColumn[]): string {
  return `CAST(${literal(text)} AS ${typeOf(name, columns)})`
}

/** SQL that holds where a column `key` holds that key as a JSON object (`market.revision`, `recon.offender`). */
export function jsonKeyCondition(key: Key, columns: readonly ResultColumn[]): string {
  return [...key]
    .map(([name, text]) => {
      const said = `json_extract_string("key", '$.${name}')`
      const value = valueSql(text, name, columns)
      const same = `TRY_CAST(${said} AS ${typeOf(name, columns)}) = ${value}`
      // A rule may name a row of the snapshot it judged without naming the snapshot.
      return name === SNAPSHOT ? `coalesce(${same}, true)` : same
    })
    .join(' AND ')
}

/** A command that traces the row of these values; columns in capitals where there is no value to show. */
export function traceCommand(
  relation: Relation,
  values: readonly (readonly [ResultColumn, string | undefined])[],
): string {
  const words = values.map(([{ name, type }, text]) => {
    if (text === undefined) return name.toUpperCase()
    return quoted(type.startsWith('TIMESTAMP') ? shortInstant(text) : text)
  })
  return ['candlehouse trace', relation.name, ...words].join(' ')
}

function typeOf(name: string, columns: readonly ResultColumn[]): string {
  return columns.find((column) => column.name === name)?.type ?? 'VARCHAR'
}

function pairsOf(words: readonly string[], shape: KeyShape): ReadonlyMap<string, string> {
  const names = shape.columns.map(({ name }) => name)
  const [first = ''] = words
  if (words.length === 1 && first.trimStart().startsWith('{')) return known(objectPairs(first, shape), shape)
  const pairs = words.map((word) => /^([a-z][a-z0-9_]*)=(.*)$/s.exec(word))
  if (pairs.every((pair) => pair !== null)) {
    return known(
      pairs.map(([, name = '', text = '']) => [name, text]),
      shape,
    )
  }
  const wanted = words.length === names.length ? names : names.filter((name) => name !== SNAPSHOT)
  if (words.length !== wanted.length) {
    const count = wanted.length === names.length ? `${names.length}` : `${wanted.length} or ${names.length}`
    throw wrong(`the key has ${count} ${names.length === 1 ? 'part' : 'parts'}, not ${words.length}`, shape)
  }
  return new Map(wanted.map((name, index) => [name, words[index] ?? '']))
}

function objectPairs(text: string, shape: KeyShape): [string, string][] {
  try {
    const value = JSON.parse(text) as Record<string, unknown>
    return Object.entries(value).map(([name, each]) => [name, String(each)])
  } catch {
    throw wrong('the key starts with { but is not a JSON object', shape)
  }
}

function known(pairs: readonly (readonly [string, string])[], shape: KeyShape): ReadonlyMap<string, string> {
  const other = pairs.find(([name]) => !shape.columns.some((column) => column.name === name))
  if (other) throw wrong(`${other[0]} is not a column of the key`, shape)
  return new Map(pairs)
}

function typed(text: string, { name, type }: ResultColumn, shape: KeyShape): string {
  if (type === 'DATE' || type.startsWith('TIMESTAMP')) {
    const when = readWhen(text)
    if (!when) throw wrong(`${name}: '${text}' is not ${type === 'DATE' ? 'a day' : 'an instant'}`, shape)
    return type === 'DATE' ? when.day : when.instant
  }
  if (/INT/.test(type) && !/^\d{1,18}$/.test(text))
    throw wrong(`${name}: '${text}' is not a whole number`, shape)
  return text
}

function wrong(what: string, { relation, columns, example }: KeyShape): UsageError {
  const names = columns.map(({ name }) => (name === SNAPSHOT ? `${name} (default: the latest)` : name))
  return new UsageError(`${what}: the key of ${relation.name} is ${names.join(', ')}`, {
    hint: example,
  })
}

/** As a shell takes it. */
function quoted(text: string): string {
  return /^[\w.:+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
