import type { Figures, Kind, Probe, Question } from './question.js'
import { type Naming, typeIn } from './types.js'

/** What an engine says otherwise than DuckDB. */
export interface Difference {
  column: string
  what: string
  expected: string
  actual: string
}

export function differences(
  { columns, probes }: Pick<Question, 'columns' | 'probes'>,
  expected: Figures,
  actual: Figures,
  naming: Naming,
): Difference[] {
  const found: Difference[] = []
  const compare = (column: string, what: string, want: unknown, got: unknown): void => {
    if (want !== got) found.push({ column, what, expected: String(want), actual: String(got) })
  }
  compare('*', 'columns', columns.map(({ name }) => name).join(), Object.keys(actual.columns).join())
  compare('*', 'rows', expected.rows, actual.rows)
  for (const { name, type, kind } of columns) {
    const [want, got] = [expected.columns[name], actual.columns[name]]
    if (!want || !got) continue
    compare(name, 'type', typeIn(naming, type), got.type)
    compare(name, 'values', want.values, got.values)
    const summed = kind === 'double' ? 'integer' : kind
    compare(name, 'sum', canonical(want.sum, summed), canonical(got.sum, summed))
    compare(name, 'min', canonical(want.min, kind), canonical(got.min, kind))
    compare(name, 'max', canonical(want.max, kind), canonical(got.max, kind))
  }
  expected.probes.forEach((want, index) => {
    const { column, value } = probes[index] as Probe
    compare(column.name, `rows that have ${value}`, want, actual.probes[index])
  })
  return found
}

/** One text a value: engines write 1.50 and 1.5, 1e3 and 1000.0, and some say that the sum of nothing is 0. */
function canonical(text: string | null, kind: Kind): string | null {
  if (text === null) return null
  if (kind === 'double') return String(Number(text))
  if (kind !== 'decimal') return text
  if (!/^-?\d+(\.\d+)?$/.test(text)) return `not a decimal: ${text}`
  const short = shortDecimal(text)
  return short === '-0' ? '0' : short
}

/** A decimal without the zeros that it ends with: 1.500000, 1.5. Every other text stays as it is. */
export function shortDecimal(text: string): string {
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text
}
