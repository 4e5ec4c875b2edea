import { type FieldColumn, type FieldTable, fieldColumns } from 'candlehouse-foundation/fields/field'
import { FIELD_TYPES } from 'candlehouse-foundation/fields/field-type'
import { call, comment, filled, listed } from './text.js'

/** A file of `sql/load` that types the records of one kind. */
export interface LoadFile {
  /** What a record is, for the grain. */
  readonly record: string
  readonly detail?: string
  readonly table: FieldTable
  readonly source: 'page_record' | 'snapshot_record'
  /** Columns that the request gives, not the record, each as SQL. */
  readonly given?: readonly string[]
  /** Checks of the record's key beside those of required fields, each as SQL. */
  readonly checks?: readonly string[]
}

export const WRITTEN =
  '-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file'

/** Names that SQL has a meaning for. */
const QUOTED = new Set(['from', 'to', 'type', 'time', 'operator'])

/** Types the records of pages into `typed_record`: one expression per field, and the reason to reject the record. */
export function loadSql(file: LoadFile): string {
  const { table, source, given = [] } = file
  const columns = fieldColumns(table)
  const computed = columns.filter(({ field }) => field.isComputed)
  const names = [...given.map((sql) => sql.replace(/^.* AS /, '')), ...columns.map(({ column }) => column)]
  return [
    ...grainOf(file, computed.length > 0),
    `-- reads: ${source}`,
    '-- writes: typed_record',
    WRITTEN,
    'CREATE OR REPLACE TEMP TABLE typed_record AS',
    'WITH typed AS (',
    '  SELECT',
    `    ${sourceColumns(file)},`,
    ...listed([...given, ...columns.map(typedColumn)]).map((line) => `    ${line}`),
    `  FROM ${source}`,
    ')',
    'SELECT',
    ...filled(['request_id', 'ordinal', 'received_at', ...names], '  ', ','),
    ...(computed.length > 0 ? noiseOf(computed) : []),
    "  nullif(concat_ws('; ',",
    ...listed([...keyChecks(file), ...columns.flatMap((column) => unread(column, textOf))]),
    "  ), '') AS reason",
    'FROM typed;',
    '',
  ].join('\n')
}

/** The comment that a file begins with. */
export function grainOf({ record, detail }: LoadFile, hasNoise = false): string[] {
  const records = `${record} of the pages being loaded${detail === undefined ? '' : `, ${detail}`}`
  const grain = `grain: one row per ${records}; reason is null if it is valid`
  if (!hasNoise) return comment(grain)
  return [
    ...comment(`${grain};`),
    ...comment('noise has the fields whose number has binary noise, and that are null for it'),
  ]
}

function sourceColumns({ source, table }: LoadFile): string {
  const page = 'request_id, ordinal, received_at'
  if (source === 'page_record') return `${page}, window_key, window_from, window_to, r`
  return Object.values(table).some(({ isAsked }) => isAsked)
    ? `${page}, account_no AS asked_account, r`
    : `${page}, r`
}

/** The text of a field of the record. */
function textOf(name: string): string {
  return QUOTED.has(name) ? `r."${name}"` : `r.${name}`
}

function typedColumn(field: FieldColumn): string {
  return `${parsed(field, textOf)} AS ${field.column}`
}

/** The value of a field. @param text SQL for the text of a field of the record */
export function parsed({ name, column, field }: FieldColumn, text: (name: string) => string): string {
  const { parser } = FIELD_TYPES[field.type]
  if (parser) return `${parser}(${text(name)})`
  const value = `nullif(${text(name)}, '')`
  if (field.isAsked) return `coalesce(${value}, ${column})`
  return field.live === undefined ? value : `coalesce(${value}, nullif(${text(field.live)}, ''))`
}

/** The key first: a record without it, or with another one than was requested, says nothing. */
function keyChecks({ table, checks = [] }: LoadFile): string[] {
  const columns = fieldColumns(table)
  const missing = columns
    .filter(({ field }) => field.isRequired)
    .map(({ name, column, field }) => {
      return `missing('${name}', ${FIELD_TYPES[field.type].parser ? textOf(name) : column})`
    })
  const asked = columns
    .filter(({ field }) => field.isAsked)
    .map(({ name }) => `not_asked('${name}', ${textOf(name)}, asked_account)`)
  return [...missing, ...asked, ...checks].map((check) => `    ${check}`)
}

/** Why the text of a field is not a value; none where every text is one. */
export function unread({ name, column, field }: FieldColumn, text: (name: string) => string): string[] {
  const { expected } = FIELD_TYPES[field.type]
  if (expected === null) return []
  const macro = field.isComputed ? 'unread_derived' : 'unread'
  return [call(macro, [`'${name}'`, text(name), column, `'${expected}'`], '    ')]
}

function noiseOf(computed: readonly FieldColumn[]): string[] {
  return [
    '  -- a percentage is a DOUBLE, which holds every digit',
    '  list_filter([',
    ...listed(
      computed.map(({ name, column }) => `    noise_of('${column}', '${name}', ${textOf(name)}, ${column})`),
    ),
    '  ], lambda noise: noise IS NOT NULL) AS noise,',
  ]
}
