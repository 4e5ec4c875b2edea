import { exactCell, shownCell } from '../../../read/shown-cell.js'
import type { Column } from '../api.js'

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

/** Cells for a spreadsheet: tabs between columns, a line per row. A tab or line end in a text is a blank there. */
export function tabSeparated(rows: readonly (readonly unknown[])[]): string {
  return rows
    .map((row) => row.map((value) => exactCell(value).replace(/[\t\r\n]+/g, ' ')).join('\t'))
    .join('\n')
}
