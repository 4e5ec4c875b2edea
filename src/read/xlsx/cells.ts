import { DAY_MS, EXCHANGE_OFFSET_MS } from 'candlehouse-foundation/market/day'
import { readsAsFormula } from '../export/profile.js'

/** Numbers of the cell formats in `styles.xml` (`parts.ts`), in its order. */
export const FORMAT = { plain: 0, header: 1, whole: 2, fraction: 3, date: 4, instant: 5, guarded: 6 } as const

/** Excel keeps 15 digits of a number. */
const DIGITS = 15

/** Excel's limit for the text of a cell. */
export const MOST_CHARACTERS = 32_767

/** Day 0 of Excel, seen from any day after February 1900: it counts a 29 February 1900 that did not exist. */
const DAY_0 = Date.UTC(1899, 11, 30)

/** The first day from which on Excel's days are those of the calendar. */
const FIRST_DAY = '1900-03-01'

/** Writes one value as the content of a `c` element, without its reference. */
export type CellWriter = (value: unknown) => Cell

export interface Cell {
  /** One of `FORMAT`. */
  readonly format: number
  readonly type: 'n' | 'b' | 'inlineStr'
  /** XML inside of the cell. */
  readonly content: string
}

/**
 * The writer for a DuckDB type. Its values are as `Reader.stream` gives them: DECIMAL, BIGINT, dates and instants as text.
 * Nothing is rounded: what Excel cannot hold as a number or a date becomes text.
 */
export function cellWriter(type: string): CellWriter {
  if (/^(DECIMAL\(\d+,\d+\)|U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT))$/.test(type)) {
    return (value) => exactCell(String(value))
  }
  if (type === 'DOUBLE' || type === 'FLOAT') {
    return (value) => (typeof value === 'number' ? number(FORMAT.plain, value) : textCell(String(value)))
  }
  if (type === 'BOOLEAN')
    return (value) => ({ format: FORMAT.plain, type: 'b', content: `<v>${value === true ? 1 : 0}</v>` })
  if (type === 'DATE') return (value) => dateCell(String(value))
  if (type === 'TIMESTAMP WITH TIME ZONE') return (value) => instantCell(String(value), EXCHANGE_OFFSET_MS)
  if (/^TIMESTAMP(_S|_MS|_NS)?$/.test(type)) return (value) => instantCell(String(value), 0)
  return (value) => textCell(typeof value === 'string' ? value : JSON.stringify(value))
}

export function headerCell(name: string): Cell {
  return { ...textCell(name), format: FORMAT.header }
}

/** A text is never a formula; one that looks like one stays text also when its cell is edited. */
export function textCell(text: string): Cell {
  const space = /^\s|\s$|[\n\t]/.test(text) ? ' xml:space="preserve"' : ''
  return {
    format: readsAsFormula(text) ? FORMAT.guarded : FORMAT.plain,
    type: 'inlineStr',
    content: `<is><t${space}>${escaped(text)}</t></is>`,
  }
}

function number(format: number, value: number | string): Cell {
  return { format, type: 'n', content: `<v>${value}</v>` }
}

/** A number of a decimal type: `-1.500000`. */
function exactCell(text: string): Cell {
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text
  const digits = short.replace(/^-/, '').replace('.', '').replace(/^0+/, '')
  if (digits.length > DIGITS) return textCell(text)
  return number(short.includes('.') ? FORMAT.fraction : FORMAT.whole, short)
}

function dateCell(text: string): Cell {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < FIRST_DAY) return textCell(text)
  return number(FORMAT.date, (Date.parse(text) - DAY_0) / DAY_MS)
}

/** Days with a fraction. A double has half a microsecond there. */
function instantCell(text: string, ahead: number): Cell {
  const [, day = '', time = '', fraction = '0'] =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.(\d+))?Z?$/.exec(text) ?? []
  if (day < FIRST_DAY) return textCell(text)
  const ms = Date.parse(`${day}T${time}Z`) + ahead + Number(`0.${fraction}`) * 1000
  return number(FORMAT.instant, (ms - DAY_0) / DAY_MS)
}

const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** As XML. Characters that XML does not have are written as Excel writes them: `_x0001_`. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML does not have
      /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll(/[&<>"]/g, (character) => XML[character] ?? character)
}
