import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { systemEffects } from '../../src/effects.js'
import { writeCatalog } from '../../src/lake/catalog.js'
import { readManifest } from '../../src/lake/manifest.js'
import { planLevels } from '../../src/publish/levels.js'
import { verifyLake } from '../../src/read/index.js'
import { type Relation, relationOf } from '../../src/relations.js'
import { actions } from '../support/delta.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { candleWalk, evening, publicationsOf, publishTest } from '../support/published.js'

const CANDLE = 'market.candle'
const unstopped = { onTable: () => undefined, signal: new AbortController().signal }

async function loadSession(warehouse: Database, home: string, day: string): Promise<void> {
  await loadWalks(warehouse, home, [
    candleWalk('HPG', day, ['09:15:00', '09:16:00']),
    candleWalk('HPG', day, ['09:15:00'], '5m'),
    candleWalk('VNM', day, ['09:15:00']),
    candleWalk('VNM', day, ['00:00:00'], '1d'),
  ])
}

/** Publishes as candlehouse 0.2 did: all bars of a session in one file. */
async function publishMixed(warehouse: Database, home: string): Promise<void> {
  const candle = relationOf(CANDLE) as { split?: Relation['split'] }
  const { split } = candle
  await warehouse.run(`UPDATE ops.dirty_partition SET partition = replace(partition, 'longer-', '')`)
  delete candle.split
  try {
    await publishTest(warehouse, home)
  } finally {
    candle.split = split
  }
}

/** Bars as readers see them, of the timeframes that are stored and one that is derived. */
async function barsOf(folder: string): Promise<string[]> {
  const catalog = await openDatabase(join(folder, 'catalog.duckdb'), { readOnly: true })
  try {
    const rows = await catalog.rows<{ bar: string }>(
      `SELECT concat_ws(' ', trading_date, symbol, timeframe, strftime(local_time, '%H:%M'), volume, is_derived) AS bar
       FROM market.candle WHERE timeframe IN ('1m', '5m', '15m', '1d') ORDER BY bar`,
    )
    return rows.map(({ bar }) => bar)
  } finally {
    catalog.close()
  }
}

const session = (day: string): string[] => [
  `${day} HPG 15m 09:15 2400 true`,
  `${day} HPG 1m 09:15 1200 false`,
  `${day} HPG 1m 09:16 1200 false`,
  `${day} HPG 5m 09:15 1200 false`,
  `${day} VNM 15m 09:15 1200 true`,
  `${day} VNM 1d 00:00 1200 false`,
  `${day} VNM 1m 09:15 1200 false`,
  `${day} VNM 5m 09:15 1200 true`,
]

describe('bars longer than a minute', () => {
  test('leave the files of an earlier version with the next publication, without a data change; a catalog over those files reads every bar once', async () => {
    const home = temporaryFolder()
    const lake = join(home, 'lake')
    const warehouse = await openTestWarehouse(home)
    const days = ['2025-02-27', '2025-02-28', '2025-03-13', '2025-03-14']
    for (const day of days) await loadSession(warehouse, home, day)
    // Readers keep the file of a withheld session, whatever the warehouse has by then.
    await publishMixed(warehouse, home)
    await warehouse.run(
      `INSERT INTO recon.finding (rule, subject, trading_date, severity, state, relations)
       VALUES (1, '*', DATE '2025-03-13', 'error', 'break', '${CANDLE}')`,
    )
    await warehouse.run(`UPDATE ${CANDLE} SET volume = 7 WHERE trading_date = DATE '2025-03-13'`)
    await warehouse.run(`INSERT INTO ops.dirty_partition VALUES ('${CANDLE}', '2025-03-13')`)
    expect(Object.keys(await publicationsOf(home, CANDLE))).toEqual(['2025-02', '2025-03-13', '2025-03-14'])
    const former = await readManifest(lake)
    if (!former) throw new Error('no manifest')
    const copy = temporaryFolder()
    await writeCatalog(former, lake, join(copy, 'catalog.duckdb'), {}, systemEffects)
    expect(await barsOf(copy)).toEqual(days.flatMap(session))

    await publishTest(warehouse, home)
    expect(await publicationsOf(home, CANDLE)).toEqual({
      '2025-02': 2,
      '2025-03-13': 2,
      '2025-03-14': 2,
      'longer-2025-02': 2,
      'longer-2025-03-13': 2,
      'longer-2025-03-14': 2,
    })
    expect(await barsOf(home)).toEqual(days.flatMap(session))
    const table = join(lake, 'market', 'candle')
    const flagsOf = (kind: string) =>
      actions(table, 1, kind).map(({ path, dataChange }) => [
        String(path).replace(/-[0-9a-f]{16}\..*/, ''),
        dataChange,
      ])
    expect(
      [...flagsOf('remove'), ...flagsOf('add')].filter(([path]) => !String(path).includes('03-13')),
    ).toEqual([
      ['2025/2025-02', false],
      ['2025/2025-03-14', false],
      ['2025/2025-02', false],
      ['2025/2025-03-14', false],
      ['2025/longer-2025-02', false],
      ['2025/longer-2025-03-14', false],
    ])
    expect(await verifyLake(lake, unstopped)).toMatchObject({ findings: [] })
    expect(await publishTest(warehouse, home)).toMatchObject({ id: 2, partitions: 0 })
  })

  test('become one file per month and year as bars of a minute do; a session whose longer bars are withdrawn has no file for them', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const effects = evening()
    for (const day of ['2024-11-29', '2024-12-31', '2025-01-02']) await loadSession(warehouse, home, day)
    await publishTest(warehouse, home, effects)
    await loadSession(warehouse, home, '2025-02-03')
    await publishTest(warehouse, home, effects)
    expect(await publicationsOf(home, CANDLE)).toEqual({
      '2024': 2,
      '2025-01': 2,
      '2025-02-03': 2,
      'longer-2024': 2,
      'longer-2025-01': 2,
      'longer-2025-02-03': 2,
    })
    await warehouse.run(`DELETE FROM ${CANDLE} WHERE timeframe <> '1m' AND trading_date >= DATE '2025-02-01'`)
    await warehouse.run(`INSERT INTO ops.dirty_partition VALUES ('${CANDLE}', '2025-02-03')`)
    await publishTest(warehouse, home, effects)
    expect(Object.keys(await publicationsOf(home, CANDLE))).toEqual([
      '2024',
      '2025-01',
      '2025-02-03',
      'longer-2024',
      'longer-2025-01',
    ])
    expect((await barsOf(home)).filter((bar) => bar.startsWith('2025-02'))).toEqual([
      '2025-02-03 HPG 15m 09:15 2400 true',
      '2025-02-03 HPG 1m 09:15 1200 false',
      '2025-02-03 HPG 1m 09:16 1200 false',
      '2025-02-03 HPG 5m 09:15 2400 true',
      '2025-02-03 VNM 15m 09:15 1200 true',
      '2025-02-03 VNM 1m 09:15 1200 false',
      '2025-02-03 VNM 5m 09:15 1200 true',
    ])

    // Six bars of a minute in 2024, four longer ones.
    const plan = async (touched: string, ...live: string[]) => {
      const files = live.map((partition) => ({ partition, row_count: 3n }))
      const { changed, merged } = await planLevels(warehouse, relationOf(CANDLE), [touched], files, 4)
      return { changed: [...changed].sort(), merged: [...merged] }
    }
    expect(await plan('longer-2024', '2024-11', '2024-12', 'longer-2024', '2025-02-03')).toEqual({
      changed: ['longer-2024'],
      merged: [],
    })
    expect(await plan('2024', '2024', '2025-02-03', 'longer-2025-02-03')).toEqual({
      changed: ['2024-11', '2024-12', 'longer-2024'],
      merged: [],
    })
    // A year of one kind does not make a year of the other.
    await warehouse.run(`UPDATE ${CANDLE} SET timeframe = '1h' WHERE timeframe = '1m' AND symbol = 'VNM'`)
    expect(await plan('2024', '2024', 'longer-2024-11', 'longer-2025-02-03')).toEqual({
      changed: ['2024', 'longer-2024-11', 'longer-2024-12'],
      merged: [],
    })
  })

  test('that a cross-check fetches later leave the files of minutes, of closed months too, and the figures of the session', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    for (const day of ['2025-02-28', '2025-03-13', '2025-03-14'])
      await loadWalks(warehouse, home, [candleWalk('HPG', day, ['09:15:00', '09:16:00'])])
    await publishTest(warehouse, home)
    for (const day of ['2025-02-28', '2025-03-13'])
      await loadWalks(warehouse, home, [candleWalk('HPG', day, ['00:00:00'], '1d')])
    // Without the kind in the mark a year of minutes would be written again, to become the same files.
    expect(
      await warehouse.column(
        `SELECT partition FROM ops.dirty_partition WHERE relation IN ('${CANDLE}', 'mart.intraday') ORDER BY 1`,
      ),
    ).toEqual(['longer-2025-02-28', 'longer-2025-03-13'])
    await publishTest(warehouse, home)
    expect(await publicationsOf(home, CANDLE)).toEqual({
      '2025-02': 1,
      '2025-03-13': 1,
      '2025-03-14': 1,
      'longer-2025-02': 2,
      'longer-2025-03-13': 2,
    })
    expect(Object.values(await publicationsOf(home, 'mart.intraday'))).toEqual([1, 1, 1])
    expect((await barsOf(home)).filter((bar) => bar.includes(' 1d '))).toEqual([
      '2025-02-28 HPG 1d 00:00 1200 false',
      '2025-03-13 HPG 1d 00:00 1200 false',
    ])
  })
})
