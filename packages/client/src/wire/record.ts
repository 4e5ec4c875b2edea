import {
  type FieldName,
  type FieldTable,
  type FlagName,
  fieldNames,
  flagNames,
  liveNames,
} from 'candlehouse-foundation/fields/field'

/** A resource of flat fields: names as in the specification, in its order. */
export interface RecordShape<Field extends string, Flag extends Field = never> {
  readonly fields: readonly Field[]
  /** Other names seen live → the specification's. */
  readonly aliases: Readonly<Record<string, Field>>
  /** Fields that are booleans in the specification. */
  readonly flags: ReadonlySet<Flag>
}

/**
 * One record: every field of the specification is there, null when absent, null or empty
 * (docs/brokerage-api.md#names-in-the-warehouse). Fields are text, except flags: booleans in the specification.
 */
export type Row<Field extends string, Flag extends Field = never> = Readonly<
  Record<Exclude<Field, Flag>, string | null> & Record<Flag, boolean | null>
>

/** What a value is not, in words. */
export type NotRead = 'not text or a number' | 'not true or false'

/** A value of a field, or why it is not one. */
export type FieldReading =
  | { readonly value: string | boolean | null; readonly problem?: undefined }
  | { readonly problem: NotRead }

/**
 * Text as it came. Numbers arrive here as their source text (see `parseKeepingNumbers`), so that 20 digits,
 * `1234.0` and `"2,493,089"` stay unchanged: `parseDecimal` and the strict parsers of the warehouse read numbers.
 */
export function readText(value: unknown): FieldReading {
  if (value === null || value === '') return { value: null }
  return typeof value === 'string' ? { value } : { problem: 'not text or a number' }
}

/** Forms of a boolean that were seen or are likely: JSON booleans, words in any case, digits. */
const FLAGS: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false }

/** The text `"false"` is truthy in JavaScript: a flag is a boolean here, or its record is refused. */
export function readFlag(value: unknown): FieldReading {
  if (value === null || value === '') return { value: null }
  const isWord = typeof value === 'boolean' || typeof value === 'string'
  const read = isWord ? FLAGS[String(value).toLowerCase()] : undefined
  return read === undefined ? { problem: 'not true or false' } : { value: read }
}

interface RecordOptions<Field extends string, Flag extends Field> {
  readonly aliases?: Readonly<Record<string, Field>>
  readonly flags?: readonly Flag[]
}

export function record<const Field extends string, const Flag extends Field = never>(
  fields: readonly Field[],
  { aliases = {}, flags = [] }: RecordOptions<Field, Flag> = {},
): RecordShape<Field, Flag> {
  return { fields, aliases, flags: new Set(flags) }
}

/** A record as its table of fields describes it (docs/decisions/0073-one-table-of-fields.md). */
export function recordOf<Table extends FieldTable>(
  table: Table,
): RecordShape<FieldName<Table>, FlagName<Table>> {
  return record(fieldNames(table), { aliases: liveNames(table), flags: flagNames(table) })
}

/** What `recordOf` reads. */
export type RowOf<Table extends FieldTable> = Row<FieldName<Table>, FlagName<Table>>
