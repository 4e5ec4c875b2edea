import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../src/audit/index.js'
import type { Database } from '../../src/duckdb/open.js'
import { withheldSessions } from '../../src/lake/withheld-rows.js'
import { temporaryFolder } from '../support/folder.js'
import { evening } from '../support/published.js'
import {
  genuineMarket,
  limitOf,
  nameOf,
  ODD_DAYS,
  OMITTED,
  ROWS,
  SESSIONS,
  WHOLE_SESSION,
} from './genuine-market.js'
import { type Given, type Row, warehouseOf } from './world.js'

async function checked(given: Given): Promise<Database> {
  const database = await warehouseOf(given)
  const options = { home: temporaryFolder(), runIdOf: () => 'test-run', calendar: loadCalendar() }
  await audit(database, { runs: [], days: SESSIONS, snapshots: [] }, options, evening())
  return database
}

const withheldIn = (database: Database) => withheldSessions((sql) => database.rows(sql))

async function broken(database: Database): Promise<string[]> {
  const rows = await database.rows<{ line: string }>(
    `SELECT DISTINCT concat_ws(' ', rule, json_extract_string(key, '$.symbol')) AS line
     FROM recon.offender WHERE state = 'break' ORDER BY 1`,
  )
  return rows.map(({ line }) => line)
}

test('the genuine market has 27 of 5,951 rows with days of odd lots, on 20 of 51 sessions', () => {
  expect(SESSIONS).toHaveLength(51)
  expect(genuineMarket()['market.daily_summary']).toHaveLength(ROWS)
  expect(new Set(ODD_DAYS.map(({ session }) => session)).size).toBe(20)
  expect(new Set(ODD_DAYS.map(({ symbol, session }) => `${symbol} ${session}`)).size).toBe(27)
  expect(ODD_DAYS.filter(({ board }) => board === 'UPCOM')).toHaveLength(23)
})

describe('genuine sessions', () => {
  let database: Database
  beforeAll(async () => {
    database = await checked(genuineMarket())
  })

  test('withhold nothing, and break nothing but rule 1 on UPCOM, where it warns', async () => {
    expect(await withheldIn(database)).toEqual([])
    expect(await broken(database)).toEqual([`1 ${nameOf('UPCOM', 26)}`])
    expect(
      await database.rows(`SELECT count(*) AS days FROM recon.offender WHERE rule = 1 AND state = 'soft'`),
    ).toEqual([{ days: 26n }])
  })

  test('give no event where one summary was omitted on a day of -7 %: its rule says why it is not evaluated', async () => {
    const next = SESSIONS[SESSIONS.indexOf(OMITTED.session) + 1] ?? ''
    const notes = await database.rows<{ note: string }>(
      `SELECT note FROM recon.finding WHERE rule = 5 AND trading_date = DATE '${next}'`,
    )
    expect(notes.map(({ note }) => note)).toEqual([
      `The daily summary of ${OMITTED.symbol} for ${OMITTED.session} is not stored, so its reference price has nothing to be compared with.`,
    ])
    expect(
      await database.rows(
        `FROM mart.adjustment_candidate(DATE '${SESSIONS[0]}', DATE '${SESSIONS.at(-1)}') WHERE is_event`,
      ),
    ).toEqual([])
  })
})

/** A fault in the row of a name on one session, and the rules that find it. */
interface Fault {
  readonly what: string
  readonly symbol: string
  readonly summary?: Row
  readonly limit?: Row
  readonly rules: readonly number[]
  readonly withheld: boolean
}

const ONE = { open: 12_000, high: 12_000, low: 12_000 }
/** The same day of one lot on every board. */
const ONE_LOT: readonly Fault[] = (['HOSE', 'HNX', 'UPCOM'] as const).map((board) => ({
  what: `one lot on ${board}`,
  symbol: nameOf(board, 20),
  summary: { ...ONE, close: 12_100, total_match: 100 },
  limit: limitOf(board, nameOf(board, 20), WHOLE_SESSION, 12_100),
  rules: [1],
  withheld: board !== 'UPCOM',
}))

const FAULTS: readonly Fault[] = [
  ...ONE_LOT,
  {
    what: 'close above the high with a whole lot on HOSE',
    symbol: nameOf('HOSE', 1),
    summary: { ...ONE, close: 12_400, total_match: 100 },
    rules: [1],
    withheld: true,
  },
  {
    what: 'a high of 1 on UPCOM, which odd lots do not explain',
    symbol: nameOf('UPCOM', 2),
    summary: { high: 1, total_match: 2 },
    rules: [1],
    withheld: true,
  },
  {
    what: 'close above the high with many lots on UPCOM',
    symbol: nameOf('UPCOM', 3),
    summary: { ...ONE, close: 12_400 },
    rules: [1],
    withheld: false,
  },
  {
    what: 'a price beyond the limits',
    symbol: nameOf('HNX', 4),
    summary: { high: 20_000 },
    rules: [2],
    withheld: true,
  },
  {
    what: 'a value a hundred times too large, from a source that rounds',
    symbol: nameOf('HOSE', 5),
    summary: { total_match_value: 10_000_000_000 },
    rules: [3, 39],
    withheld: false,
  },
  {
    what: 'foreigners who bought twice what was traded',
    symbol: nameOf('HOSE', 6),
    summary: { total_match: 9000, total_foreign_buy: 18_000 },
    rules: [12],
    withheld: false,
  },
  {
    what: 'half of what matched was ordered',
    symbol: nameOf('HNX', 7),
    summary: { total_match: 9000, total_buy: 4500 },
    rules: [15],
    withheld: false,
  },
  {
    what: 'a close 10.5 % below a reference that repeats the close before, without limits',
    symbol: nameOf('HOSE', 8),
    summary: { low: 11_400, close: 11_400 },
    limit: { ceiling: null, floor: null },
    rules: [46],
    withheld: false,
  },
  {
    what: 'a reference in thousands',
    symbol: nameOf('HNX', 9),
    limit: { ref_price: 13, ceiling: 14, floor: 12 },
    rules: [5],
    withheld: true,
  },
]

/** The genuine market with every fault on one session, each in a row of its own. */
function faulty(): Given {
  const given = genuineMarket()
  const patched = (relation: string, part: 'summary' | 'limit'): Row[] =>
    (given[relation] ?? []).map((row) => {
      const fault = FAULTS.find(({ symbol }) => symbol === row.symbol && row.trading_date === WHOLE_SESSION)
      return fault?.[part] ? { ...row, ...fault[part] } : row
    })
  return {
    ...given,
    'market.daily_summary': patched('market.daily_summary', 'summary'),
    'market.price_limit': patched('market.price_limit', 'limit'),
  }
}

test('each fault beside genuine rows is found, and withholds its own row at most; the board of a name decides: the same day of one lot withholds its row on HOSE and HNX, not on UPCOM', async () => {
  const rows = genuineMarket()['market.daily_summary'] ?? []
  for (const { symbol, what } of FAULTS)
    expect(
      rows.some((row) => row.symbol === symbol && row.trading_date === WHOLE_SESSION),
      what,
    ).toBe(true)
  const database = await checked(faulty())
  const lines = await broken(database)
  for (const { what, symbol, rules } of FAULTS)
    for (const rule of rules) expect(lines, what).toContain(`${rule} ${symbol}`)
  const withheld = (await withheldIn(database)).flatMap(({ tradingDate, keys }) => {
    expect([tradingDate, keys === null]).toEqual([WHOLE_SESSION, false])
    return keys ?? []
  })
  expect([...new Set(withheld)].sort()).toEqual(
    FAULTS.filter((fault) => fault.withheld)
      .map(({ symbol }) => symbol)
      .sort(),
  )
})
