/** Sections of docs/market-facts.md that describe how live deployments differ from the specification. */
export type Section =
  | 'answers-without-data'
  | 'board-or-exchange'
  | 'candle-dates'
  | 'candle-paging'
  | 'client-request-ids'
  | 'conditional-orders'
  | 'empty-results'
  | 'field-suffixes'
  | 'letter-case'
  | 'numbers-and-nulls'
  | 'order-book-paging'
  | 'page-size'

/** A known live difference that a check met. */
export interface Difference {
  readonly section: Section
  readonly what: string
}

/** Where a section is described. */
export function placeOf(section: Section): string {
  return `docs/market-facts.md#${section}`
}
