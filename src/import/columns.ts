import { UsageError } from 'candlehouse-foundation/errors'
import { isTimeframe, type Timeframe } from 'candlehouse-foundation/market/timeframe'
import { type Dataset, datasets } from '../plan/datasets.js'
import { dayFieldOf, type Imported, subjectOf } from './subject.js'

/** A column of the file; the type as DuckDB names it. */
export interface FileColumn {
  readonly name: string
  readonly type: string
}

/** Values of the command line that hold for every row of the file. */
export interface ImportFlags {
  readonly symbol: string | undefined
  readonly index: string | undefined
  readonly timeframe: Timeframe | undefined
}

/** Where a value comes from: a column, by its position, or the command line. */
export type Origin = { readonly column: number } | { readonly constant: string }

/** How the columns of a file become records of the API. */
export interface Mapping {
  /** Symbol, or index. */
  readonly subject: Origin
  /** Empty for anything but candles. */
  readonly timeframe: Origin
  /** Fields of the record, in the specification's order. */
  readonly fields: readonly { readonly field: string; readonly origin: Origin }[]
  /** Says of a bar that it was made from others: it is not imported, since it would be made again. */
  readonly derived: number | undefined
  /** Unknown columns, which are skipped. */
  readonly unknown: readonly string[]
}

/** Where a row of our own relations came from: another row's page means nothing here. */
const PROVENANCE = ['requestid', 'loadedat']

/** When a bar opened, the first of them that the file has: exchange time, the instant, the API's own field. */
const OPENED = ['localtime', 'openedat', 'tradingdate']

/**
 * Finds the fields of a dataset among the columns of a file, named as the API does or as the relation does, in any case.
 *
 * @throws UsageError where a key is missing, a column stands twice, or the command line contradicts the file
 */
export function mapColumns(
  name: Imported,
  columns: readonly FileColumn[],
  flags: ImportFlags,
  file: string,
): Mapping {
  const dataset = datasets[name]
  const candles = name === 'ohlc'
  const positionOf = positions(columns, file)
  const used = new Set<number>()
  const find = (...names: readonly string[]): Origin | undefined => {
    for (const columnName of names) {
      const column = positionOf.get(columnName)
      if (column !== undefined) return { column }
    }
    return undefined
  }
  const fromFileOr = (
    column: Origin | undefined,
    given: string | undefined,
    flag: string,
  ): Origin | undefined => {
    if (column && given !== undefined)
      throw new UsageError(`${flag} is redundant: ${file} has a column for it`, { hint: `leave ${flag} out` })
    return column ?? (given === undefined ? undefined : { constant: given })
  }

  const index = subjectOf(dataset) === 'index_code'
  refuseUnfit(name, flags)
  const subject = index
    ? fromFileOr(find('indexcode', 'index'), flags.index, '--index')
    : fromFileOr(find('symbol'), flags.symbol, '--symbol')
  const timeframe = candles ? fromFileOr(find('timeframe'), flags.timeframe, '--timeframe') : { constant: '' }
  const dayField = dayFieldOf(name)
  const time = find(...(candles ? OPENED : [dayField.toLowerCase()]))
  const fields = dataset.fields.flatMap((field) => {
    if (field === LINE) return []
    const origin = field === dayField ? time : field === 'symbol' ? subject : find(field.toLowerCase())
    return origin ? [{ field, origin }] : []
  })
  const missing = [
    ...(subject ? [] : [index ? 'index_code (or --index)' : 'symbol (or --symbol)']),
    ...(timeframe ? [] : ['timeframe (or --timeframe)']),
    ...(time
      ? []
      : [
          candles
            ? 'opened_at, local_time or trading_date'
            : dayField === 'exDate'
              ? 'ex_date'
              : 'trading_date',
        ]),
    ...(name === 'corporateActions' && !find('kind') ? ['kind'] : []),
    ...(fields.some(({ field }) => !KEYS.includes(field)) ? [] : [`any of ${figures(dataset)}`]),
  ]
  if (!subject || !timeframe || missing.length > 0) throw lacking(file, dataset, columns, missing)
  for (const origin of [subject, timeframe, ...fields.map(({ origin }) => origin)])
    if ('column' in origin) used.add(origin.column)
  const silent = [...PROVENANCE, ...(candles ? [...OPENED, 'isderived'] : [])]
  const unknown = columns
    .map((column) => column.name)
    .filter((columnName, position) => !used.has(position) && !silent.includes(plain(columnName)))
  return { subject, timeframe, fields, derived: candles ? positionOf.get('isderived') : undefined, unknown }
}

/** The field with a record's place in the file, which is not a column of it. */
export const LINE = 'line'

const KEYS: readonly string[] = ['symbol', 'tradingDate', 'exDate', 'kind', LINE]

/** Names of the API and of relations alike: `totalMatchValue`, `total_match_value`. */
function plain(name: string): string {
  return name.trim().toLowerCase().replaceAll('_', '')
}

function positions(columns: readonly FileColumn[], file: string): Map<string, number> {
  const at = new Map<string, number>()
  for (const [column, { name }] of columns.entries()) {
    const known = at.get(plain(name))
    if (known !== undefined && plain(name) !== '')
      throw new UsageError(`${file} has two columns for one field: ${columns[known]?.name} and ${name}`, {
        hint: 'leave one of them out, or rename it',
      })
    at.set(plain(name), column)
  }
  return at
}

/** An option that says nothing of this dataset is a mistake worth telling. */
function refuseUnfit(name: Imported, { symbol, index, timeframe }: ImportFlags): void {
  const unfit =
    timeframe !== undefined && name !== 'ohlc'
      ? '--timeframe'
      : symbol !== undefined && name === 'indexSummary'
        ? '--symbol'
        : index !== undefined && name !== 'indexSummary'
          ? '--index'
          : undefined
  if (unfit === undefined) return
  const hint =
    name === 'indexSummary' ? 'candlehouse import indexSummary FILE --index VNINDEX' : `leave ${unfit} out`
  throw new UsageError(`${unfit} says nothing of ${name}`, { hint })
}

function lacking(
  file: string,
  dataset: Dataset,
  columns: readonly FileColumn[],
  missing: readonly string[],
): UsageError {
  const there = columns.map(({ name }) => name).join(', ')
  return new UsageError(`${file} has no column for ${missing.join(', ')}; its columns are: ${there}`, {
    hint: `name the columns as the API or ${dataset.relation} does: candlehouse sql "describe ${dataset.relation}"`,
  })
}

function figures({ fields }: Dataset): string {
  return fields
    .filter((field) => !KEYS.includes(field))
    .slice(0, 5)
    .join(', ')
}

/** A timeframe as the file writes it. @throws UsageError */
export function requireTimeframe(text: string | null, file: string): Timeframe {
  if (text !== null && isTimeframe(text)) return text
  throw new UsageError(
    `${file}: timeframe ${text === null ? 'is missing in some rows' : `'${text}' is none of the API's`}`,
    { hint: 'write 1m, 3m, 5m, 15m, 30m, 1h or 1d, or leave the column out and give --timeframe' },
  )
}
