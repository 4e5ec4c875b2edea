import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/duckdb/open.js'
import { readStatus } from '../../src/read/index.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { candleWalk, evening, limitWalk, publishTest } from '../support/published.js'

const end = { state: 'incomplete', reason: 'page 2 never came' } as const

/** Evening stands on 2025-06-30, 19:00 in Vietnam; a session's bars are served until a year and a day after it. */
test('gaps that expire are grouped by days left, the nearest first; expired gaps are not shown', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  await loadWalks(
    warehouse,
    home,
    ['2024-06-28', '2024-07-01', '2024-07-04', '2024-07-05', '2024-07-12', '2024-07-29', '2024-07-31'].map(
      (day) => ({ ...candleWalk('FPT', day, []), end }),
    ),
  )
  await loadWalks(warehouse, home, [{ ...candleWalk('ACB', '2024-07-05', []), end }])
  await loadWalks(warehouse, home, [{ ...candleWalk('ACB', '2024-07-04', [], '1d'), end }])
  await publishTest(warehouse, home)
  const status = await readStatus(home, evening())
  expect(
    status.expiring.map(({ withinDays, windows, next }) => [withinDays, windows, next.key, next.inDays]),
  ).toEqual([
    [7, 4, 'FPT', 2],
    [14, 1, 'FPT', 13],
    [30, 1, 'FPT', 30],
  ])
  expect(status.expiring[0]?.next).toEqual({
    dataset: 'ohlc',
    key: 'FPT',
    timeframe: '1m',
    day: '2024-07-01',
    expiresOn: '2025-07-02',
    inDays: 2,
  })
  const effects = evening()
  effects.advance(86_400_000)
  const [first] = (await readStatus(home, effects)).expiring
  expect(first).toMatchObject({ withinDays: 1, windows: 1, next: { inDays: 1 } })
})

test('open errors and the findings of the latest checked date', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  await loadWalks(warehouse, home, [limitWalk('2025-03-13', 'HPG')])
  const finding = (rule: number, day: string, severity: string, state: string, accepted = 'NULL'): string =>
    `(${rule}, 'it holds', 'market', '${day}', '${severity}', '${state}', 3, 'market.candle,market.daily_summary',
      ${accepted}, '2025-03-14T11:30:00Z')`
  await warehouse.run(
    `INSERT INTO recon.finding (rule, title, subject, trading_date, severity, state, offenders, relations, accepted, since)
     VALUES ${[
       finding(1, '2025-03-13', 'error', 'break'),
       finding(2, '2025-03-13', 'error', 'break', `'seen'`),
       finding(1, '2025-03-14', 'error', 'pass'),
       finding(2, '2025-03-14', 'error', 'pass'),
       finding(3, '2025-03-14', 'warn', 'break'),
     ].join(', ')}`,
  )
  await warehouse.run(`INSERT INTO ops.dirty_partition VALUES ('recon.finding', '2025-03')`)
  await publishTest(warehouse, home)
  const status = await readStatus(home, evening())
  expect(status.withheld).toEqual(
    ['market.candle', 'market.daily_summary'].map((relation) => ({
      relation,
      tradingDate: '2025-03-13',
      rule: 1,
      title: 'it holds',
      offenders: 3,
      keys: null,
      since: '2025-03-14T11:30:00Z',
    })),
  )
  expect(status.findings).toEqual({
    tradingDate: '2025-03-14',
    counts: [
      { severity: 'error', state: 'pass', findings: 2 },
      { severity: 'warn', state: 'break', findings: 1 },
    ],
  })
})

test('a catalog from before there were rules still shows gaps', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  await loadWalks(warehouse, home, [{ ...candleWalk('FPT', '2024-07-01', []), end }])
  await publishTest(warehouse, home)
  const catalog = await openDatabase(join(home, 'catalog.duckdb'))
  await catalog.run('DROP SCHEMA mart CASCADE')
  await catalog.run('DROP SCHEMA recon CASCADE')
  catalog.close()
  expect(await readStatus(home, evening())).toMatchObject({
    expiring: [{ withinDays: 7, windows: 1 }],
    withheld: [],
    findings: null,
    gapCount: 1,
  })
})
