import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { literal } from '../../src/duckdb/sqlfile.js'
import { refreshMaterialized } from '../../src/mart/materialized.js'
import { LONG } from '../support/long.js'
import { emptyWarehouse } from '../support/memory.js'
import { type Declared, eventsOf, judge, type Listed } from './breaks.js'

const BEFORE = '2025-03-13'
const DAY = '2025-03-14'

const declared = fc.oneof(
  fc.record<Declared>({
    kind: fc.constant('cash_dividend'),
    ratio: fc.constant(null),
    amount: fc.constantFrom(20, 50, 100, 500, 1000, 3000),
    price: fc.constant(null),
  }),
  fc.record<Declared>({
    kind: fc.constantFrom('stock_dividend', 'bonus'),
    ratio: fc.constantFrom(0.05, 0.1, 0.5, 1),
    amount: fc.constant(null),
    price: fc.constant(null),
  }),
  fc.record<Declared>({
    kind: fc.constant('rights'),
    ratio: fc.constantFrom(0.2, 0.5),
    amount: fc.constant(null),
    price: fc.constantFrom(5000, 10_000, 90_000),
  }),
  fc.record<Declared>({
    kind: fc.constant('split'),
    ratio: fc.constantFrom(2, 5),
    amount: fc.constant(null),
    price: fc.constant(null),
  }),
)

/** Ticks that references of a day lie beside their basis without a corporate action. */
const NOISES: readonly (readonly number[])[] = [[0], [-1, 1], [-2, 2], [-6, -3, -1, 1, 2, 4, 6]]

/** A symbol whose reference is its basis, a few ticks beside it, or far away; declared as it is, otherwise, or not at all. */
const listedOf = (noise: readonly number[]) =>
  fc
    .record({
      board: fc.constantFrom('HOSE', 'HOSE', 'HNX', 'UPCOM' as const),
      lots: fc.integer({ min: 12, max: 800 }),
      odd: fc.integer({ min: 0, max: 99 }),
      ticks: fc.oneof(
        { weight: 12, arbitrary: fc.constant(0) },
        { weight: 3, arbitrary: fc.constantFrom(...noise) },
        { weight: 1, arbitrary: fc.integer({ min: -100, max: 30 }) },
      ),
      move: fc.constantFrom(0, 0, 0, 0.02, -0.05, -0.105, -0.2),
      staysAtBasis: fc.constantFrom(false, false, false, true),
      declared: fc.oneof(
        { weight: 6, arbitrary: fc.constant([]) },
        {
          weight: 1,
          arbitrary: fc.uniqueArray(declared, { minLength: 1, maxLength: 3, selector: ({ kind }) => kind }),
        },
      ),
      follows: fc.boolean(),
    })
    .map(({ board, lots, odd, ticks, move, staysAtBasis, declared, follows }): Omit<Listed, 'symbol'> => {
      const before = lots * 100 + (board === 'UPCOM' ? odd : 0)
      const step = board === 'HOSE' && before < 50_000 ? 50 : 100
      const basis = board === 'UPCOM' ? Math.floor((before + 50) / 100) * 100 : before
      const actions: readonly Declared[] = declared
      const after =
        follows && actions.length > 0
          ? (eventsOf([
              { symbol: '', board, before, reference: basis, close: basis * 0.5, declared: actions },
            ])[0]?.factor ?? 1) * basis
          : basis
      const reference = Math.max(step, Math.round(after / step) * step + ticks * step)
      return {
        board,
        before,
        reference,
        close: staysAtBasis ? basis : Math.max(10, Math.round((reference * (1 + move)) / step) * step),
        declared: actions,
      }
    })

const days = fc
  .constantFrom(...NOISES)
  .chain((noise) => fc.array(listedOf(noise), { minLength: 3, maxLength: 90, size: 'max' }))
  .map((rows) => rows.map((row, at): Listed => ({ ...row, symbol: `S${at}` })))

async function fill(database: Database, day: readonly Listed[]): Promise<void> {
  const rows = JSON.stringify(day)
  await database.run(
    `CREATE OR REPLACE TEMP TABLE given AS SELECT unnest(from_json(${literal(rows)}, '[{"symbol": "VARCHAR",
       "board": "VARCHAR", "before": "INTEGER", "reference": "INTEGER", "close": "INTEGER",
       "declared": [{"kind": "VARCHAR", "ratio": "DOUBLE", "amount": "INTEGER", "price": "INTEGER"}]}]'), recursive := true);
     INSERT INTO market.price_limit (symbol, exchange, trading_date, ref_price)
     SELECT symbol, board, DATE '${DAY}', reference FROM given;
     INSERT INTO market.daily_summary (symbol, trading_date, close, average, total_match)
     SELECT symbol, DATE '${BEFORE}', before, before, 100 FROM given
     UNION ALL SELECT symbol, DATE '${DAY}', close, close, 100 FROM given;
     INSERT INTO ops.dirty_partition VALUES ('market.price_limit', '${DAY}'), ('market.daily_summary', '${BEFORE}')`,
  )
  await database.run(
    `INSERT INTO market.corporate_action (symbol, ex_date, kind, ratio, amount, price, is_withdrawn)
     SELECT symbol, DATE '${DAY}', action.kind, action.ratio, action.amount, action.price, false
     FROM (SELECT symbol, unnest(declared) AS action
       FROM (SELECT unnest(from_json(${literal(rows)}, '[{"symbol": "VARCHAR",
         "declared": [{"kind": "VARCHAR", "ratio": "DOUBLE", "amount": "INTEGER", "price": "INTEGER"}]}]'), recursive := true)))`,
  )
}

test('breaks, noise, faults and events are those of a second computation, on days of every kind', async () => {
  const seen = {
    noise: new Set<number>(),
    states: new Set<string>(),
    faults: 0,
    eventsOfFaults: 0,
    contradicted: 0,
  }
  await fc.assert(
    fc.asyncProperty(days, async (day) => {
      const database = await emptyWarehouse()
      await fill(database, day)
      await refreshMaterialized(database)
      const actual = await database.rows<Record<string, unknown>>(
        `SELECT symbol, ticks_off AS "ticksOff", noise_ticks AS noise, differs, market_wide AS "isMarketWide",
           is_fault AS "isFault",
           is_event AS "isEvent",
           is_beyond_limit AS "isBeyondLimit"
         FROM mart.adjustment_candidate(DATE '${DAY}', DATE '${DAY}')`,
      )
      const judged = judge(day)
      expect(new Map(actual.map((row) => [row.symbol, row]))).toEqual(
        new Map(judged.map((row) => [row.symbol, row])),
      )
      const events = await database.rows<{ symbol: string; state: string; factor: number }>(
        'SELECT symbol, state, round(factor, 9) AS factor FROM mart.adjustment_event',
      )
      const wanted = eventsOf(day).map((event) => ({ ...event, factor: Number(event.factor.toFixed(9)) }))
      expect(new Map(events.map((row) => [row.symbol, row]))).toEqual(
        new Map(wanted.map((row) => [row.symbol, row])),
      )
      for (const { noise, isMarketWide, isFault, isEvent } of judged) {
        seen.noise.add(noise)
        if (isMarketWide) seen.faults += 1
        if (isMarketWide && isEvent) seen.eventsOfFaults += 1
        if (isFault) seen.contradicted += 1
      }
      for (const { state } of wanted) seen.states.add(state)
    }),
    { numRuns: LONG ? 1000 : 12, seed: 17 },
  )
  // A comparison of days without an event would prove nothing.
  expect([...seen.states].sort()).toEqual(['confirmed', 'contradicted', 'declared', 'observed'])
  expect([...seen.noise].sort()).toEqual([0, 1, 2])
  expect(seen.faults).toBeGreaterThan(0)
  expect(seen.eventsOfFaults).toBeGreaterThan(0)
  expect(seen.contradicted).toBeGreaterThan(0)
})
