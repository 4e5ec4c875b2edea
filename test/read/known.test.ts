import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { installMart } from '../../src/mart/install.js'
import type { Window } from '../../src/plan/datasets.js'
import { relationOf } from '../../src/relations.js'
import { seeded } from '../e2e/support/seeded.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse, type TestWalk } from '../support/landed.js'
import { ask, type Bar, candleWalk, publishTest } from '../support/published.js'
import { type GoneRow, withdrawRows } from '../support/withdrawn.js'

const DAY = '2025-03-14'

/** Receipt of each night's pages. */
const NIGHTS = ['2025-03-14T11:30:00.000Z', '2025-03-17T11:30:00.000Z', '2025-03-18T11:30:00.000Z'] as const

/** Before anything, at the receipt of the first night itself, between the receipts, after them. */
const ASKED = {
  before: '2025-03-14 11:29:59.999+00',
  first: '2025-03-14 18:30:00+07',
  second: '2025-03-18 11:29:59+00',
  third: '2025-03-19 00:00:00+00',
}

type Table = Record<string, unknown>[]

/** The same question to the writer's side and to the published one, which must agree. */
async function both(warehouse: Database, home: string, sql: string): Promise<Table> {
  const writers = await warehouse.rows(sql)
  const readers = await ask(home, sql)
  expect(readers).toEqual(writers)
  return readers
}

const whole = (dataset: Window['dataset'], key: string, data: unknown): TestWalk => ({
  window: { dataset, key, timeframe: '', from: DAY, to: DAY },
  bodies: [{ data }],
})

const summary = (symbol: string, close: string, change = '1'): Record<string, string> => ({
  symbol,
  tradingDate: '2025/03/14',
  close,
  priceChange: '-0.5',
  priceChangePercentage: change,
  totalMatch: '10',
  totalMatchValue: '99999999999999999999.1234',
})

const limit = (symbol: string, ceiling: string): Record<string, string> => ({
  symbol,
  exchange: 'HOSE',
  tradingDate: '2025/03/14',
  ceiling,
  floor: '25150',
  refPrice: '27000',
})

const index = (value: string): Record<string, string> => ({ tradingDate: '2025/03/14', indexValue: value })

const bar = (time: string, close: string, volume = '1200'): Bar => [
  `${time}:00`,
  ...(['27000', '27100', '26950'] as const),
  close,
  volume,
  '32460000.25',
]

const EXACT = '999999999999.123456'

/** AAA is restated twice; BBB goes and returns; CCC comes late; DDD never changes; EEE is restated, then goes. */
const WALKS: readonly TestWalk[][] = [
  [
    whole('securitiesSummary', '*', [
      summary('AAA', '100.000001'),
      summary('BBB', EXACT),
      summary('DDD', '1'),
      summary('EEE', '5', '0.1'),
    ]),
    whole('masterdata', '*', [limit('AAA', '28900'), limit('BBB', EXACT), limit('DDD', '28900')]),
    whole('indexSummary', 'VNINDEX', [index('1300.25')]),
    candleWalk('AAA', DAY, [bar('09:15', '27050'), bar('09:16', EXACT), bar('09:17', '27010')]),
  ],
  [
    whole('securitiesSummary', '*', [
      summary('AAA', '100.000002'),
      summary('CCC', '7'),
      summary('DDD', '1'),
      summary('EEE', '6', '0.1'),
    ]),
    whole('masterdata', '*', [limit('AAA', '28950'), limit('DDD', '28900')]),
    whole('indexSummary', 'VNINDEX', [index('1300.26')]),
    candleWalk('AAA', DAY, [bar('09:15', '27060', '1300'), bar('09:17', '27010')]),
  ],
  [
    whole('securitiesSummary', '*', [
      summary('AAA', '100.000003', '2'),
      summary('BBB', EXACT),
      summary('CCC', '7'),
      summary('DDD', '1'),
    ]),
    whole('masterdata', '*', [limit('AAA', '28950'), limit('BBB', '1'), limit('DDD', '28900')]),
    whole('indexSummary', 'VNINDEX', [index('1300.27')]),
    candleWalk('AAA', DAY, [bar('09:15', '27070', '1300'), bar('09:16', '3'), bar('09:17', '27010')]),
  ],
]

/** Rows that each night's answers omit: they leave at the end of the night. */
const GONE: readonly GoneRow[][] = [
  [],
  [
    { dataset: 'securitiesSummary', symbol: 'BBB', day: DAY },
    { dataset: 'masterdata', symbol: 'BBB', day: DAY },
  ],
  [{ dataset: 'securitiesSummary', symbol: 'EEE', day: DAY }],
]

/** What a relation held after each night. */
type Then = Record<string, unknown[]>

/** A published home of the three nights. */
async function world(): Promise<{ home: string; warehouse: Database; then: Then }> {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const then: Then = {}
  for (const [night, receivedAt] of NIGHTS.entries()) {
    await loadWalks(warehouse, home, WALKS[night] ?? [], { receivedAt })
    await withdrawRows(warehouse, GONE[night] ?? [], receivedAt)
    for (const each of RELATIONS) then[`${each} ${receivedAt}`] = await rows(warehouse, each, each)
  }
  await installMart(warehouse)
  await publishTest(warehouse, home)
  return { home, warehouse, then }
}

/** One column by another, as one text a row. */
async function told(
  { home, warehouse }: { home: string; warehouse: Database },
  macro: string,
  columns: string,
  instant: string,
): Promise<unknown[]> {
  const sql = `SELECT concat_ws(' ', ${columns}) AS said FROM mart.${macro}_as_known_on('${instant}') ORDER BY ALL`
  return (await both(warehouse, home, sql)).map(({ said }) => said)
}

describe('facts as known on an instant', () => {
  let held: Awaited<ReturnType<typeof world>>
  beforeAll(async () => {
    held = await world()
  })

  test('rows that change, go, return and come late, in the warehouse and in the catalog', async () => {
    const daily = (instant: string) => told(held, 'daily_summary', 'symbol, close', instant)
    expect(await daily(ASKED.before)).toEqual([])
    expect(await daily(ASKED.first)).toEqual([
      'AAA 100.000001',
      `BBB ${EXACT}`,
      'DDD 1.000000',
      'EEE 5.000000',
    ])
    expect(await daily(ASKED.second)).toEqual([
      'AAA 100.000002',
      'CCC 7.000000',
      'DDD 1.000000',
      'EEE 6.000000',
    ])
    expect(await daily(ASKED.third)).toEqual([
      'AAA 100.000003',
      `BBB ${EXACT}`,
      'CCC 7.000000',
      'DDD 1.000000',
    ])

    const limits = (instant: string) => told(held, 'price_limit', 'symbol, ceiling, exchange', instant)
    expect(await limits(ASKED.first)).toEqual([
      'AAA 28900.000000 HOSE',
      `BBB ${EXACT} HOSE`,
      'DDD 28900.000000 HOSE',
    ])
    expect(await limits(ASKED.second)).toEqual(['AAA 28950.000000 HOSE', 'DDD 28900.000000 HOSE'])

    const values = (instant: string) => told(held, 'index_summary', 'index_code, index_value', instant)
    expect(await values(ASKED.before)).toEqual([])
    expect(await values(ASKED.first)).toEqual(['VNINDEX 1300.250000'])
    expect(await values(ASKED.second)).toEqual(['VNINDEX 1300.260000'])
    expect(await values(ASKED.third)).toEqual(['VNINDEX 1300.270000'])

    const bars = (instant: string) =>
      told(held, 'candle', "strftime(local_time, '%H:%M'), trading_date, close, volume, value", instant)
    expect(await bars(ASKED.before)).toEqual([])
    expect(await bars(ASKED.first)).toEqual([
      '09:15 2025-03-14 27050.000000 1200 32460000.25',
      `09:16 2025-03-14 ${EXACT} 1200 32460000.25`,
      '09:17 2025-03-14 27010.000000 1200 32460000.25',
    ])
    expect(await bars(ASKED.second)).toEqual([
      '09:15 2025-03-14 27060.000000 1300 32460000.25',
      '09:17 2025-03-14 27010.000000 1200 32460000.25',
    ])
  })

  test('a row of long ago is the row of long ago: every column, page and arrival where they are told', async () => {
    const { warehouse, then } = held
    for (const receivedAt of NIGHTS) {
      for (const each of RELATIONS) {
        const asked = await rows(
          warehouse,
          each,
          `${each.replace('market.', 'mart.')}_as_known_on('${receivedAt}')`,
        )
        const stored = then[`${each} ${receivedAt}`] ?? []
        expect(asked.length).toBe(stored.length)
        // The page is null where no revision tells it; it is never another one.
        expect(stored).toMatchObject(asked.map(withoutNullPage))
      }
    }
  })

  test('a revision of before known_since was kept counts as known since ever', async () => {
    const { warehouse } = held
    // The last test of this home.
    await warehouse.run('UPDATE market.revision SET known_since = NULL')
    const asked = await warehouse.rows(
      `SELECT symbol, close, loaded_at FROM mart.daily_summary_as_known_on('${ASKED.before}') ORDER BY symbol`,
    )
    expect(asked).toEqual([
      { symbol: 'AAA', close: '100.000001', loaded_at: null },
      { symbol: 'BBB', close: EXACT, loaded_at: '2025-03-14 11:30:00+00' },
      { symbol: 'EEE', close: '5.000000', loaded_at: null },
    ])
  })
})

const RELATIONS = [
  'market.daily_summary',
  'market.price_limit',
  'market.index_summary',
  'market.candle',
] as const

async function rows(warehouse: Database, name: string, source: string): Promise<Table> {
  const found = await warehouse.rows<Record<string, unknown>>(
    `SELECT * FROM ${source} ORDER BY ${relationOf(name).key.join(', ')}`,
  )
  return found.map(({ local_time: _, ...row }) => row)
}

function withoutNullPage({ request_id, ...row }: Record<string, unknown>): Record<string, unknown> {
  return request_id === null ? row : { request_id, ...row }
}

describe('securities as known on an instant', () => {
  const list = (day: string, lists: Record<string, readonly unknown[]>): TestWalk[] =>
    ['HOSE', 'HNX', 'UPCOM'].map((board) => ({
      window: { dataset: 'securities', key: board, timeframe: '', from: day, to: day },
      bodies: [lists[board] ?? []],
    }))
  const security = (
    symbol: string,
    name: string,
    iNav: string | null = null,
    board = 'HOSE',
  ): Record<string, unknown> => ({
    symbol,
    board,
    symbolNameEn: name,
    lotSize: '100',
    iNav,
  })
  const others = (board: string) =>
    Array.from({ length: 6 }, (_, i) => security(`${board}${i}`, board, null, board))

  test('names, listings and validities of then; what moved since and is not kept is not told', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    await installMart(warehouse)
    const rest = { HNX: others('HNX'), UPCOM: others('UPCOM') }
    const nights = [
      [
        '2025-03-14',
        [security('FPT', 'Old name'), security('ETF', 'Fund', '17000.5'), security('GONE', 'Gone')],
      ],
      ['2025-03-17', [security('FPT', 'New name'), security('ETF', 'Fund', '17001.5')]],
      [
        '2025-03-18',
        [security('FPT', 'New name'), security('ETF', 'Fund', '17002.5'), security('LATE', 'Late')],
      ],
    ] as const
    for (const [day, own] of nights) {
      await loadWalks(warehouse, home, list(day, { ...rest, HOSE: [...own, ...others('HOSE')] }), {
        receivedAt: `${day}T11:30:00.000Z`,
      })
    }
    await publishTest(warehouse, home)
    const asked = (instant: string): Promise<Table> =>
      both(
        warehouse,
        home,
        `SELECT symbol, symbol_name_en AS name, i_nav, valid_from::VARCHAR AS since, valid_to::VARCHAR AS until, is_listed AS listed,
           first_seen::VARCHAR AS first, last_seen::VARCHAR AS last
         FROM mart.security_as_known_on('${instant}') WHERE lot_size = 100 AND NOT regexp_matches(symbol, '[0-9]') ORDER BY ALL`,
      )
    const row = (symbol: string, name: string, i_nav: string | null, since: string, last: string) => ({
      symbol,
      name,
      i_nav,
      since: `2025-03-${since}`,
      until: null as string | null,
      listed: true,
      first: '2025-03-14',
      last: `2025-03-${last}`,
    })
    expect(await asked('2025-03-14 11:00:00+00')).toEqual([])
    expect(await asked('2025-03-14 12:00:00+00')).toEqual([
      row('ETF', 'Fund', null, '14', '14'),
      row('FPT', 'Old name', null, '14', '14'),
      row('GONE', 'Gone', null, '14', '14'),
    ])
    expect(await asked('2025-03-17 12:00:00+00')).toEqual([
      row('ETF', 'Fund', null, '14', '17'),
      row('FPT', 'New name', null, '17', '17'),
      { ...row('GONE', 'Gone', null, '14', '14'), until: '2025-03-17', listed: false },
    ])
    expect(await asked('2025-03-18 12:00:00+00')).toEqual([
      row('ETF', 'Fund', '17002.500000', '14', '18'),
      row('FPT', 'New name', null, '17', '18'),
      { ...row('GONE', 'Gone', null, '14', '14'), until: '2025-03-17', listed: false },
      { ...row('LATE', 'Late', null, '18', '18'), first: '2025-03-18' },
    ])
  })
})

describe('members of indexes on an evening', () => {
  const SYMBOLS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF', 'GGG']
  const HELD = 'SELECT index_code, symbol, valid_from, valid_to FROM'

  /** Lists of these days, in the order in which they come; each index has its own members. */
  async function listed(random: () => number, days: readonly string[]) {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    await installMart(warehouse)
    const evenings = new Map<string, Table>()
    const answers = new Map<string, Record<string, string>[]>()
    for (const [night, day] of days.entries()) {
      const instant = `2025-04-${String(night + 1).padStart(2, '0')}T11:30:00.000Z`
      const lists = ['VN30', 'HNX30'].map((key): TestWalk => {
        const named = SYMBOLS.filter(() => random() < 0.8)
        const drawn = [...named, 'ZZZ'].map((symbol) => ({ symbol, board: 'HOSE', symbolNameEn: symbol }))
        const data = answers.get(key + day) ?? drawn
        answers.set(key + day, data)
        return { window: { dataset: 'indexMembers', key, timeframe: '', from: day, to: day }, bodies: [data] }
      })
      await loadWalks(warehouse, home, lists, { receivedAt: instant })
      evenings.set(instant, await warehouse.rows(`${HELD} market.index_member ORDER BY ALL`))
    }
    return { home, warehouse, evenings }
  }

  test.each([
    ['some of which are asked for again on the next morning', 1, ['03', '04', '04', '05', '06', '06', '07']],
    ['of earlier days that come late', 2, ['05', '10', '03', '07', '04', '06']],
  ])('are those of every evening, from lists %s', async (_, seed, days) => {
    const { home, warehouse, evenings } = await listed(
      seeded(seed),
      days.map((day) => `2025-03-${day}`),
    )
    await publishTest(warehouse, home)
    for (const [instant, members] of evenings) {
      const then = await both(
        warehouse,
        home,
        `${HELD} mart.index_member_as_known_on('${instant}') ORDER BY ALL`,
      )
      expect([instant, then]).toEqual([instant, members])
    }
    const before = "mart.index_member_as_known_on('2025-03-31T00:00:00Z')"
    expect(await both(warehouse, home, `${HELD} ${before}`)).toEqual([])
  })
})
