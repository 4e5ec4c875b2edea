import type { Row } from '../api.js'
import { amount, grouped, rounded } from '../words.js'

/** Two decimals, so that those of a column stand below each other. */
function twoDecimals(number: number): string {
  const words = Math.abs(number).toFixed(2)
  return number < 0 && Number(words) > 0 ? `−${words}` : words
}

/** How a number of a screen is written, and the unit that bounds of a filter are in. */
const UNITS = {
  percent: { words: '%', scale: 100, write: (part: number) => twoDecimals(100 * part) },
  ratio: { words: '', scale: 1, write: twoDecimals },
  billion: { words: 'bn VND', scale: 1e-9, write: amount },
  price: { words: 'VND', scale: 1, write: grouped },
  count: { words: '', scale: 1, write: (value: number) => rounded(value).replace('-', '−') },
} as const

export type Unit = keyof typeof UNITS

/** A column of numbers: of the view `screener`, which has its meaning from mart.daily_factor. */
export interface NumberColumn {
  readonly name: string
  readonly title: string
  readonly unit: Unit
}

export const NUMBER_COLUMNS: readonly NumberColumn[] = [
  { name: 'close', title: 'close', unit: 'price' },
  { name: 'return_1', title: '1 day', unit: 'percent' },
  { name: 'return_5', title: '5 days', unit: 'percent' },
  { name: 'return_20', title: '20 days', unit: 'percent' },
  { name: 'return_60', title: '60 days', unit: 'percent' },
  { name: 'return_120', title: '120 days', unit: 'percent' },
  { name: 'return_250', title: '250 days', unit: 'percent' },
  { name: 'median_value_20', title: 'median value', unit: 'billion' },
  { name: 'market_cap', title: 'market cap', unit: 'billion' },
  { name: 'close_volatility_20', title: 'volatility', unit: 'percent' },
  { name: 'beta_vnindex_120', title: 'beta', unit: 'ratio' },
  { name: 'from_high_52w', title: 'from high', unit: 'percent' },
  { name: 'from_low_52w', title: 'from low', unit: 'percent' },
  { name: 'foreign_net_value_5', title: 'foreign 5 d', unit: 'billion' },
  { name: 'foreign_net_value_20', title: 'foreign 20 d', unit: 'billion' },
  { name: 'foreign_streak', title: 'foreign streak', unit: 'count' },
  { name: 'limit_streak', title: 'limit streak', unit: 'count' },
  { name: 'turnover_20', title: 'turnover', unit: 'percent' },
  { name: 'tier', title: 'tier', unit: 'count' },
  { name: 'zero_trade_days_20', title: 'idle days', unit: 'count' },
]

/** Columns of words: those that one chooses from, and the symbol. */
export const WORD_COLUMNS = ['kind', 'board', 'industry'] as const

/** `%`, `bn VND`; empty for a count. */
export function unitWords({ unit }: NumberColumn): string {
  return UNITS[unit].words
}

/** The number of a column in the unit of its filters; undefined where it is not known. */
export function numberOf(row: Row, { name, unit }: NumberColumn): number | undefined {
  const value = row[name]
  if (value === null || value === undefined || !Number.isFinite(Number(value))) return undefined
  return Number(value) * UNITS[unit].scale
}

/** Titles of the columns that have no number in any row: a home of sixty sessions knows no return of 120. */
export function unknownTitles(rows: readonly Row[]): string[] {
  if (rows.length === 0) return []
  return NUMBER_COLUMNS.filter((column) => rows.every((row) => numberOf(row, column) === undefined)).map(
    ({ title }) => title,
  )
}

/** A number as the table shows it; empty where it is not known. */
export function numberWords(row: Row, { name, unit }: NumberColumn): string {
  const value = row[name]
  return value === null || value === undefined ? '' : UNITS[unit].write(Number(value))
}
