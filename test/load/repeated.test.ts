import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { loadSnapshot } from '../../src/load/account/load-snapshot.js'
import { loadBatch } from '../../src/load/batch.js'
import { packageRoot } from '../../src/package.js'
import { temporaryFolder } from '../support/folder.js'
import { landParts, landWalks, loadWalks, openTestWarehouse, type TestWalk } from '../support/landed.js'

const DAY = '2025-03-14'

/** The daily summary of one symbol. */
function summary(close: string): TestWalk[] {
  const record = { symbol: 'HPG', tradingDate: DAY.replaceAll('-', '/'), close }
  return [
    {
      window: { dataset: 'securitiesSummary', key: '*', timeframe: '', from: DAY, to: DAY },
      bodies: [{ data: [record] }],
    },
  ]
}

const counts = (warehouse: Database) =>
  warehouse.rows(`SELECT (SELECT string_agg(DISTINCT close::VARCHAR) FROM market.daily_summary) AS close,
    (SELECT count(*) FROM market.revision) AS revisions, (SELECT count(*) FROM ops.request) AS pages`)

/** Loads walks whose pages cannot be read any more. */
async function loadUnread(warehouse: Database, home: string, walks: readonly TestWalk[]) {
  const landed = await landWalks(home, walks)
  for (const { pages } of landed) for (const { file } of pages) rmSync(join(home, file))
  return await loadBatch(warehouse, home, 'securitiesSummary', landed, loadCalendar(), { verify: false })
}

test('answers that equal the latest ones are recorded, and their pages are not read', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const [first] = await loadWalks(warehouse, home, summary('27050'))
  await warehouse.run('DELETE FROM ops.dirty_partition')
  expect(await loadUnread(warehouse, home, summary('27050'))).toEqual({ ...first, changed: 0 })
  expect(await counts(warehouse)).toEqual([{ close: '27050.000000', revisions: 0n, pages: 2n }])
  expect(await warehouse.rows('SELECT DISTINCT relation FROM ops.dirty_partition')).toEqual([
    { relation: 'ops.request' },
  ])
  // Equal to an earlier answer, not to the latest one: the value that came between goes.
  await loadWalks(warehouse, home, summary('27100'))
  await loadWalks(warehouse, home, summary('27050'))
  expect(await counts(warehouse)).toEqual([{ close: '27050.000000', revisions: 2n, pages: 4n }])
})

test('answers with a rejected record, or of another trading date, are loaded again', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  for (let night = 1; night <= 2; night++) {
    const [loaded] = await loadWalks(warehouse, home, summary('many'))
    expect(loaded).toMatchObject({ rejected: 1, missing: [expect.stringContaining('*')] })
  }
  for (const tradingDate of [DAY, '2025-03-17']) {
    const walks = await landWalks(home, summary('27050'), { tradingDate })
    await loadBatch(warehouse, home, 'securitiesSummary', walks, loadCalendar(), { verify: false })
    const [latest] = await warehouse.rows<{ n: bigint }>(
      'SELECT count(*) AS n FROM (SELECT DISTINCT as_of FROM batch_page) WHERE as_of = CAST(? AS DATE)',
      [tradingDate],
    )
    expect(latest?.n).toBe(1n)
  }
})

test('a snapshot of a key is not loaded again, unless another key has changed what is stored', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const file = join(packageRoot, 'test/cases/account/the-same-answer-changes-nothing/given.json')
  const { snapshots } = JSON.parse(readFileSync(file, 'utf8')) as { snapshots: Parameters<typeof night>[0][] }
  const suffixes = { broker: 'Broker', depository: 'Depository' }
  let runs = 0
  async function night(
    { answers, tradingDate }: { answers: Parameters<typeof landParts>[1]; tradingDate: string },
    keyName: string,
  ) {
    const walks = await landParts(home, answers, {
      run: `2025060${++runs}T120000000Z-case`,
      tradingDate,
      keyName,
    })
    await loadSnapshot(warehouse, home, walks, { verify: true, suffixes })
    const [staged] = await warehouse.rows<{ run: string }>(
      'SELECT any_value(snapshot_id) AS run FROM account_state',
    )
    return staged?.run === `2025060${runs}T120000000Z-case` ? 'loaded' : 'recorded'
  }
  const [, snapshot] = snapshots
  if (!snapshot) throw new Error('the case has two snapshots')
  const seen: string[] = []
  for (const key of ['first', 'first', 'second', 'first', 'first', 'second'])
    seen.push(`${key} ${await night(snapshot, key)}`)
  expect(seen).toEqual([
    'first loaded',
    'first recorded',
    'second loaded',
    'first loaded',
    'first recorded',
    'second loaded',
  ])
  expect(await warehouse.rows('SELECT DISTINCT key_name FROM account.account')).toEqual([
    { key_name: 'second' },
  ])
})
