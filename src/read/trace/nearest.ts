import { UsageError } from 'candlehouse-foundation/errors'
import { shownInstant } from 'candlehouse-foundation/market/day'
import type { ResultColumn } from '../../duckdb/reader.js'
import { identifier, literal, sqlTemplate } from '../../duckdb/sqlfile.js'
import type { Ask } from '../query.js'
import {
  jsonKeyCondition,
  type Key,
  type KeyShape,
  keyCondition,
  SNAPSHOT,
  traceCommand,
  valueSql,
} from './row-key.js'
import { shortInstant } from './time.js'

/**
 * The error for a key that has no row. It says why (withdrawn, withheld), or which columns of the key have rows and
 * which values are nearest.
 */
export async function missingRow(ask: Ask, shape: KeyShape, key: Key): Promise<UsageError> {
  return (
    (await withdrawnRow(ask, shape, key)) ??
    (await withheldRow(ask, shape, key)) ??
    (await unknownRow(ask, shape, key))
  )
}

async function unknownRow(ask: Ask, shape: KeyShape, key: Key): Promise<UsageError> {
  const { relation, columns } = shape
  const message = `there is no row in ${relation.name} with ${textOf(key)}`
  const matching = new Map<string, string>()
  for (const column of inOrder(columns, key)) {
    const text = key.get(column.name) ?? ''
    const longer = new Map([...matching, [column.name, text]])
    const [row] = await ask(`SELECT 1 FROM ${relation.name} WHERE ${keyCondition(longer, columns)} LIMIT 1`)
    if (row) {
      matching.set(column.name, text)
      continue
    }
    const { words, value } = await nearestValue(ask, shape, matching, column, text)
    const hint =
      value === undefined ? undefined : await hintFor(ask, shape, key, matching, [column.name, value])
    const prefix = matching.size > 0 ? `${textOf(matching)}: ` : ''
    return new UsageError(`${message}; ${prefix}${words}`, { hint })
  }
  return new UsageError(message)
}

/** A command for the row with the nearest value. The other columns are those of the key if there is such a row. */
async function hintFor(
  ask: Ask,
  shape: KeyShape,
  key: Key,
  matching: Key,
  nearest: readonly [string, string],
): Promise<string> {
  const condition = keyCondition(new Map([...key, nearest]), shape.columns)
  const [row] = await ask(`SELECT 1 FROM ${shape.relation.name} WHERE ${condition} LIMIT 1`)
  return await exampleOf(ask, shape, new Map([...(row ? key : matching), nearest]))
}

/** A command that traces the first row of a relation, or the first one with these values. */
export async function exampleOf(ask: Ask, shape: Omit<KeyShape, 'example'>, values: Key): Promise<string> {
  const { relation, columns } = shape
  const names = columns.map(({ name }) => identifier(name))
  // The example does not name a snapshot, so its row must be of the latest one.
  const order = relation.key.includes(SNAPSHOT) ? [`${SNAPSHOT} DESC`, ...names] : names
  const [row] = await ask(`SELECT ${names.join(', ')} FROM ${relation.name}
     ${values.size > 0 ? `WHERE ${keyCondition(values, columns)}` : ''} ORDER BY ${order.join(', ')} LIMIT 1`)
  const shown = values.has(SNAPSHOT) ? columns : columns.filter(({ name }) => name !== SNAPSHOT)
  return traceCommand(
    relation,
    shown.map((column) => [column, row ? String(row[column.name] ?? '') : undefined]),
  )
}

/** Text columns first, then days, instants and numbers, the snapshot last. Each is looked up among rows with those before. */
function inOrder(columns: readonly ResultColumn[], key: Key): ResultColumn[] {
  const weight = ({ name, type }: ResultColumn): number =>
    name === SNAPSHOT ? 2 : type === 'VARCHAR' ? 0 : 1
  return columns.filter(({ name }) => key.has(name)).sort((a, b) => weight(a) - weight(b))
}

/** The values of a column that are nearest to a text, among rows that match the columns before. */
interface NearestValue {
  words: string
  value: string | undefined
}

async function nearestValue(
  ask: Ask,
  shape: KeyShape,
  matching: Key,
  column: ResultColumn,
  text: string,
): Promise<NearestValue> {
  const { relation, columns } = shape
  const from = `FROM ${relation.name} ${matching.size > 0 ? `WHERE ${keyCondition(matching, columns)}` : ''}`
  if (column.type === 'VARCHAR' && column.name !== SNAPSHOT)
    return await similarText(ask, from, column.name, text)
  return await neighbours(ask, from, column, valueSql(text, column.name, columns))
}

async function similarText(ask: Ask, from: string, name: string, text: string): Promise<NearestValue> {
  const column = identifier(name)
  const rows = await ask<{ text: string }>(`SELECT ${column} AS text ${from} GROUP BY 1
     ORDER BY damerau_levenshtein(upper(${column}), upper(${literal(text)})), 1 LIMIT 3`)
  if (rows.length === 0) return { words: 'the relation is empty', value: undefined }
  return { words: `nearest ${name}: ${rows.map((row) => row.text).join(', ')}`, value: rows[0]?.text }
}

async function neighbours(
  ask: Ask,
  from: string,
  { name, type }: ResultColumn,
  value: string,
): Promise<NearestValue> {
  const column = identifier(name)
  const [range] = await ask<
    Record<'low' | 'high' | 'before' | 'after', string | null>
  >(`SELECT min(${column}) AS low, max(${column}) AS high,
       max(${column}) FILTER (WHERE ${column} < ${value}) AS before,
       min(${column}) FILTER (WHERE ${column} > ${value}) AS after ${from}`)
  if (!range?.low || !range.high) return { words: 'the relation is empty', value: undefined }
  const shown = (text: string): string => (type.startsWith('TIMESTAMP') ? shortInstant(text) : text)
  const nearest = [range.before, range.after].filter((text) => text !== null).map(shown)
  return {
    words: `${name} is stored from ${shown(range.low)} to ${shown(range.high)}, nearest ${nearest.join(' and ')}`,
    value: range.before ?? range.after ?? undefined,
  }
}

/** The error for a row that the service withdrew; undefined if it did not. */
async function withdrawnRow(
  ask: Ask,
  { columns, relation }: KeyShape,
  key: Key,
): Promise<UsageError | undefined> {
  const [withdrawal] = await ask<{ seen: string }>(`SELECT max(observed_at) AS seen FROM market.revision
     WHERE relation = ${literal(relation.name)} AND "column" = '*' AND ${jsonKeyCondition(key, columns)}
     HAVING seen IS NOT NULL`)
  if (!withdrawal) return undefined
  const { seen } = withdrawal
  return new UsageError(
    `${relation.name} no longer has a row with ${textOf(key)}: the service withdrew it (seen at ${shownInstant(seen)}); its values are in market.revision`,
    {
      hint: `candlehouse sql "select key, old, request_id from market.revision where relation = '${relation.name}' and new is null and observed_at = '${seen}'"`,
    },
  )
}

/** The error for a row that is withheld because it breaks a rule; undefined if it is not. */
async function withheldRow(
  ask: Ask,
  { columns, relation }: KeyShape,
  key: Key,
): Promise<UsageError | undefined> {
  const [broken] = await ask<Record<'rule' | 'title' | 'expected' | 'actual' | 'day', string>>(
    sqlTemplate('read/withholding_finding.sql', {
      relation: literal(relation.name),
      key_condition: jsonKeyCondition(key, columns),
    }),
  )
  if (!broken) return undefined
  const windowKey = key.get('symbol') ?? key.get('index_code') ?? '*'
  const windows = `select request_id from ops.coverage where window_from = '${broken.day}' and key in ('*', ${literal(windowKey)})`
  return new UsageError(
    `the row of ${relation.name} with ${textOf(key)} is withheld: rule ${broken.rule} (${broken.title}) expects ${broken.expected}, the actual value is ${broken.actual}`,
    {
      hint: `candlehouse sql "select dataset, received_at, sha256, raw_file from ops.request where request_id in (${windows})"    # the pages that it came in`,
    },
  )
}

function textOf(key: Key): string {
  return [...key].map(([name, text]) => `${name} ${text}`).join(', ')
}
