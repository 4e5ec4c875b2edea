import { fieldColumns, liveNames, snakeCase } from 'candlehouse-foundation/fields/field'
import type { Dataset } from '../../plan/datasets.js'

/** A column of a dataset and the fields that fill it, in the API's spelling; the first one is the specification's. */
export interface FilledColumn {
  readonly name: string
  readonly fields: readonly [string, ...string[]]
  /** Whether the value is of the moment: only a value of the same day proves it, and stays. */
  readonly isOfMoment: boolean
}

/**
 * The columns that records fill, without those of the key: a record without its key is rejected.
 *
 * @param columns of the dataset's relation
 */
export function filledColumns({ table, key }: Dataset, columns: readonly string[]): FilledColumn[] {
  return fieldColumns(table)
    .filter(({ column }) => columns.includes(column) && !key.includes(column) && column !== 'trading_date')
    .map(({ column, name, field: { live, isOfMoment = false } }) => ({
      name: column,
      fields: live === undefined ? [name] : [name, live],
      isOfMoment,
    }))
}

/**
 * Fields of the specification that a page's first record does not have; none where its fields are not known.
 *
 * @param fields of the page's first record
 */
export function absentFields(dataset: Dataset, fields: readonly string[] | null): string[] {
  if (fields === null) return []
  const columnOf = columnOfField(dataset)
  const received = new Set(fields.map((name) => columnOf(name).toLowerCase()))
  const spelled = new Set(fields.map((name) => name.toLowerCase()))
  // A field that has another name on some deployments is there under either.
  const hasColumn = (field: string): boolean => received.has(columnOf(field).toLowerCase())
  return dataset.fields.filter((field) => !spelled.has(field.toLowerCase()) && !hasColumn(field))
}

/** Fields of a page's first record that the specification does not have. */
export function unknownFields(dataset: Dataset, fields: readonly string[] | null): string[] {
  const known = new Set(dataset.fields.map((name) => name.toLowerCase()))
  return (fields ?? []).filter((name) => !known.has(name.toLowerCase()))
}

/** The column of a field of a page, which may be unknown (docs/brokerage-api.md#names-in-the-warehouse). */
function columnOfField({ table }: Dataset): (field: string) => string {
  const live = liveNames(table)
  const columns = new Map(fieldColumns(table).map(({ name, column }) => [name, column]))
  return (field) => columns.get(live[field.toLowerCase()] ?? field) ?? snakeCase(field)
}
