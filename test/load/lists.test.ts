import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import type { Window } from '../../src/plan/datasets.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse, type TestWalk } from '../support/landed.js'

function security(
  symbol: string,
  board: string,
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    symbol,
    board,
    symbolNameEn: `${symbol} Corp`,
    lotSize: '100',
    listedShare: '1,000,000',
    openInterest: null,
    ...changes,
  }
}

/** The three boards' lists as of a day. */
function boards(day: string, lists: Record<string, readonly unknown[]>): TestWalk[] {
  return ['HOSE', 'HNX', 'UPCOM'].map((board) => ({
    window: window('securities', board, day),
    bodies: [lists[board] ?? []],
    end: { state: (lists[board] ?? []).length > 0 ? 'complete' : 'empty', reason: null },
  }))
}

function window(dataset: Window['dataset'], key: string, day: string): Window {
  return { dataset, key, timeframe: '', from: day, to: day }
}

const history = (warehouse: Database) =>
  warehouse.rows('SELECT symbol, board, valid_from, valid_to FROM market.security_history ORDER BY ALL')

const DIRTY = `SELECT partition AS day FROM ops.dirty_partition
  WHERE relation = 'market.security_daily' ORDER BY day`

const many = (board: string, count: number) =>
  Array.from({ length: count }, (_, i) => security(`${board}${i}`, board))

describe('security lists', () => {
  test('a symbol that moves between boards gets a new validity and stays listed', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const rest = { UPCOM: many('UPCOM', 5), HNX: many('HNX', 9) }
    await loadWalks(
      warehouse,
      home,
      boards('2025-03-13', {
        ...rest,
        HOSE: [security('AAA', 'HOSE')],
        HNX: [...rest.HNX, security('SHS', 'HNX')],
      }),
    )
    await loadWalks(
      warehouse,
      home,
      boards('2025-03-14', { ...rest, HOSE: [security('AAA', 'HOSE'), security('SHS', 'HOSE')] }),
    )
    const rows = (await history(warehouse)).filter((row) => (row as { symbol: string }).symbol === 'SHS')
    expect(rows).toEqual([
      { symbol: 'SHS', board: 'HNX', valid_from: '2025-03-13', valid_to: '2025-03-14' },
      { symbol: 'SHS', board: 'HOSE', valid_from: '2025-03-14', valid_to: null },
    ])
    expect(
      await warehouse.rows(
        "SELECT board, first_seen, last_seen, is_listed FROM market.security WHERE symbol = 'SHS'",
      ),
    ).toEqual([{ board: 'HOSE', first_seen: '2025-03-13', last_seen: '2025-03-14', is_listed: true }])
  })

  test('absence means delisted only when all boards answered', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const all = { HOSE: many('HOSE', 6), HNX: many('HNX', 6), UPCOM: many('UPCOM', 6) }
    const less = { ...all, HNX: all.HNX.slice(1) }
    await loadWalks(warehouse, home, boards('2025-03-12', all))
    await loadWalks(warehouse, home, boards('2025-03-13', less).slice(0, 2))
    expect(await warehouse.rows('SELECT count(*) AS n FROM market.security WHERE is_listed')).toEqual([
      { n: 18n },
    ])
    await loadWalks(warehouse, home, boards('2025-03-14', less))
    expect(await warehouse.rows('SELECT symbol, last_seen FROM market.security WHERE NOT is_listed')).toEqual(
      [{ symbol: 'HNX0', last_seen: '2025-03-12' }],
    )
    expect(
      await warehouse.rows("SELECT valid_to FROM market.security_history WHERE symbol = 'HNX0'"),
    ).toEqual([{ valid_to: '2025-03-14' }])
    await loadWalks(warehouse, home, boards('2025-03-17', all))
    expect(
      await warehouse.rows(
        "SELECT valid_from, valid_to FROM market.security_history WHERE symbol = 'HNX0' ORDER BY 1",
      ),
    ).toEqual([
      { valid_from: '2025-03-12', valid_to: '2025-03-14' },
      { valid_from: '2025-03-17', valid_to: null },
    ])
  })

  test('a list with half a board missing delists nobody and is incomplete', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const all = { HOSE: many('HOSE', 10), HNX: many('HNX', 10), UPCOM: many('UPCOM', 10) }
    await loadWalks(warehouse, home, boards('2025-03-13', all))
    const [loaded] = await loadWalks(warehouse, home, boards('2025-03-14', { ...all, HNX: all.HNX.slice(5) }))
    expect(loaded?.missing).toEqual(['HNX 2025-03-14: names 5 where 10 are held'])
    expect(await warehouse.rows('SELECT count(*) AS n FROM market.security WHERE is_listed')).toEqual([
      { n: 30n },
    ])
  })
})

describe('security lists of other days', () => {
  test('the same lists again change nothing, arrival included; daily attributes open no validity', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const lists = (interest: string) => ({
      HOSE: [security('E1VFVN30', 'HOSE', { iNav: interest })],
      HNX: many('HNX', 2),
      UPCOM: many('UPCOM', 2),
    })
    await loadWalks(warehouse, home, boards('2025-03-13', lists('20000')))
    const before = await warehouse.rows('FROM market.security ORDER BY symbol')
    const [again] = await loadWalks(warehouse, home, boards('2025-03-13', lists('20000')), {
      receivedAt: '2025-07-01T00:00:00.000Z',
    })
    expect(again?.changed).toBe(0)
    expect(await warehouse.rows('FROM market.security ORDER BY symbol')).toEqual(before)
    await loadWalks(warehouse, home, boards('2025-03-14', lists('20100')))
    expect(
      await warehouse.rows(
        "SELECT i_nav, valid_from, valid_to FROM market.security_history WHERE symbol = 'E1VFVN30'",
      ),
    ).toEqual([{ i_nav: '20100.000000', valid_from: '2025-03-13', valid_to: null }])
  })

  test('a board whose symbols never had a field has not lost it: a null may be absent', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const without = (list: readonly Record<string, unknown>[]) =>
      list.map(({ openInterest: _, ...record }) => record)
    const future = (openInterest: string | null) => security('VN30F2504', 'HNX', { openInterest })
    const lists = { HOSE: many('HOSE', 5), HNX: many('HNX', 5), UPCOM: many('UPCOM', 5) }
    const load = (day: string, hnx: readonly unknown[]) =>
      loadWalks(
        warehouse,
        home,
        boards(day, { HOSE: without(lists.HOSE), HNX: hnx, UPCOM: without(lists.UPCOM) }),
      )
    await loadWalks(warehouse, home, boards('2025-03-13', { ...lists, HNX: [...lists.HNX, future('500')] }))
    const [still] = await load('2025-03-14', [...without(lists.HNX), future('600')])
    expect(still?.missing).toEqual([])
    const [gone] = await load('2025-03-17', without([...lists.HNX, future(null)]))
    expect(gone?.missing).toContain('HNX 2025-03-17: field openInterest is missing in 6 of 6 records')
  })

  test('the figures that move daily are kept by session', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const lists = (iNav: string | null, openInterest: string | null = null) => ({
      HOSE: [security('E1VFVN30', 'HOSE', { iNav }), security('AAA', 'HOSE')],
      HNX: [...many('HNX', 5), security('VN30F2504', 'HNX', { openInterest, settlementPrice: '1300.5' })],
      UPCOM: many('UPCOM', 2),
    })
    const load = (day: string, all: ReturnType<typeof lists>, receivedAt: string) =>
      loadWalks(warehouse, home, boards(day, all), { receivedAt })
    const figures = () =>
      warehouse.rows(`SELECT symbol, CAST(trading_date AS VARCHAR) AS day, i_nav, open_interest, loaded_at
        FROM market.security_daily ORDER BY symbol, day`)
    const revised = () =>
      warehouse.rows(`SELECT key, "column", old, new, known_since FROM market.revision
        WHERE relation = 'market.security_daily' AND "column" <> '*' ORDER BY key, "column"`)
    const row = (symbol: string, day: string, told: object) => ({
      symbol,
      day,
      i_nav: null,
      open_interest: null,
      ...told,
    })
    await load('2025-03-13', lists('20000', '500'), '2025-03-13T12:00:00.000Z')
    await load('2025-03-14', lists('20100', '600'), '2025-03-14T12:00:00.000Z')
    const [first, second] = ['2025-03-13 12:00:00+00', '2025-03-14 12:00:00+00']
    const held = [
      row('E1VFVN30', '2025-03-13', { i_nav: '20000.000000', loaded_at: first }),
      row('E1VFVN30', '2025-03-14', { i_nav: '20100.000000', loaded_at: second }),
      row('VN30F2504', '2025-03-13', { open_interest: 500n, loaded_at: first }),
      row('VN30F2504', '2025-03-14', { open_interest: 600n, loaded_at: second }),
    ]
    expect(await figures()).toEqual(held)
    expect(await warehouse.rows(DIRTY)).toEqual([{ day: '2025-03-13' }, { day: '2025-03-14' }])

    // The same night again: as it was, and nothing to publish.
    await warehouse.run('DELETE FROM ops.dirty_partition')
    await load('2025-03-14', lists('20100', '600'), '2025-03-14T15:00:00.000Z')
    expect(await figures()).toEqual(held)
    expect(await warehouse.rows(DIRTY)).toEqual([])
    expect(await revised()).toEqual([])

    // Asked again with other values: the day before stays, the day itself is replaced; what is told no more goes.
    await load('2025-03-14', lists(null, '610'), '2025-03-14T16:00:00.000Z')
    expect(await figures()).toEqual([
      held[0],
      held[2],
      row('VN30F2504', '2025-03-14', { open_interest: 610n, loaded_at: '2025-03-14 16:00:00+00' }),
    ])
    expect(await warehouse.rows(DIRTY)).toEqual([{ day: '2025-03-14' }])
    expect(await revised()).toEqual([
      {
        key: '{"symbol":"VN30F2504","trading_date":"2025-03-14"}',
        column: 'open_interest',
        old: '600',
        new: '610',
        known_since: second,
      },
    ])
    expect(
      await warehouse.rows(`SELECT json_extract_string(old, '$.i_nav') AS i_nav, new FROM market.revision
        WHERE relation = 'market.security_daily' AND "column" = '*'`),
    ).toEqual([{ i_nav: '20100.0', new: null }])
    expect(
      await warehouse.rows("SELECT partition FROM ops.dirty_partition WHERE relation = 'market.revision'"),
    ).toEqual([{ partition: '2025-03' }])
  })

  test('lists received for an older date than one already applied change the history, not what is listed now', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const all = { HOSE: many('HOSE', 2), HNX: many('HNX', 2), UPCOM: many('UPCOM', 2) }
    await loadWalks(warehouse, home, boards('2025-03-14', all))
    const [older] = await loadWalks(
      warehouse,
      home,
      boards('2025-03-12', { ...all, HOSE: [...all.HOSE, security('OLD', 'HOSE')] }),
    )
    expect(older?.changed).toBe(7)
    expect(
      await warehouse.rows(
        'SELECT max(last_seen) AS day, count(*) AS n FROM market.security WHERE is_listed',
      ),
    ).toEqual([{ day: '2025-03-14', n: 6n }])
    expect(
      await warehouse.rows(
        `SELECT symbol, CAST(valid_from AS VARCHAR) AS "from", CAST(valid_to AS VARCHAR) AS "to" FROM market.security_history
         WHERE symbol = 'OLD' OR valid_from <> '2025-03-12'`,
      ),
    ).toEqual([{ symbol: 'OLD', from: '2025-03-12', to: '2025-03-14' }])
  })
})

describe('index members', () => {
  test('leaving and joining close and open validities; an empty answer empties nothing', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const members = (day: string, symbols: string[]): TestWalk => ({
      window: window('indexMembers', 'VN30', day),
      bodies: [symbols.length > 0 ? symbols.map((symbol) => security(symbol, 'HOSE')) : { code: 204 }],
      end: { state: symbols.length > 0 ? 'complete' : 'empty', reason: null },
    })
    await loadWalks(warehouse, home, [members('2025-03-12', ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'])])
    await loadWalks(warehouse, home, [members('2025-03-13', ['BBB', 'CCC', 'DDD', 'EEE', 'FFF'])])
    await loadWalks(warehouse, home, [members('2025-03-14', [])])
    expect(
      await warehouse.rows(
        'SELECT symbol, valid_from, valid_to FROM market.index_member WHERE symbol IN (?, ?, ?) ORDER BY ALL',
        ['AAA', 'BBB', 'FFF'],
      ),
    ).toEqual([
      { symbol: 'AAA', valid_from: '2025-03-12', valid_to: '2025-03-13' },
      { symbol: 'BBB', valid_from: '2025-03-12', valid_to: null },
      { symbol: 'FFF', valid_from: '2025-03-13', valid_to: null },
    ])
  })
})
