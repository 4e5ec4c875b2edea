import { literal } from '../../duckdb/sqlfile.js'
import type { Dataset } from '../../plan/datasets.js'
import { FIELD_RULES, type FieldRule } from './field-rules.js'
import type { FilledColumn } from './read-fields.js'

/** Conditions about one column of a row: `received` is the row, `earlier` what is known of its key from earlier answers. */
interface ColumnSql {
  readonly isNull: string
  /** Whether it is zero; `false` where a zero is always a value. */
  readonly isZero: string
  /** Whether the row should fill it. */
  readonly isExpected: string
  /** Whether a zero cannot be right. */
  readonly isNonZero: string
  /** The same by the record alone. */
  readonly isCertain: string
}

function ruleOf({ name }: Dataset, column: FilledColumn): FieldRule {
  return FIELD_RULES[name]?.columns[column.name] ?? {}
}

function sqlOf(dataset: Dataset, column: FilledColumn): ColumnSql {
  const { filled = 'false', nonZero = 'false', isNeverZero = false } = ruleOf(dataset, column)
  const value = `received.${column.name}`
  const isNull = `${value} IS NULL`
  const isActive = FIELD_RULES[dataset.name]?.isActive ?? 'false'
  const isCertain = `coalesce(${nonZero}, false)`
  const isProven = `(coalesce(earlier.had_${column.name}, false) AND (${isActive}))`
  const nonZeros = [...(nonZero === 'false' ? [] : [isCertain]), ...(isNeverZero ? [isProven] : [])]
  return {
    isNull,
    isCertain,
    isZero: nonZeros.length === 0 ? 'false' : `coalesce(${value} = 0, false)`,
    isExpected: `(coalesce(${filled}, false) OR ${isProven})`,
    isNonZero: nonZeros.length === 0 ? 'false' : `(${nonZeros.join(' OR ')})`,
  }
}

/** One struct: the column, and whether any received row leaves it empty. */
export function suspectOf(dataset: Dataset, column: FilledColumn): string {
  const { nonZero, isNeverZero = false } = ruleOf(dataset, column)
  const { isNull, isZero } = sqlOf(dataset, column)
  const zeros = isNeverZero ? [isZero] : nonZero ? [`${isZero} AND coalesce(${nonZero}, false)`] : []
  return `{'name': ${literal(column.name)}, 'is_suspect': bool_or(${[isNull, ...zeros].join(' OR ')})}`
}

/** One struct: the column, its field, and counts of the records of one walk and session. */
export function countOf(dataset: Dataset, column: FilledColumn): string {
  const { isNull, isZero, isExpected, isNonZero, isCertain } = sqlOf(dataset, column)
  const proven = `coalesce(earlier.${provenName(column)}, false)`
  return `{'name': ${literal(column.name)}, 'field': ${literal(column.fields[0])},
        'expected': count(*) FILTER (${isExpected}), 'lacking': count(*) FILTER (${isExpected} AND ${isNull}),
        'non_zero': count(*) FILTER (${isNonZero}), 'false_zeros': count(*) FILTER (${isNonZero} AND ${isZero}),
        'certain_zeros': count(*) FILTER (${isCertain} AND ${isZero}),
        'proven': count(*) FILTER (${proven}),
        'nulls': count(*) FILTER (${isNull}), 'zeros': count(*) FILTER (${isZero})}`
}

/** Whether an earlier answer filled the column; of a value of the moment also whether any day's list did. */
export function hadOf(dataset: Dataset, column: FilledColumn): string {
  const { isNeverZero = false } = ruleOf(dataset, column)
  const { name, isOfMoment } = column
  if (dataset.name === 'ohlc') return `false AS had_${name}`
  const filledIn = (row: string): string =>
    `bool_or(${row}.${name} IS NOT NULL${isNeverZero ? ` AND ${row}.${name} <> 0` : ''})`
  if (!isOfMoment) return `${filledIn('earlier')} AS had_${name}`
  return `${filledIn('today')} AS had_${name}, ${filledIn('earlier')} AS ever_had_${name}`
}

function provenName({ name, isOfMoment }: FilledColumn): string {
  return `${isOfMoment ? 'ever_had' : 'had'}_${name}`
}

/** The column of a received row `match`, or the stored value where the row has lost it. */
export function keptValue(dataset: Dataset, column: FilledColumn): string {
  const { name } = column
  const { isZero } = sqlOf(dataset, column)
  const stored = `${column.isOfMoment ? 'today' : 'stored'}.${name}`
  const zero =
    isZero === 'false' ? '' : ` OR list_contains(lost.zeros, ${literal(name)}) AND match.${name} = 0`
  return `CASE WHEN list_contains(lost.names, ${literal(name)}) AND match.${name} IS NULL${zero} THEN ${stored}
    ELSE match.${name} END AS ${name}`
}
