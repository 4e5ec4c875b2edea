import { literal } from '../../duckdb/sqlfile.js'
import { type ClosedWalk, isImported } from '../../land/journal.js'
import type { Dataset } from '../../plan/datasets.js'
import { boundRows } from '../bound-rows.js'
import { type DayRange, dayRange } from '../fact-parts.js'
import type { WalkBatch } from '../walk-batch.js'
import { EVIDENCE_DAYS, FIELD_RULES, type FieldRule, LOST_SHARE } from './field-rules.js'
import { absentFields, type FilledColumn, filledColumns, unknownFields } from './read-fields.js'

/**
 * Decides which fields an answer has lost, session by session, and keeps their stored values (docs/operating.md#lost-fields).
 * Temp table `lost_session` gets a row per walk and session with a lost field; `received_row` gets stored values where such
 * a field is empty.
 *
 * The decision follows from the walk's own records and from rows that were stored before it, never from other walks of its
 * batch: a replay divides walks into batches in another way than the run that fetched them.
 *
 * @param columns all columns of the dataset's relation
 */
export async function keepLostFields(batch: WalkBatch, columns: readonly string[]): Promise<void> {
  const { steps, dataset } = batch
  const answered = batch.walks.filter((walk) => !isImported(walk))
  const isChecked = answered.length > 0 && FIELD_RULES[dataset.name] !== undefined
  const filled = isChecked ? filledColumns(dataset, columns) : []
  const suspects = isChecked ? await suspectColumns(batch, filled) : []
  if (suspects.length === 0) return await steps.run('load/fields/no_lost_fields')
  await steps.run('load/fields/walk_fields', {}, [boundRows(describeFields(dataset, answered))])
  const range = dayRange(answered)
  await readEarlier(batch, range, suspects)
  const lost = await steps.count('load/fields/lost_fields', {
    day: dayOf(dataset),
    subject: subjectOf(dataset),
    counts: suspects.map((column) => countOf(dataset, column)).join(',\n      '),
    lost_share: String(LOST_SHARE),
    fewest_records: String(FIELD_RULES[dataset.name]?.fewestRecords),
    // The lists of all boards are one batch, and one answer; else each session of a walk is one.
    answer: dataset.shape === 'list' ? 'day' : 'walk, day',
  })
  if (lost > 0) await keepValues(batch, range, suspects)
}

async function suspectColumns(
  { steps, dataset }: WalkBatch,
  filled: readonly FilledColumn[],
): Promise<FilledColumn[]> {
  const suspects = filled.map((column) => suspectOf(dataset, column)).join(',\n    ')
  const names = new Set(await steps.column<string>('load/fields/suspects', { suspects }))
  return filled.filter(({ name }) => names.has(name))
}

/** Names of fields by walk. A walk's place follows from its sessions, not from when it was loaded. */
function describeFields(dataset: Dataset, walks: readonly ClosedWalk[]): unknown[] {
  const ordered = walks.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
  return ordered.map((walk, place) => {
    const pages = walk.pages.filter(({ fields }) => fields !== null)
    const absent = pages.map(({ fields }) => absentFields(dataset, fields))
    return {
      walk: walk.id,
      place,
      absent: (absent[0] ?? []).filter((name) => absent.every((names) => names.includes(name))),
      unknown: [...new Set(pages.flatMap(({ fields }) => unknownFields(dataset, fields)))],
    }
  })
}

function orderOf({ window, id }: ClosedWalk): string {
  return `${window.from} ${id}`
}

async function readEarlier(
  { steps, dataset }: WalkBatch,
  range: DayRange,
  suspects: readonly FilledColumn[],
): Promise<void> {
  const { name, relation, shape } = dataset
  const had = suspects.map((column) => hadOf(dataset, column)).join(', ')
  const subject = subjectOf(dataset)
  if (name === 'ohlc') return await steps.run('load/fields/no_earlier', { had })
  if (shape === 'list') return await steps.run('load/fields/earlier_lists', { relation, subject, had })
  await steps.run('load/fields/earlier_sessions', {
    relation,
    subject,
    had,
    names: suspects.map((column) => column.name).join(', '),
    evidence_days: String(EVIDENCE_DAYS),
    ...range,
  })
}

async function keepValues(
  { steps, dataset }: WalkBatch,
  { first_day, last_day }: DayRange,
  suspects: readonly FilledColumn[],
): Promise<void> {
  const { relation, key, shape } = dataset
  const day = shape === 'list' ? dayOf(dataset) : `match.${dayOf(dataset)}`
  await steps.run('load/fields/stored_values', {
    relation,
    day,
    in_range: shape === 'list' ? '' : ` AND stored.trading_date BETWEEN ${first_day} AND ${last_day}`,
    same_key: key.map((name) => `stored.${name} = match.${name}`).join(' AND '),
    kept: suspects.map((column) => keptValue(dataset, column)).join(',\n  '),
    subject: subjectOf(dataset),
  })
}

/** The session of a received row: lists are as of the trading date. */
function dayOf({ shape }: Dataset): string {
  return shape === 'list' ? "getvariable('as_of')" : 'trading_date'
}

/** The column that says what a row is about. */
function subjectOf({ key }: Dataset): string {
  return key[0] ?? literal('')
}

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
function suspectOf(dataset: Dataset, column: FilledColumn): string {
  const { nonZero, isNeverZero = false } = ruleOf(dataset, column)
  const { isNull, isZero } = sqlOf(dataset, column)
  const zeros = isNeverZero ? [isZero] : nonZero ? [`${isZero} AND coalesce(${nonZero}, false)`] : []
  return `{'name': ${literal(column.name)}, 'is_suspect': bool_or(${[isNull, ...zeros].join(' OR ')})}`
}

/** One struct: the column, its field, and counts of the records of one walk and session. */
function countOf(dataset: Dataset, column: FilledColumn): string {
  const { isNull, isZero, isExpected, isNonZero, isCertain } = sqlOf(dataset, column)
  const proven = `coalesce(earlier.${column.isOfMoment ? 'ever_had' : 'had'}_${column.name}, false)`
  return `{'name': ${literal(column.name)}, 'field': ${literal(column.fields[0])},
        'expected': count(*) FILTER (${isExpected}), 'lacking': count(*) FILTER (${isExpected} AND ${isNull}),
        'non_zero': count(*) FILTER (${isNonZero}), 'false_zeros': count(*) FILTER (${isNonZero} AND ${isZero}),
        'certain_zeros': count(*) FILTER (${isCertain} AND ${isZero}),
        'proven': count(*) FILTER (${proven}),
        'nulls': count(*) FILTER (${isNull}), 'zeros': count(*) FILTER (${isZero})}`
}

/** Whether an earlier answer filled the column; of a value of the moment also whether any day's list did. */
function hadOf(dataset: Dataset, column: FilledColumn): string {
  const { isNeverZero = false } = ruleOf(dataset, column)
  const { name, isOfMoment } = column
  if (dataset.name === 'ohlc') return `false AS had_${name}`
  const filledIn = (row: string): string =>
    `bool_or(${row}.${name} IS NOT NULL${isNeverZero ? ` AND ${row}.${name} <> 0` : ''})`
  if (!isOfMoment) return `${filledIn('earlier')} AS had_${name}`
  return `${filledIn('today')} AS had_${name}, ${filledIn('earlier')} AS ever_had_${name}`
}

/** The column of a received row `match`, or the stored value where the row has lost it. */
function keptValue(dataset: Dataset, column: FilledColumn): string {
  const { name } = column
  const { isZero } = sqlOf(dataset, column)
  const stored = `${column.isOfMoment ? 'today' : 'stored'}.${name}`
  const zero =
    isZero === 'false' ? '' : ` OR list_contains(lost.zeros, ${literal(name)}) AND match.${name} = 0`
  return `CASE WHEN list_contains(lost.names, ${literal(name)}) AND match.${name} IS NULL${zero} THEN ${stored}
    ELSE match.${name} END AS ${name}`
}
