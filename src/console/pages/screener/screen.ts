import type { Row } from '../api.js'
import { NUMBER_COLUMNS, numberOf, WORD_COLUMNS } from './number-columns.js'

/** Bounds of a number in the unit of its column; a row whose number is not known is within none. */
export interface Bounds {
  least?: number
  most?: number
}

/** What a screen shows: all of it is in its address. */
export interface Screen {
  /** Chosen words by the name of their column. */
  words: Readonly<Record<string, string>>
  /** Bounds by the name of their column. */
  bounds: Readonly<Record<string, Bounds>>
  /** Column that the rows are sorted by. */
  sort: string
  isDescending: boolean
  /** Of pages of `PAGE_ROWS` rows; the first is 1. */
  page: number
  /** The session, or the latest one before it; empty: the latest one. */
  session: string
}

export const PAGE_ROWS = 100

const isNumberColumn = (name: string): boolean => NUMBER_COLUMNS.some((column) => column.name === name)
const isWordColumn = (name: string): boolean => (WORD_COLUMNS as readonly string[]).includes(name)

/** Largest first of what is traded most: the first rows of a market are those that one knows. */
const FIRST_SORT = '-median_value_20'

/** The screen of an address, `FILTERS/SORT/PAGE/SESSION`: `kind:stock,return_20:10../-market_cap/2/2026-11-20`. */
export function screenOf(address: readonly string[]): Screen {
  const [filters = '', sort = '', page = '', session = ''] = address
  const words: Record<string, string> = {}
  const bounds: Record<string, Bounds> = {}
  for (const filter of filters.split(',')) {
    const [, name = '', text = ''] = /^(\w+):(.*)$/.exec(filter) ?? []
    if (isWordColumn(name) && text !== '') words[name] = decoded(text)
    else if (isNumberColumn(name)) bounds[name] = boundsOf(text)
  }
  const wanted = sort.replace(/^-/, '')
  const isKnown = wanted === 'symbol' || isNumberColumn(wanted)
  const order = isKnown ? sort : FIRST_SORT
  return {
    words,
    bounds,
    sort: order.replace(/^-/, ''),
    isDescending: order.startsWith('-'),
    page: Math.max(1, Math.trunc(Number(page)) || 1),
    session: /^\d{4}-\d\d-\d\d$/.test(session) ? session : '',
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `10..`, `..20`, `10..20` */
function boundsOf(text: string): Bounds {
  const [least = '', most = ''] = text.split('..')
  const known = (bound: string): number | undefined =>
    bound.trim() !== '' && Number.isFinite(Number(bound)) ? Number(bound) : undefined
  const [low, high] = [known(least), known(most)]
  return { ...(low === undefined ? {} : { least: low }), ...(high === undefined ? {} : { most: high }) }
}

/** The address of a screen. */
export function screenAddress({ words, bounds, sort, isDescending, page, session }: Screen): string {
  // Encoded once more: a comma within a word must not end the filter.
  const chosen = Object.entries(words).map(([name, word]) => `${name}:${encodeURIComponent(word)}`)
  const bounded = Object.entries(bounds).map(
    ([name, { least, most }]) => `${name}:${least ?? ''}..${most ?? ''}`,
  )
  const order = `${isDescending ? '-' : ''}${sort}`
  const parts = [[...chosen, ...bounded].join(','), order === FIRST_SORT ? '' : order]
  parts.push(page > 1 ? String(page) : '', session)
  const shown = parts.slice(0, parts.findLastIndex((part) => part !== '') + 1)
  return ['#/screener', ...shown.map((part) => encodeURI(part).replaceAll('/', '%2F'))].join('/')
}

/** Rows within all filters, sorted; what is not known comes last. */
export function screened(rows: readonly Row[], { words, bounds, sort, isDescending }: Screen): Row[] {
  const filters = NUMBER_COLUMNS.flatMap((column) => {
    const bound = bounds[column.name]
    return bound && (bound.least !== undefined || bound.most !== undefined) ? [{ column, bound }] : []
  })
  const isWithin = (row: Row): boolean =>
    Object.entries(words).every(([name, word]) => String(row[name] ?? '') === word) &&
    filters.every(({ column, bound: { least = -Infinity, most = Infinity } }) => {
      const value = numberOf(row, column)
      return value !== undefined && least <= value && value <= most
    })
  const column = NUMBER_COLUMNS.find(({ name }) => name === sort)
  const sign = isDescending ? -1 : 1
  return rows.filter(isWithin).sort((a, b) => {
    const bySymbol = String(a.symbol) < String(b.symbol) ? -1 : 1
    if (!column) return sign * bySymbol
    const [left, right] = [numberOf(a, column), numberOf(b, column)]
    if (left === undefined || right === undefined)
      return left === right ? bySymbol : left === undefined ? 1 : -1
    return sign * (left - right) || bySymbol
  })
}

/** The words that rows have in a column, each once, sorted. */
export function choicesOf(rows: readonly Row[], name: string): string[] {
  return [...new Set(rows.map((row) => String(row[name] ?? '')))].filter((word) => word !== '').sort()
}
