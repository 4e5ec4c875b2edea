import { textWidth } from './text-width.js'
import { fitWidths, type TableColumn, wrapCell } from './wrap.js'

export { columnsOf, type TableColumn } from './wrap.js'

/**
 * Rows below their titles, with two spaces between columns and no spaces at line ends.
 *
 * @param width columns of the terminal: longer cells continue on the next line; where even that is too narrow, each row is
 *   a list of its values. Without it every row is one line
 */
export function renderTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  width?: number,
): string {
  const natural = tableWidths(columns, rows)
  const widths = width === undefined ? natural : fitWidths(columns, rows, natural, width)
  if (!widths) return renderRecords(columns, rows, width)
  const titles = columns.map((column) => column.title)
  const rule = widths.map((wide) => '─'.repeat(wide))
  const isWrapped = widths !== natural
  const lines = (row: readonly string[]): string[] =>
    isWrapped ? wrappedRow(columns, widths, row) : [renderRow(columns, widths, row)]
  return [...lines(titles), renderRow(columns, widths, rule), ...rows.flatMap(lines)].join('\n')
}

/** The lines of a row whose cells are wrapped to their columns. */
export function wrappedRow(
  columns: readonly TableColumn[],
  widths: readonly number[],
  row: readonly string[],
): string[] {
  const cells = columns.map((_, index) => wrapCell(shownCell(row[index]), widths[index] ?? 0))
  const height = Math.max(...cells.map((lines) => lines.length))
  return Array.from({ length: height }, (_, line) =>
    renderRow(
      columns,
      widths,
      cells.map((lines) => lines[line] ?? ''),
    ),
  )
}

/**
 * Each row as a list of its values, behind their titles; rows are apart by an empty line.
 *
 * @param width of the terminal: longer values continue on the next line, below their beginning
 */
export function renderRecords(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): string {
  const widest = Math.max(0, ...columns.map(({ title }) => textWidth(title)))
  const room = Math.max(LEAST_VALUE, width - widest - 2)
  const value = ({ title }: TableColumn, cell: string | undefined): string[] =>
    wrapCell(shownCell(cell), room).map((line, index) => {
      const name = index === 0 ? title : ''
      return `${name}${' '.repeat(widest - textWidth(name))}  ${line}`.trimEnd()
    })
  return rows
    .map((row) => columns.flatMap((column, index) => value(column, row[index])).join('\n'))
    .join('\n\n')
}

/** Narrower than this, a list is not easier to read than lines that the terminal breaks. */
const LEAST_VALUE = 16

export function tableWidths(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): number[] {
  return columns.map((column, index) =>
    rows.reduce((widest, row) => Math.max(widest, textWidth(shownCell(row[index]))), textWidth(column.title)),
  )
}

export function renderRow(
  columns: readonly TableColumn[],
  widths: readonly number[],
  row: readonly string[],
): string {
  return columns
    .map((column, index) => {
      const width = widths[index] ?? 0
      const cell = shownCell(row[index])
      const pad = ' '.repeat(Math.max(0, width - textWidth(cell)))
      return column.right ? pad + cell : cell + pad
    })
    .join('  ')
    .trimEnd()
}

/** A cell is one line: control characters, also those that turn text around, are blanks. */
function shownCell(text = ''): string {
  return text.replace(/[\p{Cc}\p{Cf}\s\u2028\u2029]+/gu, ' ')
}

/** 63717 as `63,717`. */
export function count(value: number): string {
  return value.toLocaleString('en-US')
}
