import { fieldColumns } from 'candlehouse-foundation/fields/field'
import { security } from 'candlehouse-foundation/fields/market'

const COLUMNS = fieldColumns(security)
  .filter(({ field }) => !field.isRequired && !field.isOfMoment)
  .map(({ column }) => column)

/**
 * The attributes of a security whose change begins a new validity, for two rows that are compared: parts of a statement,
 * `$listed_attributes` for the row `listed`.
 */
export function attributesOf(...rows: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    rows.map((row) => [`${row}_attributes`, `(${COLUMNS.map((column) => `${row}.${column}`).join(', ')})`]),
  )
}
