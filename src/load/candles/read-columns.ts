import { startOfList } from 'candlehouse-foundation/json/list-start'
import { membersAt } from 'candlehouse-foundation/json/members'
import { skipSpace } from 'candlehouse-foundation/json/scan'
import type { PageRecord } from '../../land/journal.js'
import { DAY_SECONDS, PlainValues, REFUSED } from './plain-value.js'

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const CLOSE_BRACKET = 0x5d

/** Exchange time is ahead of UTC by this many seconds. */
const EXCHANGE_OFFSET = 7 * 3600

/** Columns of `sql/load/candles/columns.sql`, in its order, after the number of the page and the position in it. */
const COLUMNS = ['opened_at', 'trading_date', 'open', 'high', 'low', 'close', 'volume', 'value'] as const

/** Bars of a page as DuckDB has them in memory (`openColumnAppender`). */
export interface BarColumns {
  readonly columns: readonly Int32Array[]
  readonly rows: number
  /** Times of its earliest and its latest bar, seconds, if no two bars have the same time; undefined if that is not known. */
  readonly span: { readonly first: number; readonly last: number } | undefined
}

/** What all bars of a page have in common: a page with another bar is not read here. */
interface ExpectedBars {
  readonly symbol: string
  readonly timeframe: string
  /** First and last requested day. */
  readonly from: string
  readonly to: string
  /** Bars of the page. */
  readonly rows: number
}

/** What the bars of a landed page have in common, by its journal line. */
export function expectedBars({ window, rows }: Pick<PageRecord, 'window' | 'rows'>): ExpectedBars {
  const { key: symbol, timeframe, from, to } = window
  return { symbol, timeframe, from, to, rows }
}

/** Decimals of the fields that are numbers. */
const SCALES: Readonly<Record<string, number>> = { open: 6, high: 6, low: 6, close: 6, volume: 0, value: 2 }

/** One field of the records: how many bytes lie between the value before it and its own, and what it is. */
interface Field {
  readonly gap: number
  readonly kind: 'symbol' | 'time' | 'number' | 'other'
  /** Place of its column; of a number. */
  readonly column: number
  readonly scale: number
}

/** How every record of a plain page is written. */
interface Form {
  readonly fields: readonly Field[]
  /** Bytes from the end of the last value to the end of the record. */
  readonly tail: number
}

/**
 * Bars of a plain page as columns, if each is ordinary: the requested symbol, a day within the window, a time, six
 * numbers. Undefined for every other page: SQL reads it as text, and finds what is wrong.
 *
 * @param text a page of which it is proven that its records are alike, of text or null, and without escapes
 * @throws JsonFault if the page is not so
 */
export function readColumns(text: Buffer, expected: ExpectedBars): BarColumns | undefined {
  const start = startOfList(text)
  if (start === undefined) return undefined
  const first = skipSpace(text, start + 1)
  if (text[first] !== OPEN_BRACE) return undefined
  const form = formOf(text, first)
  if (!form) return undefined
  const { rows } = expected
  const columns = COLUMNS.map((name) => new Int32Array(name === 'trading_date' ? rows : rows * 2))
  const order = new BarOrder()
  const readBar = barReader(text, form, columns, expected, order)
  let at = first
  for (let row = 0; row < rows; row++) {
    at = readBar(at, row)
    if (at === REFUSED) return undefined
    at = skipSpace(text, at)
    if (row + 1 < rows) {
      if (text[at] !== COMMA) return undefined
      at = skipSpace(text, at + 1)
    }
  }
  return text[at] === CLOSE_BRACKET ? { columns, rows, span: order.span } : undefined
}

/** Whether each bar is later than the one before it, or each is earlier: then no two have one time. */
class BarOrder {
  private first: number | undefined
  private last = 0
  private isRising = true
  private isFalling = true

  add(second: number): void {
    if (this.first === undefined) this.first = second
    else {
      if (second <= this.last) this.isRising = false
      if (second >= this.last) this.isFalling = false
    }
    this.last = second
  }

  get span(): BarColumns['span'] {
    if (this.first === undefined) return undefined
    if (this.isRising) return { first: this.first, last: this.last }
    return this.isFalling ? { first: this.last, last: this.first } : undefined
  }
}

/** Reads the record at a place into a row; returns the place after it. */
function barReader(
  text: Buffer,
  { fields, tail }: Form,
  columns: readonly Int32Array[],
  { symbol, timeframe, from, to }: ExpectedBars,
  order: BarOrder,
): (start: number, row: number) => number {
  const values = new PlainValues(text)
  const symbolText = Buffer.from(`${symbol}"`)
  const [firstSecond, endSecond] = [Date.parse(from) / 1000, Date.parse(to) / 1000 + DAY_SECONDS]
  const isDaily = timeframe === '1d'
  const openedAt = columns[COLUMNS.indexOf('opened_at')] as Int32Array
  const days = columns[COLUMNS.indexOf('trading_date')] as Int32Array
  const readTime = (at: number, row: number): boolean => {
    const second = values.localTime(at)
    // A bar within a session has a time of day.
    if (second < firstSecond || second >= endSecond || (!isDaily && values.end - at === 11)) return false
    const day = Math.floor(second / DAY_SECONDS)
    const opened = isDaily ? day * DAY_SECONDS : second
    days[row] = day
    setInteger(openedAt, row, (opened - EXCHANGE_OFFSET) * 1e6)
    order.add(opened)
    return true
  }
  return (start, row) => {
    let at = start
    for (const { gap, kind, column, scale } of fields) {
      at += gap
      if (kind === 'other') {
        at = text[at] === QUOTE ? text.indexOf(QUOTE, at + 1) + 1 : at + 'null'.length
        continue
      }
      if (text[at] !== QUOTE) return REFUSED
      if (kind === 'number') {
        const value = values.scaled(at + 1, scale)
        if (value === REFUSED) return REFUSED
        setInteger(columns[column] as Int32Array, row, value)
        at = values.end
      } else if (kind === 'time') {
        if (!readTime(at + 1, row)) return REFUSED
        at = values.end
      } else {
        for (let index = 0; index < symbolText.length; index++)
          if (text[at + 1 + index] !== symbolText[index]) return REFUSED
        at += 1 + symbolText.length
      }
    }
    at += tail
    return text[at - 1] === CLOSE_BRACE ? at : REFUSED
  }
}

/** How the record at `at` is written, where it has every field of a bar. @throws JsonFault */
function formOf(text: Buffer, at: number): Form | undefined {
  const fields: Field[] = []
  const names = new Set<string>()
  let before = at
  let end = at
  const members = membersAt(text, at)
  for (let member = members.next(); ; member = members.next()) {
    if (member.done) {
      end = member.value
      break
    }
    const { start, name, end: next } = member.value
    names.add(name.toLowerCase())
    fields.push({ gap: start - before, ...fieldOf(name.toLowerCase()) })
    before = next
  }
  const needed = ['symbol', 'tradingdate', ...Object.keys(SCALES)]
  return needed.every((name) => names.has(name)) ? { fields, tail: end - before } : undefined
}

function fieldOf(name: string): Omit<Field, 'gap'> {
  const scale = SCALES[name]
  const column = (COLUMNS as readonly string[]).indexOf(name)
  if (scale !== undefined) return { kind: 'number', column, scale }
  return { kind: name === 'symbol' ? 'symbol' : name === 'tradingdate' ? 'time' : 'other', column, scale: 0 }
}

/** A whole number from 0 to 2^53 as two's complement of 64 bits. */
function setInteger(column: Int32Array, row: number, value: number): void {
  column[row * 2] = value
  column[row * 2 + 1] = value / 4_294_967_296
}
