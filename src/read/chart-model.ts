import { isNumberType } from 'candlehouse-foundation/number-text'

/** A column of a result. */
interface Column {
  readonly name: string
  readonly type: string
}

/** Which columns a chart shows. */
export interface ChartChoice {
  /** Number of the column along the axis. */
  readonly over: number
  /** A text column: one series per value of it. */
  readonly split: number | undefined
  /** The column of the values; undefined: each number is a line of its own. */
  readonly value: number | undefined
}

export interface ChartSeries {
  readonly name: string
  readonly values: readonly (number | null)[]
}

export interface ChartModel {
  /** `sessions`: days or instants that the result has, evenly spaced: no nights, no weekends between them. */
  readonly kind: 'sessions' | 'numbers' | 'categories'
  /** Seconds that UTC writes as exchange time; numbers; places of the categories. */
  readonly positions: readonly number[]
  /** Names of the categories. */
  readonly categories: readonly string[]
  readonly series: readonly ChartSeries[]
  /** What the chart does not show, or has added up. */
  readonly remarks: readonly string[]
}

const MOST_LINES = 4
const MOST_SERIES = 8
const MOST_CATEGORIES = 40

const EXCHANGE_SECONDS = 7 * 3600

export function isTime(type: string): boolean {
  return type === 'DATE' || type.startsWith('TIMESTAMP')
}

/** Columns that may be along the axis, split it, or be its values. */
export function rolesOf(columns: readonly Column[]) {
  const places = columns.map((_, index) => index)
  const typeOf = (index: number): string => columns[index]?.type ?? ''
  const texts = places.filter((index) => /^(VARCHAR|ENUM|BOOLEAN)/.test(typeOf(index)))
  const numbers = places.filter((index) => isNumberType(typeOf(index)))
  const times = places.filter((index) => isTime(typeOf(index)))
  return { axes: [...times, ...texts, ...numbers], texts, numbers }
}

/**
 * What a person would draw first: over time, else by category, else over the first number. Split by a text where one time has
 * several rows: by the one with the fewest values.
 *
 * @returns undefined where no two columns make a chart
 */
export function firstChoice(columns: readonly Column[], rows: readonly unknown[][]): ChartChoice | undefined {
  const { axes, texts, numbers } = rolesOf(columns)
  const [over] = axes
  if (over === undefined || numbers.every((index) => index === over)) return undefined
  if (texts.includes(over)) return { over, split: undefined, value: numbers[0] }
  const distinct = (index: number): number => new Set(rows.map((row) => row[index])).size
  const hasSeveralRows = distinct(over) < rows.length
  const splits = texts.filter((index) => hasSeveralRows && distinct(index) > 1)
  const [split] = splits.sort((a, b) => distinct(a) - distinct(b))
  return { over, split, value: split === undefined ? undefined : numbers.find((index) => index !== over) }
}

/** Where no two columns make a chart. */
export const NO_CHART =
  'A chart needs a column with numbers, and another one with days, instants, texts or numbers.'

/** Columns that somebody has named for a chart; what is not named is chosen as in `firstChoice`. */
export interface NamedColumns {
  readonly over?: string
  readonly split?: string
  readonly value?: string
}

/**
 * As `firstChoice`, with the columns that are named.
 *
 * @returns words where the result cannot be shown so
 */
export function namedChoice(
  columns: readonly Column[],
  rows: readonly unknown[][],
  named: NamedColumns,
): ChartChoice | string {
  const { axes, texts, numbers } = rolesOf(columns)
  const roles = [
    ['over', named.over, axes],
    ['split', named.split, texts],
    ['value', named.value, numbers],
  ] as const
  const places: { over?: number; split?: number; value?: number } = {}
  for (const [role, name, fitting] of roles) {
    if (name === undefined) continue
    const place = fitting.find((index) => columns[index]?.name === name)
    if (place === undefined) {
      const fit = fitting.map((index) => columns[index]?.name).join(', ') || 'none'
      return `${role}=${name}: the result has no such column for it; it has ${fit}`
    }
    places[role] = place
  }
  const first = firstChoice(columns, rows)
  const over = places.over ?? first?.over
  if (over === undefined) return NO_CHART
  const split =
    places.split ?? (places.over === undefined && places.value === undefined ? first?.split : undefined)
  const needsOne = split !== undefined || texts.includes(over)
  const value = places.value ?? (needsOne ? numbers.find((index) => index !== over) : undefined)
  if (value === undefined && (needsOne || numbers.every((index) => index === over))) return NO_CHART
  return { over, split, value }
}

export function chartModel(
  columns: readonly Column[],
  rows: readonly unknown[][],
  choice: ChartChoice,
): ChartModel {
  const type = columns[choice.over]?.type ?? ''
  if (isTime(type) || isNumberType(type)) return alongAxis(columns, rows, choice)
  return byCategory(columns, rows, choice)
}

function alongAxis(columns: readonly Column[], rows: readonly unknown[][], choice: ChartChoice): ChartModel {
  const { over, split, value } = choice
  const type = columns[over]?.type ?? ''
  const positionOf = (row: readonly unknown[]): number =>
    isTime(type) ? secondsOf(String(row[over]), type) : (numberOf(row[over]) ?? Number.NaN)
  const placed = rows.filter((row) => row[over] !== null && Number.isFinite(positionOf(row)))
  const positions = [...new Set(placed.map(positionOf))].sort((a, b) => a - b)
  const placeOf = new Map(positions.map((position, place) => [position, place]))
  const valuesOf = (from: readonly unknown[][], column: number): (number | null)[] => {
    const values: (number | null)[] = Array.from({ length: positions.length }, () => null)
    for (const row of from) values[placeOf.get(positionOf(row)) ?? 0] = numberOf(row[column])
    return values
  }
  const { numbers } = rolesOf(columns)
  const lines = value === undefined ? numbers.filter((index) => index !== over) : [value]
  const nameOf = (index: number): string => columns[index]?.name ?? ''
  const kind = isTime(type) ? 'sessions' : 'numbers'
  const base = { kind, positions, categories: [] } as const
  if (split === undefined || value === undefined) {
    const series = lines
      .slice(0, MOST_LINES)
      .map((index) => ({ name: nameOf(index), values: valuesOf(placed, index) }))
    return {
      ...base,
      series,
      remarks: [...left(lines.length, MOST_LINES, 'numbers'), ...repeated(placed, positions)],
    }
  }
  const groups = grouping(placed, split)
  const series = [...groups]
    .slice(0, MOST_SERIES)
    .map(([name, own]) => ({ name, values: valuesOf(own, value) }))
  const doubles = [...groups.values()]
    .slice(0, MOST_SERIES)
    .flatMap((own) => repeated(own, new Set(own.map(positionOf)).size))
  return {
    ...base,
    series,
    remarks: [...left(groups.size, MOST_SERIES, `values of ${nameOf(split)}`), ...doubles.slice(0, 1)],
  }
}

function byCategory(columns: readonly Column[], rows: readonly unknown[][], choice: ChartChoice): ChartModel {
  const { over, split } = choice
  const value = choice.value ?? rolesOf(columns).numbers[0] ?? 0
  const nameOf = (index: number): string => columns[index]?.name ?? ''
  const groups = grouping(rows, over)
  const categories = [...groups.keys()].slice(0, MOST_CATEGORIES)
  const parts = split === undefined ? [nameOf(value)] : [...grouping(rows, split).keys()]
  const series = parts.slice(0, MOST_SERIES).map((name) => ({
    name,
    values: categories.map((category) =>
      sumOf(
        (groups.get(category) ?? []).filter((row) => split === undefined || textOf(row[split]) === name),
        value,
      ),
    ),
  }))
  const hasSums = groups.size * parts.length < rows.length
  return {
    kind: 'categories',
    positions: categories.map((_, place) => place),
    categories,
    series,
    remarks: [
      ...left(groups.size, MOST_CATEGORIES, `values of ${nameOf(over)}`),
      ...left(parts.length, MOST_SERIES, 'series'),
      ...(hasSums ? [`Rows of the same ${nameOf(over)} are added up.`] : []),
    ],
  }
}

function grouping(rows: readonly unknown[][], column: number): Map<string, unknown[][]> {
  const groups = new Map<string, unknown[][]>()
  for (const row of rows) {
    const name = textOf(row[column])
    const group = groups.get(name)
    if (group) group.push(row)
    else groups.set(name, [row])
  }
  return groups
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? 'NULL' : String(value)
}

function numberOf(value: unknown): number | null {
  return value === null || value === undefined || !Number.isFinite(Number(value)) ? null : Number(value)
}

function sumOf(rows: readonly unknown[][], column: number): number | null {
  const values = rows.map((row) => numberOf(row[column])).filter((value) => value !== null)
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
}

function left(count: number, most: number, noun: string): string[] {
  return count > most ? [`The first ${most} of ${count.toLocaleString('en-US')} ${noun}.`] : []
}

function repeated(rows: readonly unknown[], positions: readonly number[] | number): string[] {
  const places = typeof positions === 'number' ? positions : positions.length
  return rows.length > places ? ['Where several rows stand at one place, the last of them is shown.'] : []
}

/** Seconds that the chart writes as exchange time: days and times without a zone as they are, instants seven hours on. */
function secondsOf(text: string, type: string): number {
  if (type === 'TIMESTAMP WITH TIME ZONE') return Date.parse(text) / 1000 + EXCHANGE_SECONDS
  return Date.parse(type === 'DATE' ? text : `${text.replace(' ', 'T')}Z`) / 1000
}

/** Labels of instants that are not evenly far apart: the day where it begins or where each tick has its own, else the time. */
export function sessionLabels(seconds: readonly number[]): string[] {
  const texts = seconds.map((at) => (Number.isFinite(at) ? new Date(at * 1000).toISOString() : ''))
  const days = texts.map((text) => text.slice(0, 10))
  const areApart = seconds.length > 1 && new Set(days).size === days.length
  return texts.map((text, index) => {
    if (text === '') return ''
    const day = dayLabel(text)
    const time = text.slice(11, 16)
    if (areApart) return day
    return days[index] === days[index - 1] ? time : `${day}\n${time}`
  })
}

function dayLabel(text: string): string {
  const at = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  return at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
}
