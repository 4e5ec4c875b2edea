import { beforeAll, describe, expect, test } from 'vitest'
import { tableHashes } from '../../src/read/index.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { type Bar, candleWalk, indexWalk, limitWalk, publishTest } from '../support/published.js'

type Runs = readonly Parameters<typeof loadWalks>[2][]

const bar = (time: string, close = '27050'): Bar => [
  time,
  '27000',
  '27100',
  '26950',
  close,
  '1200',
  '32460000',
]

const market: Runs = [
  [indexWalk('2025-03-14', 'VNINDEX', 'VN30'), limitWalk('2025-03-14', 'HPG', 'FPT')],
  [candleWalk('HPG', '2025-03-14', [bar('09:15:00', '27060'), bar('09:16:00')])],
  [candleWalk('FPT', '2025-03-14', [bar('09:15:00')])],
]

/** A home into which each of the runs was loaded. */
async function loaded(runs: Runs, options: Parameters<typeof loadWalks>[3] = {}) {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  for (const walks of runs) await loadWalks(warehouse, home, walks, options)
  return { home, warehouse }
}

/** Hashes of a home into which each of the runs was loaded, then published. */
async function hashesAfter(runs: Runs, options: Parameters<typeof loadWalks>[3] = {}) {
  const { home, warehouse } = await loaded(runs, options)
  await publishTest(warehouse, home)
  return await tableHashes(home)
}

describe('table hashes', () => {
  let ofMarket: Record<string, string>
  beforeAll(async () => {
    ofMarket = await hashesAfter(market, { receivedAt: '2025-06-30T12:00:00.000Z' })
  })

  test('exist for every published relation', async () => {
    const hashes = ofMarket
    expect(Object.keys(hashes)).toHaveLength(37)
    expect(hashes).toHaveProperty(['market.candle'])
    expect(hashes).toHaveProperty(['ops.coverage'])
  })

  test('are equal for the same responses in another order, from other runs, at another time; loaded rows that are not published do not count; differ if two values are swapped, and between one row and the same row twice and four times', async () => {
    const reversed: Runs = [
      [candleWalk('FPT', '2025-03-14', [bar('09:15:00')])],
      [candleWalk('HPG', '2025-03-14', [bar('09:16:00'), bar('09:15:00', '27060')])],
      [limitWalk('2025-03-14', 'FPT', 'HPG'), indexWalk('2025-03-14', 'VN30', 'VNINDEX')],
    ]
    const { home, warehouse } = await loaded(reversed, { receivedAt: '2025-07-01T18:30:00.000Z' })
    await publishTest(warehouse, home)
    // The pages themselves differ: their rows are in another order.
    const rows = ({ 'ops.request': _, ...rest }: Record<string, string>) => rest
    const first = await tableHashes(home)
    expect(rows(first)).toEqual(rows(ofMarket))

    await loadWalks(warehouse, home, [
      candleWalk('HPG', '2025-03-14', [bar('09:15:00'), bar('09:16:00', '27060')]),
    ])
    const seen = [first]
    for (let time = 0; time < 2; time += 1) {
      await warehouse.run('INSERT INTO market.price_limit SELECT * FROM market.price_limit')
      await warehouse.run("INSERT INTO ops.dirty_partition VALUES ('market.price_limit', '2025-03-14')")
      if (time === 0) expect(await tableHashes(home)).toEqual(first)
      await publishTest(warehouse, home)
      seen.push(await tableHashes(home))
    }
    expect(seen[1]?.['market.candle']).not.toBe(first['market.candle'])
    expect(new Set(seen.map((hashes) => hashes['market.price_limit'])).size).toBe(3)
  })

  test('differ only in the relation with a different value', async () => {
    const other = await hashesAfter([
      ...market.slice(0, 2),
      [candleWalk('FPT', '2025-03-14', [bar('09:15:00', '27050.000001')])],
    ])
    const different = Object.keys(ofMarket).filter((relation) => ofMarket[relation] !== other[relation])
    expect(different).toEqual(['market.candle', 'ops.request', 'mart.intraday'])
  })
})
