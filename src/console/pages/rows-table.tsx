import type { Row } from './api.js'
import { DataTable } from './data-table.js'
import { exchangeTime, grouped, rounded } from './words.js'

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

/** A value as a person reads it: grouped digits, instants in exchange time. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return rounded(value)
  return INSTANT.test(String(value)) ? exchangeTime(String(value)) : grouped(value)
}

interface Props {
  caption: string
  rows: readonly Row[]
  /** Names of the columns to show; those after `|` are numbers. */
  columns: string
  empty: string
  /** Per column, what its codes mean; shown behind them. */
  meanings?: Readonly<Record<string, Readonly<Record<string, string>>>>
  isBlocks?: boolean
}

function withMeaning(code: string, meaning: string | undefined): string {
  return meaning === undefined ? code : `${code} ${meaning}`
}

/** Rows of a statement, with the names of their columns as titles. */
export function RowsTable({ caption, rows, columns, empty, meanings = {}, isBlocks = false }: Props) {
  const [texts = '', numbers = ''] = columns.split('|')
  const column = (name: string, isNumber: boolean) => ({
    title: name.replaceAll('_', ' '),
    isNumber,
    cell: (row: Row) =>
      isNumber || INSTANT.test(String(row[name]))
        ? shownValue(row[name])
        : withMeaning(String(row[name] ?? ''), meanings[name]?.[String(row[name])]),
  })
  const words = (list: string): string[] => list.split(' ').filter(Boolean)
  return (
    <DataTable
      caption={caption}
      rows={rows}
      empty={empty}
      isBlocks={isBlocks}
      columns={[
        ...words(texts).map((name) => column(name, false)),
        ...words(numbers).map((name) => column(name, true)),
      ]}
    />
  )
}
