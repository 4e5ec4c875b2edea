import type { ResultColumn } from '../../read/index.js'
import { renderRow, type TableColumn, tableWidths } from './table.js'

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

/** RFC 4180 with a header line; NULL is an empty field, an empty string is a quoted field. */
export function csvWriter(): ResultWriter {
  return {
    begin: (columns) => `${columns.map((column) => csvField(column.name)).join(',')}\r\n`,
    rows: (rows) => rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join(''),
    end: () => '',
  }
}

function csvField(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const NUMBER_TYPES = /^(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|UBIGINT|UINTEGER|DOUBLE|FLOAT|DECIMAL)/

/** A text table; the first chunk decides the column widths. */
export function tableWriter(): ResultWriter {
  let columns: TableColumn[] = []
  let widths: number[] | undefined
  const head = (): string => {
    const titles = columns.map((column) => column.title)
    const rule = (widths ?? []).map((width) => '─'.repeat(width))
    return [titles, rule].map((row) => `${renderRow(columns, widths ?? [], row)}\n`).join('')
  }
  return {
    begin(types) {
      columns = types.map(({ name, type }) => ({ title: name, right: NUMBER_TYPES.test(type) }))
      return ''
    },
    rows(rows) {
      const cells = rows.map((row) => row.map(cell))
      const first = widths === undefined
      widths ??= tableWidths(columns, cells)
      return (first ? head() : '') + cells.map((row) => `${renderRow(columns, widths ?? [], row)}\n`).join('')
    },
    end() {
      if (widths) return ''
      widths = tableWidths(columns, [])
      return `${head()}(no rows)\n`
    },
  }
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
