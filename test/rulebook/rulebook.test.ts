import { isTradingBoard } from 'candlehouse-foundation/market/board'
import { addDays, isDay, weekday } from 'candlehouse-foundation/market/day'
import { parseFuturesCode } from 'candlehouse-foundation/market/futures'
import { kindOf } from 'candlehouse-foundation/market/kind'
import { readReference } from 'candlehouse-foundation/market/reference'
import { CERTAINTIES, marketRules, type RuleScope, ruleOn } from 'candlehouse-foundation/market/rulebook'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { limit, warehouseOf } from '../audit/world.js'

const TABLES = [
  { name: 'market_rules', key: ['rule', 'scope'] },
  { name: 'ticks', key: ['board', 'kind', 'price_from'] },
  { name: 'sessions', key: ['board', 'phase', 'starts', 'ends'] },
]
const DATED = ['valid_from', 'valid_to', 'source', 'certainty']

/** Between two rows of one rule, where no source states what applied: table, row, last day before and first day after. */
const GAPS = [
  'market_rules final_settlement_price DERIVATIVE/VN30: nothing between 2020-09-24 and 2024-07-25',
]

describe.each(TABLES)('data/reference/$name.csv', ({ name, key }) => {
  const rows = readReference(name, [...key, ...DATED])
  const nameOf = (row: Readonly<Record<string, string>>): string => key.map((column) => row[column]).join(' ')

  test('names a source, a certainty and days for every row', () => {
    const wrong = rows.filter(
      ({ valid_from = '', valid_to = '', source, certainty = '' }) =>
        !isDay(valid_from) ||
        (valid_to !== '' && (!isDay(valid_to) || valid_to < valid_from)) ||
        !source ||
        !(CERTAINTIES as readonly string[]).includes(certainty),
    )
    expect(
      wrong.map((row) => `${nameOf(row)} from ${row.valid_from}: state days, source and certainty`),
    ).toEqual([])
  })

  test('has one row at a time', () => {
    const overlapping = rows.flatMap((row, at) =>
      rows
        .slice(at + 1)
        .filter(
          (other) =>
            nameOf(other) === nameOf(row) &&
            (other.valid_from ?? '') <= (row.valid_to || '9999-12-31') &&
            (row.valid_from ?? '') <= (other.valid_to || '9999-12-31'),
        )
        .map(
          (other) => `${nameOf(row)}: ${row.valid_from} and ${other.valid_from} overlap: end the earlier one`,
        ),
    )
    expect(overlapping).toEqual([])
  })

  test('has no gap between two rows, other than those that no source fills', () => {
    const gaps = rows.flatMap((row) => {
      const { valid_to: until = '' } = row
      if (until === '') return []
      const later = rows.filter((other) => nameOf(other) === nameOf(row) && (other.valid_from ?? '') > until)
      const [next] = later.map(({ valid_from }) => valid_from ?? '').sort()
      return next !== undefined && addDays(until, 1) < next
        ? [`${name} ${nameOf(row)}: nothing between ${until} and ${next}`]
        : []
    })
    expect(gaps).toEqual(GAPS.filter((gap) => gap.startsWith(`${name} `)))
  })
})

test('data/reference/calendar.csv lists weekdays once, ascending, each with its source and certainty', () => {
  const rows = readReference('calendar', ['day', 'closed_for', 'source', 'certainty'])
  const wrong = rows.filter(
    ({ day = '', closed_for, source, certainty = '' }, at) =>
      !isDay(day) ||
      [0, 6].includes(weekday(day)) ||
      (rows[at + 1]?.day ?? '9999') <= day ||
      !closed_for ||
      !source ||
      !(CERTAINTIES as readonly string[]).includes(certainty),
  )
  expect(wrong.map(({ day }) => `${day}: state a weekday, once, with reason, source and certainty`)).toEqual(
    [],
  )
})

test('holidays of the same date in every year are published, as their rule is', () => {
  const [fixed] = marketRules().filter(({ rule }) => rule === 'fixed_holidays')
  const rows = readReference('calendar', ['day', 'certainty']).filter(({ day = '' }) =>
    fixed?.value.split(';').includes(day.slice(5)),
  )
  expect(rows.length).toBeGreaterThan(60)
  expect(rows.filter(({ certainty }) => certainty !== fixed?.certainty)).toEqual([])
})

test('every scope names a board, and a kind or an underlying of it', () => {
  const contracts = new Set([
    'spread',
    ...marketRules()
      .filter(({ rule }) => rule === 'contract_code')
      .map(({ scope }) => scope.split('/')[1]),
  ])
  const kinds = ['stock', 'etf', 'covered_warrant']
  const isScope = ({ scope }: { scope: string }): boolean => {
    const [board = '', name, ...more] = scope.split('/')
    if (scope === '*') return true
    if (!isTradingBoard(board) || more.length > 0) return false
    return name === undefined || (board === 'DERIVATIVE' ? contracts.has(name) : kinds.includes(name))
  }
  expect(marketRules().filter((rule) => !isScope(rule))).toEqual([])
})

test('numbers are numbers', () => {
  const numeric = [
    'price_band_first_day',
    'price_band_idle',
    'idle_sessions',
    'lot_size',
    'board_total',
    'ordered_prices',
    'multiplier',
    'sell_tax',
  ]
  const wrong = marketRules().filter(
    ({ rule, value }) => numeric.includes(rule) && !/^\d+(\.\d+)?$/.test(value),
  )
  expect(wrong).toEqual([])
})

test.each(['lot_size', 'ordered_prices', 'board_total', 'price_band_idle'])(
  'mart.%s is that of market_rules.csv on the first and the last day of each row',
  async (name) => {
    const rows = marketRules().filter(({ rule }) => rule === name)
    const asked = rows.flatMap(({ scope, validFrom, validTo }) =>
      [validFrom, validTo || '2030-01-02'].map((day) => ({ board: scope, day })),
    )
    const database = await warehouseOf({})
    const found = await database.rows<{ value: number | null }>(
      `SELECT CAST(mart.${name}(ask.board, ask.day) AS DOUBLE) AS value
       FROM (SELECT unnest(from_json(?, '[{"board":"VARCHAR","day":"DATE"}]')) AS ask)`,
      [JSON.stringify(asked)],
    )
    expect(found.map(({ value }) => value)).toEqual(
      rows.flatMap(({ value }) => [Number(value), Number(value)]),
    )
    expect(
      await database.rows(`SELECT mart.${name}('HOSE', DATE '1999-01-04') AS before_the_exchange`),
    ).toEqual([{ before_the_exchange: null }])
  },
)

describe('mart.instrument_rule_as_of', () => {
  const BOARDS = { HPG: 'HOSE', SHS: 'HNX', BSR: 'UPCOM', FUEVFVND: 'HOSE', CHPG2501: 'HOSE' }
  let database: Database
  beforeAll(async () => {
    database = await warehouseOf({
      'market.price_limit': Object.entries(BOARDS).map(([symbol, exchange]) => limit({ symbol, exchange })),
    })
  })
  const ask = async (symbol: string, day: string): Promise<Record<string, unknown> | undefined> =>
    (
      await database.rows<Record<string, unknown>>(
        `SELECT * EXCLUDE (trading_date, settlement_date), CAST(settlement_date AS VARCHAR) AS settlement_date
         FROM mart.instrument_rule_as_of('${symbol}', DATE '${day}')`,
      )
    )[0]

  // Two readers of the same files: one of the program, one of SQL.
  const DAYS = ['2014-06-02', '2020-12-31', '2021-01-04', '2025-05-05', '2025-10-15', '2026-03-02']
  const SYMBOLS = [...Object.keys(BOARDS), 'VN30F2409', '41I1G3000', '41I2FA000', '41B5FC000', '41BAG3000']
  test.each(SYMBOLS)('says of %s what the program finds', async (symbol) => {
    for (const day of DAYS) {
      const kind = kindOf({ symbol })
      const underlying = parseFuturesCode(symbol)?.underlying
      const board = kind === 'future' ? 'DERIVATIVE' : BOARDS[symbol as keyof typeof BOARDS]
      const scope = { board, kind, underlying } as RuleScope
      const number = (rule: string): number | null => {
        const found = ruleOn(rule, scope, day)
        return found && Number.isFinite(Number(found.value)) ? Number(found.value) : null
      }
      const asked = await ask(symbol, day)
      expect([day, asked]).toEqual([
        day,
        expect.objectContaining({
          kind,
          board,
          underlying: underlying ?? null,
          multiplier: underlying ? expect.any(Number) : 1,
          price_band: number('price_band'),
          sell_tax: number('sell_tax'),
        }),
      ])
      expect([day, Number(asked?.lot_size ?? Number.NaN)]).toEqual([day, number('lot_size') ?? Number.NaN])
    }
  })

  test('knows futures on VN100 and on bonds, by their present and former codes', async () => {
    expect(await ask('41I2FA000', '2025-10-15')).toMatchObject({
      underlying: 'VN100',
      multiplier: 100_000,
      price_band: 7,
    })
    expect(await ask('41B5FC000', '2025-10-15')).toMatchObject({
      underlying: 'GB05',
      multiplier: 10_000,
      price_band: 3,
    })
    expect(await ask('41BAFC000', '2025-10-15')).toMatchObject({
      underlying: 'GB10',
      multiplier: 10_000,
      price_band: 3,
    })
    expect(await ask('GB05F2412', '2024-10-15')).toMatchObject({ kind: 'future', underlying: 'GB05' })
  })

  test('of an unknown underlying, a spread or a symbol that nothing names, says what it does not know', async () => {
    expect(await ask('41X9FC000', '2025-10-15')).toMatchObject({
      kind: 'future',
      underlying: 'X9',
      multiplier: null,
      note: expect.stringContaining('X9'),
    })
    expect(await ask('42I1FAFC0', '2025-10-15')).toMatchObject({
      kind: 'spread',
      board: 'DERIVATIVE',
      multiplier: null,
      note: expect.stringContaining('spread'),
    })
    expect(await ask('ZZZ', '2025-10-15')).toMatchObject({
      kind: 'stock',
      board: null,
      price_band: null,
      sell_tax: null,
      note: expect.stringContaining('board'),
    })
    expect(await ask('HPG', '2025-10-15')).toMatchObject({ note: null })
  })

  test('settles shares two sessions later, futures one: over weekends and closed days', async () => {
    // Friday, then Monday and Tuesday; the Tuesday before 30 April and 1 May.
    expect(await ask('HPG', '2025-03-14')).toMatchObject({ settlement_date: '2025-03-18' })
    expect(await ask('HPG', '2025-04-29')).toMatchObject({ settlement_date: '2025-05-06' })
    expect(await ask('41I1G3000', '2025-04-29')).toMatchObject({ settlement_date: '2025-05-05' })
  })
})
