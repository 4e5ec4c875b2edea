import { z } from 'zod'

/** A resource of flat text fields: names as in the specification, in its order. */
export interface RecordShape<Field extends string> {
  readonly fields: readonly Field[]
  /** Other names seen live → the specification's. */
  readonly aliases: Readonly<Record<string, Field>>
  readonly schema: z.ZodType<Row<Field>>
}

/**
 * One record: every field of the specification is there, null when absent, null or empty
 * (docs/brokerage-api.md#names-in-the-warehouse).
 */
export type Row<Field extends string> = Readonly<Record<Field, string | null>>

/**
 * Text as it came. Numbers arrive here as their source text (see `parseKeepingNumbers`), so that 20 digits,
 * `1234.0` and `"2,493,089"` stay unchanged: only the strict parsers of the warehouse read numbers.
 */
const text = z
  .union([z.string(), z.boolean(), z.null()])
  .transform((value) => (value === null || value === '' ? null : String(value)))

export function record<const Field extends string>(
  fields: readonly Field[],
  aliases: Readonly<Record<string, Field>> = {},
): RecordShape<Field> {
  const members = Object.fromEntries(fields.map((field) => [field, text]))
  // Object.fromEntries forgets the names; the list they come from does not.
  return { fields, aliases, schema: z.object(members) as unknown as z.ZodType<Row<Field>> }
}
