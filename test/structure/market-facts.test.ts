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
    file: 'packages/sandbox/src/broker/orders/matching.ts',
    text: "order.orderType === 'MP'",
    why: 'how an MP order is matched: no rule with a number',
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

const NAMED = /\b\w*(TAX|TICK|LOT_SIZE|BAND|MULTIPLIER|SETTLEMENT)\w*(?:\s*=|:)\s*[\d.]+\b/i
const OF_BOARD = /'(HOSE|HNX|UPCOM|DERIVATIVE)'.*?(?:THEN|:|[^?]\?)\s*\d+(\.\d+)?\b/

function statesFact(line: string): boolean {
  const days = line.match(/\b\d{4}-\d{2}-\d{2}\b/g) ?? []
  const times = line.match(/'\d{2}:\d{2}(?=[:'])/g) ?? []
  return (
    days.some((day) => DAYS.has(day)) ||
    times.some((time) => TIMES.has(time.slice(1))) ||
    NAMED.test(line) ||
    OF_BOARD.test(line)
  )
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
      if (!statesFact(line)) return []
      const exception = EXCEPTIONS.find(({ file, text: part }) => file === path && line.includes(part))
      if (exception) unused.delete(exception)
      return exception ? [] : [`${path}:${number}: ${line.trim()}`]
    }),
  )
  expect(
    stated,
    'read it from the rulebook (market/rulebook.ts, build/sql/rulebook.ts), or add an exception',
  ).toEqual([])
  expect([...unused], 'nothing needs these exceptions any more').toEqual([])
})
