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
  [candleWalk('HPG', '2025-03-14', [bar('09:15:00'), bar('09:16:00')])],
  [candleWalk('FPT', '2025-03-14', [bar('09:15:00')])],
]

/** Hashes of a home into which each of the runs was loaded, then published. */
async function hashesAfter(runs: Runs, options: Parameters<typeof loadWalks>[3] = {}) {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  for (const walks of runs) await loadWalks(warehouse, home, walks, options)
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

  test('are equal for the same responses in another order, from other runs, at another time', async () => {
    const reversed: Runs = [
      [candleWalk('FPT', '2025-03-14', [bar('09:15:00')])],
      [candleWalk('HPG', '2025-03-14', [bar('09:16:00'), bar('09:15:00')])],
      [limitWalk('2025-03-14', 'FPT', 'HPG'), indexWalk('2025-03-14', 'VN30', 'VNINDEX')],
    ]
    const other = await hashesAfter(reversed, { receivedAt: '2025-07-01T18:30:00.000Z' })
    // The pages themselves differ: their rows are in another order.
    const rows = ({ 'ops.request': _, ...rest }: Record<string, string>) => rest
    expect(rows(other)).toEqual(rows(ofMarket))
  })

  test('differ only in the relation with a different value', async () => {
    const other = await hashesAfter([
      ...market.slice(0, 2),
      [candleWalk('FPT', '2025-03-14', [bar('09:15:00', '27050.000001')])],
    ])
    const different = Object.keys(ofMarket).filter((relation) => ofMarket[relation] !== other[relation])
    expect(different).toEqual(['market.candle', 'ops.request', 'mart.intraday'])
  })

  test('differ between no row, one row and the same row twice', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    await loadWalks(warehouse, home, [limitWalk('2025-03-14', 'HPG')])
    const seen = new Set<string | undefined>()
    const look = async () => {
      await warehouse.run("INSERT INTO ops.dirty_partition VALUES ('market.price_limit', '2025-03-14')")
      await publishTest(warehouse, home)
      seen.add((await tableHashes(home))['market.price_limit'])
    }
    await look()
    await warehouse.run('INSERT INTO market.price_limit SELECT * FROM market.price_limit')
    await look()
    await warehouse.run('INSERT INTO market.price_limit SELECT * FROM market.price_limit')
    await look()
    expect(seen.size).toBe(3)
  })

  test('differ if two values are swapped; loaded rows that are not published do not count', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const night: Runs = [
      ...market.slice(0, 1),
      [candleWalk('HPG', '2025-03-14', [bar('09:15:00', '27060'), bar('09:16:00')])],
      [candleWalk('FPT', '2025-03-14', [bar('09:15:00')])],
    ]
    for (const walks of night) await loadWalks(warehouse, home, walks)
    await publishTest(warehouse, home)
    const before = await tableHashes(home)
    await loadWalks(warehouse, home, [
      candleWalk('HPG', '2025-03-14', [bar('09:15:00'), bar('09:16:00', '27060')]),
    ])
    expect(await tableHashes(home)).toEqual(before)
    await publishTest(warehouse, home)
    expect((await tableHashes(home))['market.candle']).not.toBe(before['market.candle'])
  })
})
