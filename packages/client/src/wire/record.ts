import {
  type FieldName,
  type FieldTable,
  type FlagName,
  fieldNames,
  flagNames,
  liveNames,
} from 'candlehouse-foundation/fields/field'
import { z } from 'zod'

/** A resource of flat fields: names as in the specification, in its order. */
export interface RecordShape<Field extends string, Flag extends Field = never> {
  readonly fields: readonly Field[]
  /** Other names seen live → the specification's. */
  readonly aliases: Readonly<Record<string, Field>>
  readonly schema: z.ZodType<Row<Field, Flag>>
}

/**
 * One record: every field of the specification is there, null when absent, null or empty
 * (docs/brokerage-api.md#names-in-the-warehouse). Fields are text, except flags: booleans in the specification.
 */
export type Row<Field extends string, Flag extends Field = never> = Readonly<
  Record<Exclude<Field, Flag>, string | null> & Record<Flag, boolean | null>
>

/**
 * Text as it came. Numbers arrive here as their source text (see `parseKeepingNumbers`), so that 20 digits,
 * `1234.0` and `"2,493,089"` stay unchanged: only the strict parsers of the warehouse read numbers.
 */
const text = z
  .union([z.string(), z.null()], { error: 'not text or a number' })
  .transform((value) => value || null)

/** Forms of a boolean that were seen or are likely: JSON booleans, words in any case, digits. */
const FLAGS: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false }

/** The text `"false"` is truthy in JavaScript: a flag is a boolean here, or its record is refused. */
const flag = z
  .union([z.boolean(), z.string(), z.null()], { error: 'not true or false' })
  .transform((value, context): boolean | null => {
    if (value === null || value === '') return null
    const read = FLAGS[String(value).toLowerCase()]
    if (read !== undefined) return read
    context.issues.push({ code: 'custom', message: 'not true or false', input: value })
    return z.NEVER
  })

interface RecordOptions<Field extends string, Flag extends Field> {
  readonly aliases?: Readonly<Record<string, Field>>
  /** Fields that are booleans in the specification. */
  readonly flags?: readonly Flag[]
}

export function record<const Field extends string, const Flag extends Field = never>(
  fields: readonly Field[],
  { aliases = {}, flags = [] }: RecordOptions<Field, Flag> = {},
): RecordShape<Field, Flag> {
  const booleans = new Set<string>(flags)
  const members = Object.fromEntries(fields.map((field) => [field, booleans.has(field) ? flag : text]))
  // Object.fromEntries forgets the names; the list they come from does not.
  return { fields, aliases, schema: z.object(members) as unknown as z.ZodType<Row<Field, Flag>> }
}

/** A record as its table of fields describes it (docs/decisions/0073-one-table-of-fields.md). */
export function recordOf<Table extends FieldTable>(
  table: Table,
): RecordShape<FieldName<Table>, FlagName<Table>> {
  return record(fieldNames(table), { aliases: liveNames(table), flags: flagNames(table) })
}

/** What `recordOf` reads. */
export type RowOf<Table extends FieldTable> = Row<FieldName<Table>, FlagName<Table>>
