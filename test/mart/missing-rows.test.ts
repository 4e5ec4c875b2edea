import { beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { literal } from '../../src/duckdb/sqlfile.js'
import { refreshMaterialized } from '../../src/mart/materialized.js'
import { seeded } from '../e2e/support/seeded.js'
import { LONG } from '../support/long.js'
import { emptyWarehouse } from '../support/memory.js'
import { type Acting, actingMarket, type SymbolDay } from './acting.js'

/** What of a row is missing. */
type Missing = (row: SymbolDay) => 'nothing' | 'limits' | 'summary' | 'both'

interface Remains {
  readonly isMissing: Missing
  /** Sessions that were not requested. */
  readonly unrequested?: readonly string[]
}

interface Found {
  readonly symbol: string
  readonly day: string
  readonly factor: number
}

interface Visible extends Found {
  readonly slack: number
  /** Its own session has no row left. */
  readonly isHidden: boolean
}

const market = actingMarket(LONG ? 120 : 40, 29)
let database: Database

const indexOf = new Map(market.sessions.map((day, at) => [day, at]))
const symbols = [...new Set(market.rows.map(({ symbol }) => symbol))]

beforeAll(async () => {
  database = await emptyWarehouse()
  await database.run(
    `CREATE OR REPLACE TEMP TABLE whole AS SELECT unnest(from_json(${literal(JSON.stringify(market.rows))},
       '[{"symbol": "VARCHAR", "board": "VARCHAR", "day": "DATE", "reference": "INTEGER", "ceiling": "INTEGER",
         "floor": "INTEGER", "close": "INTEGER", "average": "INTEGER", "high": "INTEGER", "low": "INTEGER"}]'), recursive := true)`,
  )
})

/** Loads what remains, as a new warehouse would have it, and refreshes everything. */
async function load({ isMissing, unrequested = [] }: Remains): Promise<void> {
  const missing = market.rows.flatMap((row) => {
    const part = isMissing(row)
    return part === 'nothing' ? [] : [{ symbol: row.symbol, day: row.day, part }]
  })
  const declared = JSON.stringify(market.declared)
  const kept = (part: string): string =>
    `FROM whole ANTI JOIN (FROM missing WHERE part IN ('${part}', 'both')) USING (symbol, day)`
  await database.run(
    `CREATE OR REPLACE TEMP TABLE missing AS SELECT unnest(from_json(${literal(JSON.stringify(missing))},
       '[{"symbol": "VARCHAR", "day": "DATE", "part": "VARCHAR"}]'), recursive := true);
     DELETE FROM market.price_limit; DELETE FROM market.daily_summary; DELETE FROM market.corporate_action;
     DELETE FROM ops.coverage;
     INSERT INTO market.price_limit (symbol, exchange, trading_date, ref_price, ceiling, floor)
     SELECT symbol, board, day, reference, ceiling, floor ${kept('limits')};
     INSERT INTO market.daily_summary (symbol, trading_date, high, low, close, average, total_match)
     SELECT symbol, day, high, low, close, average, close ${kept('summary')};
     INSERT INTO market.corporate_action (symbol, ex_date, kind, ratio, amount, is_withdrawn)
     SELECT symbol, "exDate", kind, ratio, amount, false FROM (SELECT unnest(from_json(${literal(declared)},
       '[{"symbol": "VARCHAR", "exDate": "DATE", "kind": "VARCHAR", "ratio": "DOUBLE", "amount": "INTEGER"}]'), recursive := true));
     INSERT INTO ops.coverage (dataset, key, timeframe, window_from, window_to, state)
     SELECT DISTINCT 'securitiesSummary', '*', '', day, day, 'complete' FROM whole
     WHERE day NOT IN (SELECT CAST(unnest([${unrequested.map(literal).join(', ')}]::VARCHAR[]) AS DATE));
     INSERT INTO ops.dirty_partition SELECT DISTINCT 'market.daily_summary', CAST(day AS VARCHAR) FROM whole`,
  )
  await refreshMaterialized(database)
}

/** The true actions as what remains can show them: on the first row of the symbol that is left, those of one row together. */
function visible(acting: Acting, isMissing: Missing): Map<string, Visible> {
  const left = new Set(
    acting.rows
      .filter((row) => {
        const part = isMissing(row)
        return part === 'nothing' || part === 'summary' || (part === 'limits' && row.close > 0)
      })
      .map(({ symbol, day }) => `${symbol} ${day}`),
  )
  const seen = new Map<string, Visible>()
  for (const { symbol, day, factor, slack } of acting.truth) {
    const shown = acting.sessions.slice(indexOf.get(day)).find((each) => left.has(`${symbol} ${each}`))
    if (shown === undefined) continue
    const before = seen.get(`${symbol} ${shown}`)
    seen.set(`${symbol} ${shown}`, {
      symbol,
      day: shown,
      factor: factor * (before?.factor ?? 1),
      slack: slack + (before?.slack ?? 0),
      isHidden: shown !== day,
    })
  }
  return seen
}

/** Every way in which the stored events are not the true ones. */
async function problems({ isMissing }: Remains): Promise<string[]> {
  const events = await database.rows<Found>(
    `SELECT symbol, CAST(ex_date AS VARCHAR) AS day, factor FROM mart.adjustment_event WHERE factor <> 1`,
  )
  const known = await database.rows<{ symbol: string; day: string }>(
    'SELECT symbol, CAST(chain_known_from AS VARCHAR) AS day FROM mart.chain_known',
  )
  const knownFrom = new Map(known.map(({ symbol, day }) => [symbol, day]))
  const expected = visible(market, isMissing)
  const stored = new Map(events.map((event) => [`${event.symbol} ${event.day}`, event]))
  const repeated = await database.rows<{ key: string }>(
    `SELECT symbol || ' ' || ex_date AS key
     FROM mart.adjustment_candidate(DATE '2025-03-03', DATE '2025-06-30') WHERE ticks_off = 0`,
  )
  const repeats = new Set(repeated.map(({ key }) => key))
  // A session that moved the price back by as much as its action took, and is missing, leaves no trace.
  const hasTrace = ({ symbol, day, isHidden }: Visible): boolean =>
    !isHidden || !repeats.has(`${symbol} ${day}`)
  const isKnown = ({ symbol, day }: Found): boolean => day > (knownFrom.get(symbol) ?? '')
  return [
    ...events
      .filter(({ symbol, day }) => !expected.has(`${symbol} ${day}`))
      .map((event) => `false: ${show(event)}`),
    ...[...expected.values()]
      .filter((action) => isKnown(action) && hasTrace(action))
      .flatMap((action) => {
        const event = stored.get(`${action.symbol} ${action.day}`)
        if (!event) return [`missed: ${show(action)}`]
        return Math.abs(event.factor / action.factor - 1) > action.slack
          ? [`another factor: ${show(event)} for ${action.factor}`]
          : []
      }),
  ]
}

const show = ({ symbol, day, factor }: Found): string => `${symbol} ${day} ${factor}`

const everything: Missing = () => 'nothing'

test('every action of a market is an event once, on its first session', async () => {
  await load({ isMissing: everything })
  expect(await problems({ isMissing: everything })).toEqual([])
  const gaps = await database.rows<{ symbol: string; day: string }>(
    "SELECT symbol, CAST(trading_date AS VARCHAR) AS day, reason FROM mart.chain_gap WHERE reason <> 'not_compared'",
  )
  // An action that nobody declares leaves a session open where the symbol has no row before it; nothing else does.
  const resumed = market.truth.filter(({ symbol, day }) => silentBefore(symbol, day) > 0)
  const places = new Set(resumed.map(({ symbol, day }) => `${symbol} ${day}`))
  expect(gaps.filter(({ symbol, day }) => !places.has(`${symbol} ${day}`))).toEqual([])
  expect(gaps.length).toBeLessThan(resumed.length)
})

/** Sessions without a row of the symbol right before a day. */
function silentBefore(symbol: string, day: string): number {
  const days = new Set(market.rows.filter((row) => row.symbol === symbol).map((row) => row.day))
  const earlier = market.sessions.slice(0, indexOf.get(day)).toReversed()
  return earlier.findIndex((each) => days.has(each))
}

test('one row fewer makes no event, none twice, and no other factor', async () => {
  const place = new Map(symbols.map((symbol, at) => [symbol, at]))
  const rounds = market.sessions.flatMap((_, at) => [
    { at, part: 'limits' as const },
    { at, part: 'summary' as const },
    { at, part: 'both' as const },
  ])
  // One row of every symbol at a time, each of another session: symbols do not depend on each other.
  for (const { at, part } of LONG ? rounds : rounds.filter((_, round) => round % 61 === 0)) {
    const isMissing: Missing = ({ symbol, day }) =>
      indexOf.get(day) === (at + (place.get(symbol) ?? 0)) % market.sessions.length ? part : 'nothing'
    await load({ isMissing })
    expect(await problems({ isMissing }), `${part} from session ${at}`).toEqual([])
  }
})

test.each(['requested', 'not requested'])(
  'a session fewer, %s, makes no event and no other factor',
  async (how) => {
    const left = LONG ? market.sessions : market.sessions.filter((_, at) => at % 29 === 8)
    for (const lost of left) {
      const isMissing: Missing = ({ day }) => (day === lost ? 'both' : 'nothing')
      await load({ isMissing, unrequested: how === 'requested' ? [] : [lost] })
      expect(await problems({ isMissing }), lost).toEqual([])
    }
  },
)

test('a twentieth of the rows fewer makes no event and no other factor', async () => {
  for (let seed = 1; seed <= (LONG ? 100 : 2); seed += 1) {
    const random = seeded(seed)
    const parts = new Map(
      market.rows.map((row): [SymbolDay, ReturnType<Missing>] => {
        const [limits, summary] = [random() < 0.05, random() < 0.05]
        return [row, limits && summary ? 'both' : limits ? 'limits' : summary ? 'summary' : 'nothing']
      }),
    )
    const isMissing: Missing = (row) => parts.get(row) ?? 'nothing'
    await load({ isMissing })
    expect(await problems({ isMissing }), `seed ${seed}`).toEqual([])
  }
})
