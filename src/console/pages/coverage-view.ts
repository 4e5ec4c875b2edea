import type { Row } from './api.js'

/** What the page of coverage shows: all of it is in its address. */
export interface CoverageView {
  /** Whose sessions are in the table. */
  symbol: string
  /** Part of a symbol; empty: all. */
  find: string
  /** Kind of instrument; empty: all. */
  kind: string
  /** Only symbols with an incomplete session. */
  withGaps: boolean
  /** Also contracts and warrants that have expired, and symbols that no list has any more. */
  withGone: boolean
}

/** The view of an address, `SYMBOL/FILTERS`: `FPT/kind:stock,gaps`. */
export function coverageViewOf([symbol = '', filters = '']: readonly string[]): CoverageView {
  const given = filters.split(',')
  const filterValue = (name: string): string =>
    given.find((each) => each.startsWith(`${name}:`))?.slice(name.length + 1) ?? ''
  return {
    symbol,
    find: filterValue('find'),
    kind: filterValue('kind'),
    withGaps: given.includes('gaps'),
    withGone: given.includes('gone'),
  }
}

/** The address of a view. No symbol has a comma. */
export function coverageAddress({ symbol, find, kind, withGaps, withGone }: CoverageView): string {
  const filters = [
    ...(find === '' ? [] : [`find:${find.replaceAll(',', '')}`]),
    ...(kind === '' ? [] : [`kind:${kind}`]),
    ...(withGaps ? ['gaps'] : []),
    ...(withGone ? ['gone'] : []),
  ].join(',')
  const parts = filters === '' ? [symbol] : [symbol, filters]
  if (symbol === '' && filters === '') return '#/coverage'
  return ['#/coverage', ...parts.map(encodeURIComponent)].join('/')
}

/** Symbols within the filters. The symbol of the address is there whatever its state: a link led to it. */
export function coveredSymbols(
  symbols: readonly Row[],
  view: CoverageView,
): { shown: Row[]; goneCount: number } {
  const wanted = view.find.trim().toUpperCase()
  const isWithin = ({ symbol, kind, letters }: Row): boolean =>
    String(symbol).toUpperCase().includes(wanted) &&
    (view.kind === '' || kind === view.kind) &&
    (!view.withGaps || String(letters).includes('i'))
  const within = symbols.filter(isWithin)
  // Where no list was ever read, none of them is known to have left.
  const hasLists = symbols.some(({ is_listed: isListed }) => isListed === true)
  const isGone = (row: Row): boolean => hasLists && row.is_listed === false
  return {
    shown: symbols.filter(
      (row) => (isWithin(row) && (view.withGone || !isGone(row))) || row.symbol === view.symbol,
    ),
    goneCount: within.filter(isGone).length,
  }
}
