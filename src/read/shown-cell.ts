import { groupedDigits, isNumberOfName, isNumberType, withoutZeros } from 'candlehouse-foundation/number-text'

/** A value as people read it: digits in groups, no zeros at the end, instants in exchange time with every digit. */
export function shownCell(
  value: unknown,
  { name, type }: { readonly name: string; readonly type: string },
): string {
  if (value === null || value === undefined) return 'NULL'
  if (type === 'TIMESTAMP WITH TIME ZONE') return instantText(String(value))
  if (isNumberType(type))
    return isNumberOfName(name) ? withoutZeros(String(value)) : groupedDigits(String(value))
  return exactCell(value)
}

/** As `shownCell`, with the digits of floating point numbers that people read: all of a value are behind a statement. */
export function roundedCell(
  value: unknown,
  column: { readonly name: string; readonly type: string },
): string {
  if (typeof value !== 'number' || Number.isInteger(value) || !/^(DOUBLE|FLOAT)$/.test(column.type))
    return shownCell(value, column)
  return shownCell(value.toFixed(Math.abs(value) < 1000 ? 6 : 2), column)
}

/** The value itself, as `candlehouse sql --json` has it; NULL is empty. */
export function exactCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** `2025-03-14 09:15:00.5+07`; infinity and what the browser's calendar does not reach stay as they are. */
function instantText(text: string): string {
  const [, seconds = '', fraction = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z$/.exec(text) ?? []
  if (seconds === '') return text
  const local = new Date(Date.parse(`${seconds}Z`) + 7 * 3_600_000).toISOString()
  return `${local.slice(0, 19).replace('T', ' ')}${fraction}+07`
}
