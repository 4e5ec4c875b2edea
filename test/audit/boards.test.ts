import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TRADING_BOARDS } from 'candlehouse-foundation/market/board'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../src/audit/index.js'
import { parseRule, readRules } from '../../src/audit/rule.js'
import type { Database } from '../../src/duckdb/open.js'
import { sqlFile } from '../../src/duckdb/sqlfile.js'
import { withheldSessions } from '../../src/lake/withheld-rows.js'
import { packageRoot } from '../../src/package.js'
import { temporaryFolder } from '../support/folder.js'
import { evening } from '../support/published.js'
import { covered, type Given, type Row, SESSION, SESSION_BEFORE, warehouseOf } from './world.js'

describe('the head of a rule', () => {
  const text = sqlFile('rules/01_prices_of_a_bar.sql')
  const parse = (changed: string) => parseRule('01_prices_of_a_bar.sql', changed)

  test('of severity error states for each board how many real rows hold it, or that nobody has measured it', () => {
    const errors = readRules().filter(({ severity }) => severity === 'error')
    expect(errors.map(({ number }) => number)).toEqual([1, 2, 8, 11, 13, 21, 38])
    for (const { number, evidence } of errors)
      for (const board of TRADING_BOARDS)
        expect(
          evidence.map((measured) => measured.board),
          `rule ${number} on ${board}`,
        ).toContain(board)
  })

  test('states pass rate, sample, board, days and source of what was measured; the source is there', () => {
    const measured = readRules().flatMap(({ number, evidence }) =>
      evidence.filter(({ pass }) => pass !== null).map((each) => ({ number, ...each })),
    )
    expect(measured.length).toBeGreaterThan(20)
    expect(measured.filter(({ sample, board }) => sample === null || board === undefined)).toEqual([])
    const missing = measured.filter(({ source }) => {
      const [page = '', section] = (source ?? '').split('#')
      const headings = readFileSync(join(packageRoot, page), 'utf8').match(/^#+ .*$/gm) ?? []
      return !headings.some(
        (heading) => heading.replace(/^#+ /, '').toLowerCase().replaceAll(' ', '-') === section,
      )
    })
    expect(missing.map(({ number, source }) => `rule ${number}: ${source} is not a section`)).toEqual([])
    expect(parse(text).evidence[1]).toEqual({
      pass: 99.7,
      sample: '38,141 rows',
      board: 'all boards',
      period: '2024-04-01..2025-04-15',
      source: 'docs/market-facts.md#pass-rates',
    })
  })

  test('lets nothing be an error on a board where measured rows break it', () => {
    const broken = readRules()
      .filter(({ severity }) => severity === 'error')
      .flatMap(({ number, warnsOn, evidence }) =>
        evidence
          .filter(({ pass, board }) => board !== 'all boards' && pass !== null && pass < 100)
          .filter(({ board }) => !(warnsOn as readonly string[]).includes(board))
          .map(({ board, pass }) => `rule ${number} held on ${pass} % of ${board}: let it warn there`),
      )
    expect(broken).toEqual([])
  })

  test.each([
    ['without evidence', /-- evidence: [\s\S]*?(?=-- tolerance)/, '', /does not state its evidence/],
    ['without one board', '-- evidence: none measured, HNX\n', '', /state its evidence of HNX/],
    ['of an unknown board', 'none measured, HNX', 'none measured, OTC', /name one of HOSE/],
    ['without a number of rows', '38,141 rows, all', 'rows, all', /write PASS % of NUMBER ROWS/],
    ['without days', ', 2024-04-01..2025-04-15, docs', ', docs', /write PASS % of NUMBER ROWS/],
    ['without a source', ', docs/market-facts.md#pass-rates', '', /write PASS % of NUMBER ROWS/],
    ['that held more often than it was tried', '99.70 %', '997 %', /more than 100 %/],
    ['that warns on an unknown board', 'warn on UPCOM', 'warn on OTC', /severity error; warn on OTC/],
    ['that only warns, and on a board', 'error; warn on', 'warn; warn on', /severity warn; warn on UPCOM/],
  ])('%s is refused', (_, from, to, message) => {
    expect(text).toMatch(from)
    expect(() => parse(text.replace(from, to))).toThrow(message)
  })
})

/** A session whose rows have the prices and volumes of real ones; the volumes decide which rules can break. */
function traded(symbol: string, exchange: string, prices: readonly number[], total_match: number) {
  const [open, high, low, close, reference = 12_000] = prices
  const band = { HOSE: 0.07, HNX: 0.1, UPCOM: 0.15 }[exchange] ?? 0.07
  const summary: Row = {
    symbol,
    trading_date: SESSION,
    open: open ?? null,
    high: high ?? null,
    low: low ?? null,
    close: close ?? null,
    average: close ?? null,
    total_match,
    total_match_value: (close ?? 0) * total_match,
  }
  const limit: Row = {
    symbol,
    trading_date: SESSION,
    exchange,
    ref_price: reference,
    ceiling: Math.floor(reference * (1 + band)),
    floor: Math.ceil(reference * (1 - band)),
  }
  return { summary, limit }
}

/** docs/market-facts.md: days on which odd lots alone made open, high and low, beside ordinary ones. */
const REAL = [
  traded('ODD', 'UPCOM', [12_100, 12_100, 12_100, 12_000], 2),
  traded('MED', 'UPCOM', [10_400, 10_500, 10_400, 11_000, 11_000], 4),
  traded('TOP', 'UPCOM', [9_900, 10_000, 9_900, 10_200, 10_200], 99),
  traded('LOT', 'UPCOM', [9_900, 10_000, 9_900, 10_200, 10_200], 300),
  traded('HOS', 'HOSE', [24_600, 24_600, 24_600, 24_500, 24_500], 7),
  traded('HNX', 'HNX', [8_100, 8_200, 8_100, 8_000, 8_000], 51),
  traded('HPG', 'HOSE', [27_000, 27_100, 26_950, 27_050, 27_000], 1_000_000),
  traded('PVS', 'HNX', [33_000, 33_500, 32_800, 33_200, 33_000], 500_000),
]
const WARRANT = traded('CVRE2505', 'HOSE', [1_500, 1, 1_490, 1_500, 1_500], 20_000)

async function checked(
  rows: readonly { summary: Row; limit: Row }[],
  days: readonly string[] = [SESSION],
): Promise<Database> {
  const given = {
    'market.daily_summary': rows.map(({ summary }) => summary),
    'market.price_limit': rows.map(({ limit }) => limit),
  }
  return await checkedOf(given, days)
}

async function checkedOf(given: Given, days: readonly string[] = [SESSION]): Promise<Database> {
  const database = await warehouseOf(given)
  const options = { home: temporaryFolder(), runIdOf: () => 'test-run', calendar: loadCalendar() }
  await audit(database, { runs: [], days, snapshots: [] }, options, evening())
  return database
}

const withheldIn = (database: Database) => withheldSessions((sql) => database.rows(sql))
const finding = 'SELECT severity, state FROM recon.finding WHERE rule = 1'

describe('rows with the figures of real ones', () => {
  test('are all published: days of odd lots are soft, and on UPCOM, where others break the rule too, it warns', async () => {
    const database = await checked(REAL)
    expect(await withheldIn(database)).toEqual([])
    expect(await database.rows(finding)).toEqual([{ severity: 'warn', state: 'break' }])
    const offenders = await database.rows(
      `SELECT json_extract_string(key, '$.symbol') AS symbol, state, withheld_key FROM recon.offender
       WHERE rule = 1 ORDER BY 1`,
    )
    const soft = ['HNX', 'HOS', 'MED', 'ODD', 'TOP'].map((symbol) => ({
      symbol,
      state: 'soft',
      withheld_key: null,
    }))
    expect(offenders).toEqual(
      [...soft, { symbol: 'LOT', state: 'break', withheld_key: null }].sort((a, b) =>
        a.symbol < b.symbol ? -1 : 1,
      ),
    )
  })

  test('stay published beside a warrant whose high is 1: that row alone is withheld', async () => {
    const database = await checked([...REAL, WARRANT])
    expect(await database.rows(finding)).toEqual([{ severity: 'error', state: 'break' }])
    expect(await withheldIn(database)).toMatchObject([
      { relation: 'market.daily_summary', tradingDate: SESSION, rule: 1, keys: ['CVRE2505'] },
    ])
  })

  test('are withheld as a session only where more rows break a rule than are stored', async () => {
    const rows = Array.from({ length: 1001 }, (_, n) =>
      traded(`C${n}`, 'HOSE', [1_500, 1, 1_490, 1_500, 1_500], 200),
    )
    const before = rows.slice(1).map(({ summary, limit }) => ({
      summary: { ...summary, trading_date: SESSION_BEFORE, total_match: 300, total_match_value: 450_000 },
      limit: { ...limit, trading_date: SESSION_BEFORE },
    }))
    const withheld = await withheldIn(await checked([...before, ...rows], [SESSION_BEFORE, SESSION]))
    expect(withheld).toMatchObject([
      { rule: 1, tradingDate: SESSION_BEFORE },
      { rule: 1, tradingDate: SESSION, offenders: 1001, keys: null },
    ])
    expect(withheld[0]?.keys).toHaveLength(1000)
  })
})

describe('an answer shorter than its own count', () => {
  const ANSWERS = [
    ['of one symbol withholds the bars of that symbol', 'ohlc', 'HPG', '1m', 'market.candle', ['HPG']],
    ['of one index withholds its summary', 'indexSummary', 'VN30', '', 'market.index_summary', ['VN30']],
    ['of the whole market withholds the session', 'masterdata', '*', '', 'market.price_limit', null],
  ] as const
  let withheld: Awaited<ReturnType<typeof withheldIn>>
  beforeAll(async () => {
    const run = '20250314T110000000Z-abcd'
    const pages = ANSWERS.map(([, dataset, key, timeframe], at) => ({
      page: { request_id: `${run}-00000${at}`, run_id: run, dataset, walk: `${run}-w00000${at}`, page: 1 },
      window: { key, timeframe },
    }))
    const database = await checkedOf({
      'ops.request': pages.map(({ page }) => ({
        ...page,
        row_count: 5,
        items_count: 9,
        pages_count: 1,
        page_size: 1000,
      })),
      'ops.coverage': pages.map(({ page, window }) =>
        covered(page.dataset, {
          ...window,
          request_id: page.request_id,
          state: 'incomplete',
          reason: '5 rows where itemsCount says 9',
        }),
      ),
    })
    withheld = await withheldIn(database)
  })

  test.each(ANSWERS)('%s', (_, _dataset, _key, _timeframe, relation, keys) => {
    expect(withheld.filter((each) => each.relation === relation)).toMatchObject([{ rule: 21, keys }])
    expect(withheld).toHaveLength(ANSWERS.length)
  })
})
