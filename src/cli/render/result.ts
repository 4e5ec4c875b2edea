import { exchangeTime } from 'candlehouse-foundation/market/day'
import {
  counted,
  groupedDigits,
  isNumberOfName,
  isNumberType,
  withoutZeros,
} from 'candlehouse-foundation/number-text'
import { visible } from 'candlehouse-foundation/visible'
import { isText, withoutFormulas } from '../../read/export/profile.js'
import type { ResultColumn } from '../../read/index.js'
import { seconds } from '../progress.js'
import { renderRecords, renderRow, type TableColumn, tableWidths, wrappedRow } from './table.js'
import { fitWidths } from './wrap.js'

/** Writes a result as text, chunk by chunk: memory does not grow with the result. */
export interface ResultWriter {
  begin(columns: readonly ResultColumn[]): string
  rows(rows: readonly (readonly unknown[])[]): string
  end(): string
}

/** A JSON array of row objects. Of columns with the same name the last value is kept, as in every JSON object. */
export function jsonWriter(): ResultWriter {
  let names: string[] = []
  let first = true
  return {
    begin(columns) {
      names = columns.map((column) => column.name)
      return '['
    },
    rows: (rows) =>
      rows
        .map((row) => {
          const lead = first ? '\n' : ',\n'
          first = false
          return lead + JSON.stringify(Object.fromEntries(names.map((name, index) => [name, row[index]])))
        })
        .join(''),
    end: () => (first ? ']\n' : '\n]\n'),
  }
}

/**
 * RFC 4180 with a header line; NULL is an empty field, an empty string is a quoted field. Text that a spreadsheet would run as a
 * formula has an apostrophe before it, as in an export.
 */
export function csvWriter(): ResultWriter {
  let areTexts: readonly boolean[] = []
  const field = (value: unknown, column: number): string =>
    csvField(areTexts[column] && typeof value === 'string' ? withoutFormulas(value) : value)
  return {
    begin: (columns) => {
      areTexts = columns.map(({ type }) => isText(type))
      return `${columns.map((column) => csvField(withoutFormulas(column.name))).join(',')}\r\n`
    },
    rows: (rows) => rows.map((row) => `${row.map(field).join(',')}\r\n`).join(''),
    end: () => '',
  }
}

function csvField(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** `grouped`: as people write numbers, `27,000`, where a terminal shows them; `exact`: for a pipe or a file. */
export type NumberForm = 'grouped' | 'exact'

/** How rows become lines: decided by the first chunk. */
interface Layout {
  head(): string
  lines(cells: readonly (readonly string[])[]): string
}

/** A text table, one line per row; the first chunk decides the column widths. */
export function tableWriter(numbers: NumberForm = 'exact'): ResultWriter {
  return textWriter(numbers, (columns, cells) => tableLayout(columns, tableWidths(columns, cells), false))
}

/** One value per line, behind its name. @param width of the terminal: longer values continue on the next line */
export function verticalWriter(width: number, numbers: NumberForm = 'grouped'): ResultWriter {
  return textWriter(numbers, (columns) => recordLayout(columns, width))
}

/** Columns that may wrap in a table; where more would have to, one value per line is easier to read. */
const MOST_WRAPPED = 2

/** A table where the terminal is wide enough, at most with its longest texts wrapped; else one value per line. */
export function autoWriter(width: number): ResultWriter {
  return textWriter('grouped', (columns, cells) => {
    const natural = tableWidths(columns, cells)
    const widths = fitWidths(columns, cells, natural, width)
    const wrapped = widths?.filter((wide, index) => wide < (natural[index] ?? 0)).length ?? 0
    if (!widths || wrapped > MOST_WRAPPED) return recordLayout(columns, width)
    return tableLayout(columns, widths, wrapped > 0)
  })
}

function textWriter(
  numbers: NumberForm,
  choose: (columns: readonly TableColumn[], first: readonly (readonly string[])[]) => Layout,
): ResultWriter {
  let columns: readonly TableColumn[] = []
  let shown: readonly ((value: unknown) => string)[] = []
  let layout: Layout | undefined
  return {
    begin(result) {
      columns = result.map(({ name, type }) => ({ title: name, right: isNumberType(type) }))
      shown = result.map((column) => cellOf(column, numbers))
      return ''
    },
    rows(rows) {
      const cells = rows.map((row) => row.map((value, index) => (shown[index] ?? cell)(value)))
      if (layout) return layout.lines(cells)
      layout = isPlan(columns) ? planLayout() : choose(columns, cells)
      return layout.head() + layout.lines(cells)
    },
    end() {
      if (layout) return ''
      return `${tableLayout(columns, tableWidths(columns, []), false).head()}(no rows)\n`
    },
  }
}

/** Columns that only EXPLAIN answers. */
function isPlan(columns: readonly TableColumn[]): boolean {
  return columns.map(({ title }) => title).join() === 'explain_key,explain_value'
}

/** Plans are drawings of lines: in a cell, which is one line or wraps its words, nothing of them can be read. */
function planLayout(): Layout {
  return {
    head: () => '',
    lines: (cells) => cells.map((row) => `${visible(row[1] ?? '').trimEnd()}\n`).join(''),
  }
}

function tableLayout(columns: readonly TableColumn[], widths: readonly number[], isWrapped: boolean): Layout {
  const lines = (row: readonly string[]): string[] =>
    isWrapped ? wrappedRow(columns, widths, row) : [renderRow(columns, widths, row)]
  const rule = widths.map((width) => '─'.repeat(width))
  return {
    head: () => text([...lines(columns.map(({ title }) => title)), renderRow(columns, widths, rule)]),
    lines: (cells) => text(cells.flatMap(lines)),
  }
}

function recordLayout(columns: readonly TableColumn[], width: number): Layout {
  let first = true
  return {
    head: () => '',
    lines(cells) {
      if (cells.length === 0) return ''
      const lead = first ? '' : '\n'
      first = false
      return `${lead}${renderRecords(columns, cells, width)}\n`
    },
  }
}

function text(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

/** Values of a column as people read them; --csv and --json have them exact, in UTC. */
function cellOf({ name, type }: ResultColumn, numbers: NumberForm): (value: unknown) => string {
  if (type === 'TIMESTAMP WITH TIME ZONE')
    return (value) => (typeof value === 'string' ? instantCell(value) : cell(value))
  if (numbers === 'exact' || !isNumberType(type)) return cell
  const write = isNumberOfName(name) ? withoutZeros : groupedDigits
  return (value) => write(cell(value))
}

/** In exchange time, with its offset, as DuckDB itself reads it: `2025-03-14 09:15:00+07`. */
function instantCell(instant: string): string {
  const at = Date.parse(instant)
  if (Number.isNaN(at)) return instant
  const [fraction = ''] = /\.\d+/.exec(instant) ?? []
  return `${exchangeTime(at)}${fraction}+07`
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** `12 rows in 0.034 s`. */
export function rowsInTime(rows: number, ms: number): string {
  const time = ms < 10_000 ? `${(ms / 1000).toFixed(3)} s` : seconds(ms)
  return `${counted(rows, 'row')} in ${time}`
}
