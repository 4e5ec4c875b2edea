import { type FieldTable, fieldColumns } from 'candlehouse-foundation/fields/field'
import { FIELD_TYPES } from 'candlehouse-foundation/fields/field-type'
import { type Relation, relationOf } from '../../src/relations.js'
import { WRITTEN } from './load.js'
import { call, comment, filled, listed } from './text.js'

/** A macro that gives rows of a relation as they were at an instant. */
export interface KnownFile {
  readonly relation: string
  readonly table: FieldTable
  /** What its rows are, for the comment. */
  readonly rows: string
}

const AS_OF = [
  "instant: a TIMESTAMPTZ, or its text with a zone ('2025-03-14 18:00:00+07'). A row that has not changed since",
  'is returned as it is; the few others are rebuilt (mart.as_it_stood). Texts of revisions are cast to the',
  "column's own type, never through DOUBLE. request_id is null where the ledger no longer names the page.",
].join(' ')

/** Types of key columns in the JSON of a revision's key; others are text. */
const KEY_TYPES: Readonly<Record<string, string>> = { trading_date: 'DATE', ex_date: 'DATE' }

/** `mart.RELATION_as_known_on(instant)` with every column that records fill. */
export function knownSql({ relation, table, rows }: KnownFile): string {
  const { key } = relationOf(relation)
  const name = `mart.${relation.replace('market.', '')}_as_known_on`
  const fields = fieldColumns(table)
  const given = key.filter((column) => !fields.some((field) => field.column === column))
  const columns = [...given, ...fields.map(({ column }) => column), 'request_id', 'loaded_at']
  const using = `USING (${key.join(', ')})`
  const former = isBySession(key) ? `mart.session_as_it_stood('${relation}', instant) former` : 'former_row'
  return [
    ...comment(`grain: one row per ${inWords(key)}, as the warehouse had it at the instant`),
    ...comment(AS_OF),
    WRITTEN,
    `CREATE OR REPLACE MACRO ${name}(instant) AS TABLE`,
    ...(isBySession(key) ? ['WITH current_row AS ('] : formerRow(relation, key)),
    '  SELECT stored.*',
    `  FROM ${relation} stored`,
    `  SEMI JOIN ${former} ${using}`,
    ')',
    'SELECT',
    ...filled(columns, '  '),
    '-- A session that is withheld shows its row as it was, and the revision beside it: it is reported once.',
    `FROM ${relation}`,
    `ANTI JOIN ${former} ${using}`,
    'WHERE loaded_at <= CAST(instant AS TIMESTAMPTZ)',
    'UNION ALL',
    'SELECT',
    ...listed([
      ...given.map((column) => `  former.${column}`),
      ...fields.map(({ column, field }) =>
        key.includes(column) ? `  former.${column}` : columnThen(column, FIELD_TYPES[field.type].sql),
      ),
      '  former.request_id, former.loaded_at',
    ]),
    isBySession(key) ? `FROM ${former}` : `FROM ${former} former`,
    `LEFT JOIN current_row stored ${using};`,
    `COMMENT ON MACRO TABLE ${name} IS`,
    `  '${rows} as the warehouse had them at an instant.';`,
    '',
  ].join('\n')
}

/** Whether `mart.session_as_it_stood` takes its key apart. */
function isBySession(key: Relation['key']): boolean {
  return key.join() === 'symbol,trading_date'
}

function formerRow(relation: string, key: Relation['key']): string[] {
  const parts = key.map((column) => {
    const text = `json_extract_string(former.key, '$.${column}')`
    return `${KEY_TYPES[column] ? `CAST(${text} AS ${KEY_TYPES[column]})` : text} AS ${column},`
  })
  return [
    'WITH former_row AS (',
    ...parts.map((part, index) => (index === 0 ? `  SELECT ${part}` : `    ${part}`)),
    '    former.texts, former.is_whole, former.request_id, former.loaded_at',
    `  FROM mart.as_it_stood('${relation}', instant) former`,
    '), current_row AS (',
  ]
}

/** The column of a row that has changed since. */
function columnThen(column: string, type: string): string {
  const args = ['former.texts', 'former.is_whole', `'${column}'`, `stored.${column}`]
  return `${call('CAST(mart.text_then', args, '  ', ` AS ${type}),`)} AS ${type})`
}

function inWords(key: Relation['key']): string {
  return `${key.slice(0, -1).join(', ')} and ${key.at(-1)}`
}
