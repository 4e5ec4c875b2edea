import { groupedDigits, isNumberOfName, isNumberType, withoutZeros } from 'candlehouse-foundation/number-text'
import type { Column } from '../api.js'

/** A value as people read it: digits in groups, no zeros at the end, instants in exchange time with every digit. */
export function shownCell(value: unknown, { name, type }: Column): string {
  if (value === null || value === undefined) return 'NULL'
  if (type === 'TIMESTAMP WITH TIME ZONE') return instantText(String(value))
  if (isNumberType(type))
    return isNumberOfName(name) ? withoutZeros(String(value)) : groupedDigits(String(value))
  return exactCell(value)
}

const NARROWEST = 6
const WIDEST = 40

/** Characters that the columns take, from their titles and first rows: a number is never cut while it is of usual length. */
export function widthsOf(columns: readonly Column[], head: readonly unknown[][]): number[] {
  return columns.map((column, index) => {
    // The title has a mark behind it where rows are sorted by it.
    const lengths = head.slice(0, 200).map((row) => shownCell(row[index], column).length)
    return Math.min(WIDEST, Math.max(NARROWEST, column.name.length + 3, ...lengths) + 1)
  })
}

/** The value itself, as `candlehouse sql --json` has it; NULL is empty. */
export function exactCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Cells for a spreadsheet: tabs between columns, a line per row. A tab or line end in a text is a blank there. */
export function tabSeparated(rows: readonly (readonly unknown[])[]): string {
  return rows
    .map((row) => row.map((value) => exactCell(value).replace(/[\t\r\n]+/g, ' ')).join('\t'))
    .join('\n')
}

/** `2025-03-14 09:15:00.5+07`; infinity and what the browser's calendar does not reach stay as they are. */
function instantText(text: string): string {
  const [, seconds = '', fraction = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z$/.exec(text) ?? []
  if (seconds === '') return text
  const local = new Date(Date.parse(`${seconds}Z`) + 7 * 3_600_000).toISOString()
  return `${local.slice(0, 19).replace('T', ' ')}${fraction}+07`
}
