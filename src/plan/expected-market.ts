import type { Coverage } from './coverage.js'
import type { Goal } from './goal.js'

/** The market that a run will probably find before the first list is fetched: only for estimates, never requested. */
export interface ExpectedMarket {
  /** A description for the person who reads the plan. */
  readonly about: string
  readonly symbols: readonly string[]
  readonly indexes: readonly string[]
  readonly accounts: { readonly count: number; readonly positions: number; readonly conditionals: number }
}

/**
 * The market in early 2025 (docs/market-facts.md#number-of-symbols, docs/market-facts.md#index-names), and a customer with an
 * account of each type.
 */
export function typicalMarket(): ExpectedMarket {
  const listed = 392 + 155 + 17 + 4 + 311 + 887 + 4
  return {
    about: `a market of ${listed.toLocaleString('en-US')} securities and 11 indexes, and 3 accounts`,
    symbols: placeholders('symbol', listed),
    indexes: placeholders('index', 11),
    accounts: { count: 3, positions: 10, conditionals: 0 },
  }
}

function placeholders(noun: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${noun} ${index + 1}`)
}

/** The coverage as it will be after the lists are loaded; unchanged if they are. */
export function withExpected(coverage: Coverage, { symbols }: Goal, market: ExpectedMarket): Coverage {
  return {
    ...coverage,
    listed: coverage.listed.length > 0 ? coverage.listed : (symbols ?? market.symbols),
    indexes: coverage.indexes.length > 0 ? coverage.indexes : market.indexes,
  }
}
