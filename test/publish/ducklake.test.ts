import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { DUCKLAKE } from '../../src/lake/ducklake.js'
import { MANIFEST, type Manifest, readManifest } from '../../src/lake/manifest.js'
import { sweepLake } from '../../src/publish/index.js'
import { verifyLake } from '../../src/read/index.js'
import type { FakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { evening, limitWalk, publishTest, stamps } from '../support/published.js'

const DAY_MS = 86_400_000
const { signal } = new AbortController()
const LIMIT = 'market.price_limit'

let home: string
let warehouse: Database
let effects: FakeEffects
/** Files of every publication so far, as the manifest of its time named them. */
const published = new Map<number, string[]>()

beforeAll(async () => {
  home = temporaryFolder()
  warehouse = await openTestWarehouse(home)
  effects = evening()
})

async function publishNext(): Promise<number> {
  effects.advance(DAY_MS)
  const { id } = await publishTest(warehouse, home, effects)
  const manifest = await readManifest(join(home, 'lake'))
  published.set(id, manifest?.relations.flatMap(({ files }) => files.map(({ path }) => path)).sort() ?? [])
  return id
}

async function setFloor(floor: number): Promise<void> {
  await warehouse.run(`UPDATE ${LIMIT} SET floor = ${floor} WHERE trading_date = '2025-03-13'`)
  await warehouse.run(`INSERT INTO ops.dirty_partition VALUES ('${LIMIT}', '2025-03-13')`)
}

async function asked<Row>(sql: string): Promise<Row[]> {
  const lake = await openDatabase(join(home, DUCKLAKE), { readOnly: true })
  try {
    return await lake.rows<Row>(sql)
  } finally {
    lake.close()
  }
}

/** Files of every snapshot of the DuckLake, read by the specification's own condition. */
async function snapshots(): Promise<Map<number, string[]>> {
  const rows = await asked<{ id: bigint; file: string }>(
    `SELECT snapshot_id AS id, s.path || t.path || f.path AS file
     FROM ducklake_snapshot JOIN ducklake_data_file f ON snapshot_id >= f.begin_snapshot AND (snapshot_id < f.end_snapshot OR f.end_snapshot IS NULL)
     JOIN ducklake_table t USING (table_id) JOIN ducklake_schema s USING (schema_id)`,
  )
  const files = new Map<number, string[]>()
  for (const { id, file } of rows) files.set(Number(id), [...(files.get(Number(id)) ?? []), file].sort())
  return files
}

/** The publications from one on, as their manifests named them. */
const since = (first: number): Map<number, string[]> =>
  new Map([...published].filter(([id]) => id >= first).sort(([a], [b]) => a - b))

const byNumber = (files: Map<number, string[]>): [number, string[]][] => [...files].sort(([a], [b]) => a - b)

test('every publication that can still be read is a snapshot over all tables, also where a file was replaced and came back, or merged', async () => {
  for (const day of ['2025-02-27', '2025-02-28', '2025-03-13'])
    await loadWalks(warehouse, home, [limitWalk(day, 'VNM', 'FPT')])
  await publishNext()
  await setFloor(25000)
  await publishNext()
  await setFloor(25150)
  await publishNext()
  // February is merged when March closes; the files of March too.
  await loadWalks(warehouse, home, [limitWalk('2025-04-01', 'VNM', 'FPT')])
  await publishNext()
  expect(published.size).toBe(4)
  expect(published.get(1)).not.toEqual(published.get(2))
  expect(byNumber(await snapshots())).toEqual(byNumber(since(1)))
  const changes = await asked<{ text: string }>(
    `SELECT array_to_string(list_sort(list_distinct(list_transform(string_split(changes_made, ','), lambda change: split_part(change, ':', 1)))), ' ') AS text
     FROM ducklake_snapshot_changes ORDER BY snapshot_id`,
  )
  expect(changes.map(({ text }) => text)).toEqual([
    'created_schema created_table inserted_into_table',
    'deleted_from_table inserted_into_table',
    'deleted_from_table inserted_into_table',
    'deleted_from_table inserted_into_table',
  ])
})

/** Rows of every table of the DuckLake. */
async function content(): Promise<[string, Record<string, unknown>[]][]> {
  const tables = await asked<{ name: string }>('SELECT table_name AS name FROM duckdb_tables() ORDER BY 1')
  const rows: [string, Record<string, unknown>[]][] = []
  for (const { name } of tables) rows.push([name, await asked(`FROM ${name} ORDER BY ALL`)])
  return rows
}

test('a file that continues the former one has the rows of one that is written anew', async () => {
  const continued = await content()
  rmSync(join(home, DUCKLAKE))
  await publishTest(warehouse, home, effects)
  expect(await content()).toEqual(continued)
})

test('a snapshot ends before its files are swept', async () => {
  // Publication 1 was replaced on the second day.
  effects.advance(6 * DAY_MS)
  await publishTest(warehouse, home, effects)
  const kept = byNumber(await snapshots())
  expect(kept).toEqual(byNumber(since(kept[0]?.[0] ?? 0)))
  expect(kept.length).toBeLessThan(4)
  for (const [, files] of kept)
    expect(files.filter((file) => !existsSync(join(home, 'lake', file)))).toEqual([])

  const before = stamps(home)[DUCKLAKE]
  await publishTest(warehouse, home, effects)
  expect(stamps(home)[DUCKLAKE]).toBe(before)

  await sweepLake(warehouse, home, 0, effects)
  effects.advance(1000)
  await sweepLake(warehouse, home, 0, effects)
  expect(byNumber(await snapshots())).toEqual(byNumber(since(4)))
})

test('what is lost, damaged or of an earlier publication is written again; a kill before the manifest leaves the next publication whole', async () => {
  const file = join(home, DUCKLAKE)
  const earlier = join(home, 'earlier')
  copyFileSync(file, earlier)
  const manifest = readFileSync(join(home, 'lake', MANIFEST))
  await setFloor(24000)
  const id = await publishNext()
  const whole = byNumber(since(4))
  expect(byNumber(await snapshots())).toEqual(whole)
  // As a kill leaves it: the DuckLake has been renamed, the manifest has not.
  writeFileSync(join(home, 'lake', MANIFEST), manifest)
  const spoils: [() => void, string | undefined][] = [
    [() => undefined, undefined],
    [() => rmSync(file), undefined],
    [() => writeFileSync(file, 'torn'.repeat(5000)), 'cannot be read'],
    [() => copyFileSync(earlier, file), `shows publication 4, the manifest ${id}`],
  ]
  for (const [spoil, wrong] of spoils) {
    if (wrong !== undefined) rmSync(file)
    spoil()
    const { findings } = await verifyLake(join(home, 'lake'), { onTable() {}, signal })
    expect(findings).toEqual(wrong === undefined ? [] : [{ path: `../${DUCKLAKE}`, wrong }])
    expect(await publishTest(warehouse, home, effects)).toMatchObject({ id, partitions: 0 })
    expect(byNumber(await snapshots())).toEqual(whole)
  }
})

test('other columns begin the history anew: no snapshot shows rows of one form as those of another', async () => {
  const path = join(home, 'lake', MANIFEST)
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
  manifest.relations.find(({ name }) => name === LIMIT)?.columns.pop()
  writeFileSync(path, JSON.stringify(manifest))
  // As an earlier version wrote it: not as damage.
  await warehouse.run('DELETE FROM ops.sealed_file')
  const id = await publishNext()
  expect(byNumber(await snapshots())).toEqual(byNumber(since(id)))
})
