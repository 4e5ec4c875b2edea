import { readReference } from 'candlehouse-foundation/market/reference'
import { marketRules } from 'candlehouse-foundation/market/rulebook'
import { expect, test } from 'vitest'
import { textFiles } from '../docs/files.js'

/**
 * Places that look as if they stated a rule of the market, and why they do not: `file` and a part of the line. Whatever states one
 * belongs to data/reference, with its dates and its source.
 */
const EXCEPTIONS: readonly { readonly file: string; readonly text: string; readonly why: string }[] = [
  {
    file: 'packages/sandbox/src/broker/ledger/opening-balances.ts',
    text: 'cash: 400_000_000',
    why: 'the money of a demo account',
  },
  {
    file: 'packages/sandbox/src/broker/participants/history.ts',
    text: '1 + (draw(salt) % 2)',
    why: 'how much a demo client buys',
  },
  {
    file: 'packages/sandbox/src/broker/participants/history.ts',
    text: "side: 'S'",
    why: 'how much a demo client sells',
  },
  {
    file: 'packages/sandbox/src/market/world/derivatives.ts',
    text: 'multiplier: 1,',
    why: 'a warrant is priced in VND',
  },
  {
    file: 'packages/sandbox/src/market/world/stocks.ts',
    text: 'multiplier: 1,',
    why: 'a share is priced in VND',
  },
  {
    file: 'packages/sandbox/src/market/world/halts.ts',
    text: 'boardAt(instrument, from)',
    why: 'how long demo stocks are halted',
  },
  {
    file: 'packages/sandbox/src/market/world/indexes.ts',
    text: 'base: 230',
    why: 'where a demo index begins',
  },
  {
    file: 'packages/sandbox/src/market/world/indexes.ts',
    text: 'base: 480',
    why: 'where a demo index begins',
  },
  {
    file: 'packages/sandbox/src/market/world/indexes.ts',
    text: 'base: 95',
    why: 'where a demo index begins',
  },
  {
    file: 'packages/sandbox/src/market/world/stocks.ts',
    text: 'tradeChance: lively',
    why: 'how often demo stocks trade',
  },
  {
    file: 'packages/sandbox/src/market/world/stocks.ts',
    text: 'tradeChance: 0.8',
    why: 'how often a demo stock trades',
  },
  {
    file: 'sql/mart/price/reference_basis.sql',
    text: 'unknown_sessions = 0 OR ticks_off = 0',
    why: 'a count of ticks',
  },
  {
    file: 'packages/sandbox/src/broker/ledger/lending.ts',
    text: 'const OF_BOARD',
    why: 'what the demo broker lends on: a list of its own, no rule of the market',
  },
  {
    file: 'packages/sandbox/src/broker/orders/order-rules.ts',
    text: "'ato', 'continuous', 'lunch', 'atc'],",
    why: 'phases of the clock of the demo broker in which it takes an order, with lunch',
  },
  {
    file: 'packages/sandbox/src/market/world/stocks.ts',
    text: 'const FULL_COUNTS',
    why: 'how many stocks the demo market has',
  },
  {
    file: 'packages/sandbox/src/market/world/derivatives.ts',
    text: 'exercisePrice: Math.round(',
    why: 'prices at which demo warrants are exercised',
  },
  {
    file: 'packages/sandbox/src/market/world/stocks.ts',
    text: 'listed: Math.round(',
    why: 'how many shares of a demo stock are listed',
  },
  {
    file: 'packages/foundation/src/market/board.ts',
    text: 'export const TRADING_BOARDS',
    why: 'the one list of boards',
  },
  {
    file: 'packages/foundation/src/market/sessions.ts',
    text: 'export const PHASES',
    why: 'the one list of phases',
  },
  {
    file: 'sql/report/auctions.sql',
    text: 'ORDER BY list_position(',
    why: 'the order in which boards are shown',
  },
  {
    file: 'sql/rules/42_figures_in_proportion.sql',
    text: 'AS least_order',
    why: 'what is plausible for the mean of a day, no least quantity of an order',
  },
]

/** Days on which a rule begins or ends: a day of 2000 to 2026 in code is rarely anything else. */
const DAYS = new Set(
  [
    ...marketRules(),
    ...readReference('ticks', ['valid_from']),
    ...readReference('sessions', ['valid_from']),
  ].flatMap((row) => ('validFrom' in row ? [row.validFrom, row.validTo] : [row.valid_from ?? ''])),
)
/** Times at which a phase begins or ends today. */
const TIMES = new Set(
  readReference('sessions', ['starts', 'ends', 'valid_to'])
    .filter(({ valid_to }) => valid_to === '')
    .flatMap(({ starts = '', ends = '' }) => [starts, ends]),
)
/** Those on the hour, in exchange time and in UTC. */
const HOURS = new Set(
  [...TIMES]
    .filter((time) => time.endsWith(':00'))
    .flatMap((time) => [Number.parseInt(time, 10), Number.parseInt(time, 10) - 7]),
)
const valuesOf = (name: string): string[] => [
  ...new Set(
    marketRules().flatMap(({ rule, scope, value }) =>
      rule === name && scope !== 'DERIVATIVE' ? [value] : [],
    ),
  ),
]
const LOTS = valuesOf('lot_size').join('|')
const CYCLES = valuesOf('settlement_cycle').join('|')
const HOLIDAYS = valuesOf('fixed_holidays')
  .flatMap((value) => value.split(';'))
  .join('|')

/** What a line that states a rule of the market looks like, by what it states. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  'a number with the name of a rule':
    /\b\w*(TAX|TICK|LOT_SIZE|BAND|MULTIPLIER|SETTLEMENT|SETTLES|INITIAL_MARGIN)\w*(?:\s*=|:)\s*[\d.]+\b/i,
  'a number for a board': /'(HOSE|HNX|UPCOM|DERIVATIVE)'.*?(?:THEN|:|[^?]\?)\s*\d+(\.\d+)?\b/,
  'a number by board': /\b(HOSE|HNX|UPCOM|DERIVATIVE): [\d.]/,
  'a number for a kind':
    /\b(future|futures|etf|covered_warrant|is_contract)\b'?\s*(?:THEN|\?)\s*\d+(\.\d+)?\s*(?:ELSE|:)\s*\d/i,
  'a round lot': new RegExp(String.raw`\bLOT\b\s*=\s*\d|/ (${LOTS})\) \* \1\b|\blot\w*\s*(?:%|//)\s*\d`, 'i'),
  'a settlement cycle': new RegExp(
    String.raw`\bT\+(${CYCLES})\b|\b\w*sessions\b\s*(?:===?|[<>]=?|WHEN)\s*(${CYCLES})\b|AFTER_SESSIONS\s*=\s*(${CYCLES})\b`,
    'i',
  ),
  'a fixed holiday': new RegExp(String.raw`'(${HOLIDAYS})\b`),
  'the list of boards': /'UPCOM', 'DERIVATIVE'|BOARDS, 'DERIVATIVE'/,
  'the list of phases': /'ato', 'continuous'/,
}

/** What a line of code states of the market; undefined where it states nothing. */
function statedFact(line: string): string | undefined {
  const days = line.match(/\b\d{4}-\d{2}-\d{2}\b/g) ?? []
  if (days.some((day) => DAYS.has(day))) return 'a day on which a rule begins or ends'
  const times = line.match(/'\d{2}:\d{2}(?=[:'])/g) ?? []
  if (times.some((time) => TIMES.has(time.slice(1)))) return 'a time at which a phase begins or ends'
  const hour = /INTERVAL '?(\d+)'? HOUR/i.exec(line)?.[1]
  if (hour !== undefined && HOURS.has(Number(hour))) return 'an hour at which a phase begins or ends'
  return Object.entries(PATTERNS).find(([, pattern]) => pattern.test(line))?.[0]
}

/** Lines of code: neither comments nor texts for people. */
function codeOf(text: string): { line: string; number: number }[] {
  return text
    .split('\n')
    .map((line, at) => ({ line, number: at + 1 }))
    .filter(({ line }) => !/^\s*(--|\/\/|\*|\/\*|COMMENT ON|'[^']*'?;?$)/.test(line))
}

const GENERATED = /^-- Written by make sql/m

test('no code states a rule of the market: data/reference has them, with dates and sources', () => {
  const files = textFiles(
    'src',
    'jobs',
    'packages/client/src',
    'packages/sandbox/src',
    'packages/foundation/src',
    'sql',
  )
    .filter(({ path }) => /\.(ts|sql)$/.test(path) && !path.startsWith('sql/migrations/'))
    .filter(({ text }) => !GENERATED.test(text))
  const unused = new Set(EXCEPTIONS)
  const stated = files.flatMap(({ path, text }) =>
    codeOf(text).flatMap(({ line, number }) => {
      const fact = statedFact(line)
      if (fact === undefined) return []
      const exception = EXCEPTIONS.find(({ file, text: part }) => file === path && line.includes(part))
      if (exception) unused.delete(exception)
      return exception ? [] : [`${path}:${number}: ${fact}: ${line.trim()}`]
    }),
  )
  expect(
    stated,
    'read it from the rulebook (market/rulebook.ts, build/sql/rulebook.ts), or add an exception',
  ).toEqual([])
  expect([...unused], 'nothing needs these exceptions any more').toEqual([])
})

test.each([
  ["SELECT * FROM t WHERE trading_date >= DATE '2013-07-22'", 'a day on which a rule begins or ends'],
  ["WHEN minute < TIME '14:30:00'", 'a time at which a phase begins or ends'],
  ['before_at >= before_of + INTERVAL 15 HOUR', 'an hour at which a phase begins or ends'],
  ['received_at < CAST(day + INTERVAL 8 HOUR AS TIMESTAMPTZ)', 'an hour at which a phase begins or ends'],
  ['const SELL_TAX = 0.001', 'a number with the name of a rule'],
  ['const SETTLES_AFTER_SESSIONS = 2', 'a number with the name of a rule'],
  ["CASE board WHEN 'HNX' THEN 10 END", 'a number for a board'],
  ['const MAX: Record<Board, number> = { HOSE: 500_000, HNX: 1_000_000 }', 'a number by board'],
  ['greatest(0.01 * ref_price, CASE WHEN future THEN 0.2 ELSE 200 END)', 'a number for a kind'],
  ["kind === 'future' ? 0.1 : 100", 'a number for a kind'],
  ['const LOT = 100', 'a round lot'],
  ['Math.floor((sum.matchVolume * share) / 100) * 100', 'a round lot'],
  ['CASE pair.sessions WHEN 2 THEN before.sell_t0 ELSE 0 END', 'a settlement cycle'],
  ['if (after.sessions < 1 || after.sessions > 2) return undefined', 'a settlement cycle'],
  ["? 'shares arrive on T+2' : ''", 'a settlement cycle'],
  ["WHERE month_day IN ('01-01', '04-30')", 'a fixed holiday'],
  ["const BOARDS = ['HOSE', 'HNX', 'UPCOM', 'DERIVATIVE'] as const", 'the list of boards'],
  ["z.enum(['ato', 'continuous', 'atc', 'plo', 'deal'])", 'the list of phases'],
])('a planted constant is found: %s', (line, fact) => {
  expect(codeOf(line).map((code) => statedFact(code.line))).toEqual([fact])
})

test.each([
  'const sessions = rows.length / 2',
  'Math.round(index.base * 100) / 100',
  'lot * Math.max(bars, lots)',
  'mart.settlement_cycle(day)',
])('no rule of the market is stated by: %s', (line) => {
  expect(statedFact(line)).toBeUndefined()
})
