import { describe, expect, test } from 'vitest'
import type { Window } from '../../src/plan/datasets.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'

const day: Window = { dataset: 'ohlc', key: 'HPG', timeframe: '1m', from: '2025-03-14', to: '2025-03-14' }

function bar(time: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    symbol: 'HPG',
    tradingDate: `2025/03/14 ${time}`,
    open: '27000',
    high: '27100',
    low: '26950',
    close: '27050',
    volume: '1200',
    value: '32460000',
    ...changes,
  }
}

const page = (...data: unknown[]) => ({
  pageSize: 1000,
  pageNumber: 1,
  itemsCount: data.length,
  pageCount: 1,
  data,
})

describe('loading candles', () => {
  test('a page becomes typed rows, its request and the coverage of its session', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const [loaded] = await loadWalks(warehouse, home, [
      { window: day, bodies: [page(bar('09:15:00'), bar('14:45:00'))] },
    ])
    expect(loaded).toMatchObject({ rows: 2, changed: 2, rejected: 0, missing: [] })
    expect(
      await warehouse.rows(
        'SELECT symbol, timeframe, opened_at::VARCHAR AS opened_at, trading_date, open, value, volume FROM market.candle ORDER BY opened_at',
      ),
    ).toEqual([
      {
        symbol: 'HPG',
        timeframe: '1m',
        opened_at: '2025-03-14 02:15:00+00',
        trading_date: '2025-03-14',
        open: '27000.000000',
        value: '32460000.00',
        volume: 1200n,
      },
      {
        symbol: 'HPG',
        timeframe: '1m',
        opened_at: '2025-03-14 07:45:00+00',
        trading_date: '2025-03-14',
        open: '27000.000000',
        value: '32460000.00',
        volume: 1200n,
      },
    ])
    expect(
      await warehouse.rows(
        'SELECT key, timeframe, window_from, state, row_count, expires_on FROM ops.coverage',
      ),
    ).toEqual([
      {
        key: 'HPG',
        timeframe: '1m',
        window_from: '2025-03-14',
        state: 'complete',
        row_count: 2n,
        expires_on: '2026-03-15',
      },
    ])
    expect(await warehouse.rows('SELECT count(*) AS n FROM ops.request')).toEqual([{ n: 1n }])
    expect(
      await warehouse.rows('SELECT DISTINCT relation, partition FROM ops.dirty_partition ORDER BY ALL'),
    ).toEqual([
      { relation: 'market.candle', partition: '2025-03-14' },
      { relation: 'ops.coverage', partition: '2025-03' },
      { relation: 'ops.request', partition: '2025-06' },
    ])
  })

  test('one key with two values in one answer: neither is believed, the rest is loaded', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const [loaded] = await loadWalks(warehouse, home, [
      {
        window: day,
        bodies: [
          page(bar('09:15:00'), bar('09:16:00')),
          page(bar('09:16:00'), bar('09:15:00', { open: '27010' })),
        ],
      },
    ])
    expect(loaded).toMatchObject({
      rejected: 2,
      changed: 1,
      missing: ['HPG 1m 2025-03-14: 2 records rejected'],
    })
    expect(await warehouse.rows('SELECT reason, payload FROM ops.quarantine ORDER BY request_id')).toEqual([
      { reason: 'the same key twice with different values', payload: JSON.stringify(bar('09:15:00')) },
      {
        reason: 'the same key twice with different values',
        payload: JSON.stringify(bar('09:15:00', { open: '27010' })),
      },
    ])
  })

  test.each([
    [
      'moved from a page to a later one, so that another was missed',
      [
        [1, 2],
        [3, 4],
        [1, 6],
      ],
      6,
      '5 rows where itemsCount says 6',
    ],
    [
      'came on two pages, and all that were counted came',
      [
        [1, 2],
        [3, 4],
        [1, 5],
      ],
      5,
      null,
    ],
    [
      'came twice on one page: nothing moved',
      [
        [1, 2],
        [3, 4],
        [5, 5],
      ],
      6,
      null,
    ],
    [
      'came on two pages of a service that counts nothing',
      [
        [1, 2],
        [3, 4],
        [1, 6],
      ],
      undefined,
      null,
    ],
  ])('a record %s', async (_, pages, items, reason) => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const bodies = pages.map((minutes) => page(...minutes.map((minute) => bar(`09:1${minute}:00`))))
    const [loaded] = await loadWalks(warehouse, home, [
      { window: day, bodies, ...(items === undefined ? {} : { items }) },
    ])
    expect(loaded?.missing).toEqual(reason === null ? [] : [`HPG 1m 2025-03-14: ${reason}`])
    expect(loaded?.changed).toBe(new Set(pages.flat()).size)
  })

  test('an answer received before the close is not complete', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const [loaded] = await loadWalks(warehouse, home, [{ window: day, bodies: [page(bar('09:15:00'))] }], {
      receivedAt: '2025-03-14T07:59:59.000Z',
    })
    expect(loaded?.missing).toEqual(['HPG 1m 2025-03-14: asked before the session closed'])
  })
})

describe('loading candles again', () => {
  test('the same answer again changes nothing', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const walk = { window: day, bodies: [page(bar('09:15:00'), bar('09:16:00'))] }
    await loadWalks(warehouse, home, [walk])
    const before = await warehouse.rows('FROM market.candle ORDER BY opened_at')
    const [again] = await loadWalks(warehouse, home, [walk], { receivedAt: '2025-06-30T13:00:00.000Z' })
    expect(again).toMatchObject({ changed: 0 })
    expect(await warehouse.rows('FROM market.candle ORDER BY opened_at')).toEqual(before)
    expect(await warehouse.rows('FROM market.revision')).toEqual([])
  })

  test('a restated bar is replaced and its former value kept; a withdrawn bar goes, and is kept too', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    await loadWalks(warehouse, home, [
      { window: day, bodies: [page(bar('09:15:00'), bar('09:16:00'), bar('09:17:00'))] },
    ])
    await loadWalks(warehouse, home, [
      { window: day, bodies: [page(bar('09:15:00', { close: '27060' }), bar('09:17:00'))] },
    ])
    expect(
      await warehouse.rows('SELECT opened_at::VARCHAR AS at, close FROM market.candle ORDER BY 1'),
    ).toEqual([
      { at: '2025-03-14 02:15:00+00', close: '27060.000000' },
      { at: '2025-03-14 02:17:00+00', close: '27050.000000' },
    ])
    const revisions = await warehouse.rows<{ column: string; old: string; new: string; key: string }>(
      'SELECT "column", old, new, key FROM market.revision ORDER BY "column"',
    )
    expect(revisions).toHaveLength(2)
    expect(revisions[0]).toMatchObject({ column: '*', new: null })
    expect(revisions[1]).toEqual({
      column: 'close',
      old: '27050.000000',
      new: '27060.000000',
      key: '{"symbol":"HPG","timeframe":"1m","opened_at":"2025-03-14T02:15:00Z"}',
    })
  })

  test('an answer that lacks much of what is held withdraws nothing: the window is incomplete', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const bars = ['15', '16', '17', '18', '19'].map((minute) => bar(`09:${minute}:00`))
    await loadWalks(warehouse, home, [{ window: day, bodies: [page(...bars)] }])
    const [loaded] = await loadWalks(warehouse, home, [{ window: day, bodies: [page(bars[0])] }])
    expect(loaded).toMatchObject({ changed: 0, missing: ['HPG 1m 2025-03-14: lacks 4 of 5 rows held'] })
    expect(await warehouse.rows('SELECT count(*) AS n FROM market.candle')).toEqual([{ n: 5n }])
  })
})
