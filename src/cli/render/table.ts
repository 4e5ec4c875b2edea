/** A column of a printed table. */
export interface TableColumn {
  title: string
  /** Aligned right, for numbers. */
  right?: boolean
}

/** Rows below their titles, with two spaces between columns and no spaces at line ends. */
export function renderTable(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string {
  const widths = tableWidths(columns, rows)
  const titles = columns.map((column) => column.title)
  const rule = widths.map((width) => '─'.repeat(width))
  return [titles, rule, ...rows].map((row) => renderRow(columns, widths, row)).join('\n')
}

export function tableWidths(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): number[] {
  return columns.map((column, index) =>
    Math.max(column.title.length, ...rows.map((row) => [...(row[index] ?? '')].length)),
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
      const cell = (row[index] ?? '').replace(/[\p{Cc}\p{Cf}\s\u2028\u2029]+/gu, ' ')
      const pad = ' '.repeat(Math.max(0, width - [...cell].length))
      return column.right ? pad + cell : cell + pad
    })
    .join('  ')
    .trimEnd()
}

/** 63717 as `63,717`. */
export function count(value: number): string {
  return value.toLocaleString('en-US')
}
