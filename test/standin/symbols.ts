// The listed names of the small market: what they are and where their arithmetic starts.

import type { Board } from './rows.js'

export interface SymbolSeed {
  symbol: string
  board: Board
  kind: 'stock' | 'etf' | 'warrant' | 'future'
  /** Reference price of the first session; a multiple of `tick`. */
  base: number
  tick: number
  /** false: listed, but nothing is ever matched. */
  trades?: boolean
  /** false: absent from the securities lists (delisted); rows only in the first half of the sessions. */
  listed?: boolean
  /** First and last session with rows, 'YYYY-MM-DD'. */
  from?: string
  until?: string
  vn30?: boolean
}

const stock = (symbol: string, board: Board, base: number, tick: number, more: Partial<SymbolSeed> = {}) => ({
  symbol,
  board,
  kind: 'stock' as const,
  base,
  tick,
  ...more,
})

export const NEVER_TRADED = 'DNT'
export const DELISTED = 'FLC'

export const defaultSymbols = (): SymbolSeed[] => [
  stock('VCB', 'HOSE', 61_000, 100, { vn30: true }),
  stock('FPT', 'HOSE', 120_000, 100, { vn30: true }),
  stock('HPG', 'HOSE', 25_000, 50, { vn30: true }),
  stock('VRE', 'HOSE', 18_000, 50, { vn30: true }),
  { symbol: 'E1VFVN30', board: 'HOSE', kind: 'etf', base: 23_000, tick: 10 },
  { symbol: 'CVRE2505', board: 'HOSE', kind: 'warrant', base: 900, tick: 10 },
  stock('PVS', 'HNX', 33_000, 100),
  stock('SHS', 'HNX', 14_000, 100),
  { symbol: '41I1F4000', board: 'HNX', kind: 'future', base: 1350, tick: 0.1 },
  stock('ACV', 'UPCOM', 95_000, 100),
  stock('VGT', 'UPCOM', 14_000, 100),
  stock(NEVER_TRADED, 'UPCOM', 11_000, 100, { trades: false }),
  stock(DELISTED, 'UPCOM', 10_000, 100, { listed: false }),
]

/** Names that a path, an SQL text or a case-blind file system would trip over. */
export const ODD_SYMBOLS = [
  'A/B',
  '..%2fX',
  "O'Neil",
  '__HIVE_DEFAULT_PARTITION__',
  'abc',
  'ABC',
  'X'.repeat(300),
  '\u03a9\u202e\u00e9',
  ' lead',
  'trail ',
  'a,b',
  '%25',
  '=1+1',
  '-',
  'null',
  '"q"',
  'a\\b',
  'new\nline',
  'A\u0000B',
]

export const oddSymbol = (symbol: string, nth: number): SymbolSeed =>
  stock(symbol, 'UPCOM', 20_000 + 1000 * nth, 100)
