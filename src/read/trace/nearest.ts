import type { Reader, ResultColumn } from '../../duckdb/reader.js'
import { identifier, literal } from '../../duckdb/sqlfile.js'
import { UsageError } from '../../errors.js'
import { objectsOf } from '../catalog.js'
import {
  jsonKeyCondition,
  type Key,
  type KeyShape,
  keyCondition,
  SNAPSHOT,
  traceCommand,
  valueSql,
} from './key.js'
import { shortInstant } from './when.js'

/** There is no such row: says up to which column of the key there are rows, and what is nearest there. */
export async function missingRow(reader: Reader, shape: KeyShape, key: Key): Promise<UsageError> {
  const { relation, columns } = shape
  const said = [...key].map(([name, text]) => `${name} ${text}`).join(', ')
  const withdrawn = await withdrawal(reader, shape, key)
  if (withdrawn) return withdrawn
  const withheld = await withholding(reader, shape, key)
  if (withheld) return withheld
  const held = new Map<string, string>()
  for (const column of inOrder(columns, key)) {
    const text = key.get(column.name) ?? ''
    const next = new Map([...held, [column.name, text]])
    const [any] = await objectsOf(
      reader,
      `SELECT 1 FROM ${relation.name} WHERE ${keyCondition(next, columns)} LIMIT 1`,
    )
    if (any) {
      held.set(column.name, text)
      continue
    }
    const { words, value } = await nearest(reader, shape, held, column, text)
    const known = [...held].map(([name, each]) => `${name} ${each}`).join(', ')
    const found =
      value === undefined ? undefined : await hintFor(reader, shape, key, held, [column.name, value])
    return new UsageError(
      `there is no row in ${relation.name} with ${said}; ${known ? `${known}: ` : ''}${words}`,
      { hint: found },
    )
  }
  return new UsageError(`there is no row in ${relation.name} with ${said}`)
}

/** A command for the row of the nearest value: the very row that was asked for but for that, else the first. */
async function hintFor(
  reader: Reader,
  shape: KeyShape,
  key: Key,
  held: Key,
  near: readonly [string, string],
): Promise<string> {
  const asked = keyCondition(new Map([...key, near]), shape.columns)
  const [same] = await objectsOf(reader, `SELECT 1 FROM ${shape.relation.name} WHERE ${asked} LIMIT 1`)
  return await exampleOf(reader, shape, new Map([...(same ? key : held), near]))
}

/** A command that traces one row, the first of the relation or of those with these values. */
export async function exampleOf(
  reader: Reader,
  shape: Omit<KeyShape, 'example'>,
  held: Key,
): Promise<string> {
  const { relation, columns } = shape
  const names = columns.map(({ name }) => identifier(name))
  // An example leaves the snapshot out, and so must be of the latest.
  const order = relation.key.includes(SNAPSHOT) ? [`${SNAPSHOT} DESC`, ...names] : names
  const [row] = await objectsOf(
    reader,
    `SELECT ${names.join(', ')} FROM ${relation.name}
     ${held.size > 0 ? `WHERE ${keyCondition(held, columns)}` : ''} ORDER BY ${order.join(', ')} LIMIT 1`,
  )
  const said = held.has(SNAPSHOT) ? columns : columns.filter(({ name }) => name !== SNAPSHOT)
  return traceCommand(
    relation,
    said.map((column) => [column, row ? String(row[column.name] ?? '') : undefined]),
  )
}

/** Texts first, then days, instants and numbers, the snapshot last: each is looked for among rows that have the others. */
function inOrder(columns: readonly ResultColumn[], key: Key): ResultColumn[] {
  const weight = ({ name, type }: ResultColumn): number =>
    name === SNAPSHOT ? 2 : type === 'VARCHAR' ? 0 : 1
  return columns.filter(({ name }) => key.has(name)).sort((a, b) => weight(a) - weight(b))
}

async function nearest(
  reader: Reader,
  { relation, columns }: KeyShape,
  held: Key,
  { name, type }: ResultColumn,
  text: string,
): Promise<{ words: string; value: string | undefined }> {
  const column = identifier(name)
  const from = `FROM ${relation.name} ${held.size > 0 ? `WHERE ${keyCondition(held, columns)}` : ''}`
  if (type === 'VARCHAR' && name !== SNAPSHOT) {
    const rows = await objectsOf<{ near: string }>(
      reader,
      `SELECT ${column} AS near ${from} GROUP BY 1
       ORDER BY damerau_levenshtein(upper(${column}), upper(${literal(text)})), 1 LIMIT 3`,
    )
    if (rows.length === 0) return { words: 'it is empty', value: undefined }
    return { words: `nearest ${name}: ${rows.map(({ near }) => near).join(', ')}`, value: rows[0]?.near }
  }
  const value = valueSql(text, name, columns)
  const [span] = await objectsOf<Record<'low' | 'high' | 'before' | 'after', string | null>>(
    reader,
    `SELECT min(${column}) AS low, max(${column}) AS high,
       max(${column}) FILTER (WHERE ${column} < ${value}) AS before,
       min(${column}) FILTER (WHERE ${column} > ${value}) AS after ${from}`,
  )
  if (!span?.low || !span.high) return { words: 'it is empty', value: undefined }
  const shown = (each: string): string => (type.startsWith('TIMESTAMP') ? shortInstant(each) : each)
  const near = [span.before, span.after].filter((each) => each !== null).map(shown)
  return {
    words: `${name} is held from ${shown(span.low)} to ${shown(span.high)}, nearest ${near.join(' and ')}`,
    value: span.before ?? span.after ?? undefined,
  }
}

/** That the service took the row back, when it did. */
async function withdrawal(
  reader: Reader,
  { columns, relation }: KeyShape,
  key: Key,
): Promise<UsageError | undefined> {
  const [gone] = await objectsOf<{ seen: string }>(
    reader,
    `SELECT max(observed_at) AS seen FROM market.revision
     WHERE relation = ${literal(relation.name)} AND "column" = '*' AND ${jsonKeyCondition(key, columns)}
     HAVING seen IS NOT NULL`,
  )
  if (!gone) return undefined
  const said = [...key].map(([name, text]) => `${name} ${text}`).join(', ')
  return new UsageError(
    `${relation.name} no longer has a row with ${said}: the service withdrew it, seen ${gone.seen}; market.revision keeps it`,
    {
      hint: `candlehouse sql "select key, old, request_id from market.revision where relation = '${relation.name}' and new is null and observed_at = '${gone.seen}'"`,
    },
  )
}

/** What broke a rule is not among what readers see: says which, what it is, and where its page is found. */
async function withholding(
  reader: Reader,
  { columns, relation }: KeyShape,
  key: Key,
): Promise<UsageError | undefined> {
  const [broken] = await objectsOf<{
    rule: string
    title: string
    expected: string
    actual: string
    day: string
  }>(
    reader,
    `SELECT rule, title, offender.expected, offender.actual, trading_date AS day
     FROM recon.offender offender JOIN recon.finding finding USING (rule, subject, trading_date)
     WHERE relation = ${literal(relation.name)} AND severity = 'error' AND accepted IS NULL AND finding.state = 'break'
       AND ${jsonKeyCondition(key, columns)}
     ORDER BY rule LIMIT 1`,
  )
  if (!broken) return undefined
  const said = [...key].map(([name, text]) => `${name} ${text}`).join(', ')
  const asked = key.get('symbol') ?? key.get('index_code') ?? '*'
  const windows = `select request_id from ops.coverage where window_from = '${broken.day}' and key in ('*', ${literal(asked)})`
  return new UsageError(
    `the row of ${relation.name} with ${said} is withheld: rule ${broken.rule} (${broken.title}) expects ${broken.expected}, it is ${broken.actual}`,
    {
      hint: `candlehouse sql "select dataset, received_at, sha256, raw_file from ops.request where request_id in (${windows})"    # the pages that brought it`,
    },
  )
}
