import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { type Manifest, type ManifestRelation, readManifest } from '../../src/lake/manifest.js'
import { restsOn } from '../../src/mart/objects.js'
import { publish } from '../../src/publish/index.js'
import { openState } from '../../src/publish/marts/plan.js'
import { sources } from '../../src/publish/marts/sources.js'
import { planSymbols } from '../../src/publish/marts/symbols.js'
import type { FilePlan } from '../../src/publish/partitions.js'
import { verifyLake } from '../../src/read/verify.js'
import { lakeMarts, relations } from '../../src/relations.js'
import { deltaFiles } from '../support/delta.js'
import { type FakeEffects, fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'
import { openTestWarehouse } from '../support/landed.js'
import { LONG } from '../support/long.js'
import { ask } from '../support/published.js'

const ALL = lakeMarts.map(({ name }) => name.slice('mart.'.length))
const DAY_MS = 86_400_000

interface Fixture {
  readonly home: string
  readonly warehouse: Database
  readonly effects: FakeEffects
}

async function open(): Promise<Fixture> {
  const home = temporaryFolder()
  return {
    home,
    warehouse: await openTestWarehouse(home),
    effects: fakeEffects(Date.parse('2025-06-30T12:00:00Z')),
  }
}

async function publishMarts({ warehouse, home, effects }: Fixture, marts = ALL): Promise<number> {
  const { id } = await publish(warehouse, home, { runId: 'test-run', retainDays: 7, marts }, effects)
  return id
}

/** Weekdays of four symbols: S1 was split on 2024-12-16, S2 is idle in November. */
async function addSessions({ warehouse }: Fixture, first: string, last: string): Promise<void> {
  await warehouse.run(`CREATE OR REPLACE TEMP TABLE source AS
    SELECT 'S' || i AS symbol, CAST(day AS DATE) AS trading_date, hash(i, day) AS seed,
      (20000 + 50 * CAST(hash(i, day, 1) % 40 AS INTEGER)) // IF(i = 1 AND day >= DATE '2024-12-16', 2, 1) AS close,
      20000 // IF(i = 1 AND day >= DATE '2024-12-16', 2, 1) AS base
    FROM (SELECT unnest(generate_series(DATE '${first}', DATE '${last}', INTERVAL 1 DAY)) AS day), range(4) symbol(i)
    WHERE isodow(day) < 6 AND NOT (i = 2 AND month(day) = 11)`)
  await warehouse.run(`INSERT INTO market.daily_summary (symbol, trading_date, open, high, low, close, average,
      total_match, total_match_value, total_deal, total_deal_value, total_foreign_buy, total_foreign_sell,
      total_foreign_buy_value, total_foreign_sell_value)
    SELECT symbol, trading_date, close, close + 100, close - 100, close, close, seed % 9 * 1000, seed % 9 * 1000 * close,
      0, 0, seed % 700, seed % 500, seed % 700 * 1000, seed % 500 * 1000 FROM source`)
  // The reference is the close before; what the split's session compares with is half of it.
  await warehouse.run(`INSERT INTO market.price_limit (symbol, exchange, trading_date, ceiling, floor, ref_price)
    SELECT symbol, 'HOSE', trading_date, ref * 1.07, ref * 0.93, ref FROM (
      SELECT source.symbol, source.trading_date, coalesce(before.close // IF(source.symbol = 'S1'
        AND source.trading_date = DATE '2024-12-16', 2, 1), base) AS ref
      FROM source ASOF LEFT JOIN market.daily_summary before
        ON before.symbol = source.symbol AND source.trading_date > before.trading_date)`)
  await warehouse.run(`INSERT INTO market.index_summary (index_code, trading_date, index_value, total_prop_buy_value,
      total_prop_sell_value)
    SELECT code, trading_date, 1000 + hash(code, trading_date) % 50, 5000000.1 * (hash(trading_date) % 90), 70000.7
    FROM (SELECT DISTINCT trading_date FROM source), (VALUES ('VNINDEX'), ('VN30')) named(code)`)
  for (const relation of ['market.daily_summary', 'market.price_limit', 'market.index_summary'])
    await mark({ warehouse }, relation, `BETWEEN DATE '${first}' AND DATE '${last}'`)
}

async function mark(
  { warehouse }: Pick<Fixture, 'warehouse'>,
  relation: string,
  days: string,
): Promise<void> {
  await warehouse.run(
    `INSERT INTO ops.dirty_partition SELECT DISTINCT '${relation}', CAST(trading_date AS VARCHAR)
     FROM ${relation} WHERE trading_date ${days}`,
  )
}

async function addShares({ warehouse }: Fixture, from: string, shares: number): Promise<void> {
  await warehouse.run(`UPDATE market.security_history SET valid_to = DATE '${from}' WHERE valid_to IS NULL`)
  await warehouse.run(`INSERT INTO market.security_history BY NAME SELECT 'S' || i AS symbol, 'HOSE' AS board,
    ${shares} + i AS listed_share, DATE '${from}' AS valid_from FROM range(4) symbol(i)`)
  await warehouse.run(`INSERT INTO ops.dirty_partition VALUES ('market.security_history', 'all')`)
}

async function plansOf(plans: AsyncIterable<FilePlan>): Promise<FilePlan[]> {
  const planned: FilePlan[] = []
  for await (const plan of plans) planned.push(plan)
  return planned
}

async function withhold({ warehouse }: Fixture, day: string): Promise<void> {
  await warehouse.run(`INSERT INTO recon.finding BY NAME SELECT 1 AS rule, 'test' AS title, 'session' AS subject,
    DATE '${day}' AS trading_date, 'error' AS severity, 'break' AS state, 1 AS offenders,
    'market.daily_summary,market.price_limit' AS relations, TIMESTAMPTZ '2025-06-30 00:00:00+00' AS since`)
  await warehouse.run(`INSERT INTO ops.dirty_partition VALUES ('recon.finding', '${day.slice(0, 7)}')`)
}

async function manifestOf({ home }: Fixture): Promise<Manifest> {
  const manifest = await readManifest(join(home, 'lake'))
  if (!manifest) throw new Error('no manifest')
  return manifest
}

function tableOf(manifest: Manifest, name: string): ManifestRelation | undefined {
  return manifest.relations.find((relation) => relation.name === `mart.${name}`)
}

/** Rows that a table has and its view has not, or the other way round, by its Delta log as the tests read it. */
async function differences(fixture: Fixture): Promise<Record<string, number>> {
  const { home } = fixture
  const manifest = await manifestOf(fixture)
  const counts: Record<string, number> = {}
  for (const name of ALL) {
    const table = tableOf(manifest, name)
    if (!table) continue
    const columns = table.columns.map((column) => column.name).join(', ')
    const folder = join(home, 'lake', 'mart', name)
    const files = deltaFiles(folder, table.version).map((file) => `'${join(folder, file)}'`)
    const stored =
      files.length > 0
        ? `SELECT ${columns} FROM read_parquet([${files.join(', ')}])`
        : `SELECT ${columns} FROM mart.${name} LIMIT 0`
    const view = `SELECT ${columns} FROM mart.${name}`
    const [row] = await ask(
      home,
      `SELECT (SELECT count(*) FROM (FROM (${stored}) EXCEPT ALL FROM (${view}))) + (SELECT count(*) FROM
       (FROM (${view}) EXCEPT ALL FROM (${stored}))) AS n`,
    )
    if (row?.n !== '0' && row?.n !== 0) counts[name] = Number(row?.n)
  }
  return counts
}

/** Files of the latest publication: `daily_adjusted recent`. */
async function written(fixture: Fixture, publication: number): Promise<string[]> {
  const { relations: tables } = await manifestOf(fixture)
  return tables
    .filter(({ name }) => lakeMarts.some((mart) => mart.name === name))
    .flatMap(({ name, files }) =>
      files
        .filter((file) => file.publication === publication)
        .map(({ partition }) => `${name.slice('mart.'.length)} ${partition}`),
    )
    .sort()
}

const hashes = (manifest: Manifest): string[] =>
  manifest.relations
    .filter(({ name }) => lakeMarts.some((mart) => mart.name === name))
    .flatMap(({ files }) => files.map(({ path }) => path))
    .sort()

describe('views of schema mart as tables of the lake', () => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await open()
    await addSessions(fixture, '2024-10-14', '2024-12-13')
    await addShares(fixture, '2024-12-02', 1_000_000)
    await publishMarts(fixture)
  })

  test('have the rows of their views: only what can differ is written', async () => {
    expect(await differences(fixture)).toEqual({})
    expect(await written(fixture, 1)).toContain('daily_adjusted past')
    expect(await publishMarts(fixture)).toBe(1)

    // A session, in which S1 is split: its past changes, in one file; factors of other sessions do not.
    await addSessions(fixture, '2024-12-16', '2024-12-16')
    expect(await publishMarts(fixture)).toBe(2)
    expect(await differences(fixture)).toEqual({})
    expect(await written(fixture, 2)).toEqual([
      'adjustment_factor all',
      'daily 2024-12-16',
      'daily_adjusted past',
      'daily_adjusted recent',
      'daily_factor 2024-12-16',
      'instrument all',
      'universe 2024-12-16',
    ])
  })

  test('have no date that another engine has not', async () => {
    const manifest = await manifestOf(fixture)
    const dates = ALL.flatMap((name) =>
      (tableOf(manifest, name)?.columns ?? []).flatMap((column) =>
        column.type === 'DATE' ? `SELECT ${column.name} AS day FROM mart.${name}` : [],
      ),
    )
    expect(dates.length).toBeGreaterThan(5)
    // ClickHouse reads none before 1900 and none after 2299.
    const beyond = `WHERE day NOT BETWEEN DATE '1900-01-01' AND DATE '2299-12-31'`
    expect(await ask(fixture.home, `FROM (${dates.join(' UNION ALL ')}) ${beyond}`)).toEqual([])
  })

  test.runIf(LONG)('follow shares, corrections, what is withheld, and a new month', async () => {
    // A session without an event.
    await addSessions(fixture, '2024-12-17', '2024-12-17')
    expect(await publishMarts(fixture)).toBe(3)
    expect(await written(fixture, 3)).toEqual([
      'daily 2024-12-17',
      'daily_adjusted recent',
      'daily_factor 2024-12-17',
      'instrument all',
      'universe 2024-12-17',
    ])

    // Shares from a session on: the figures of those from then on.
    await addShares(fixture, '2024-12-16', 2_000_000)
    expect(await publishMarts(fixture)).toBe(4)
    expect(await differences(fixture)).toEqual({})
    expect(await written(fixture, 4)).toEqual([
      'daily_factor 2024-12-16',
      'daily_factor 2024-12-17',
      'listed_share all',
    ])

    // A session of October is corrected; one of December is, and is withheld, so that no table may show it.
    const { warehouse } = fixture
    for (const day of ['2024-10-16', '2024-12-12']) {
      await warehouse.run(
        `UPDATE market.daily_summary SET close = close + 50, high = high + 50 WHERE symbol = 'S3' AND trading_date = '${day}'`,
      )
      await mark(fixture, 'market.daily_summary', `= DATE '${day}'`)
    }
    await withhold(fixture, '2024-12-12')
    await publishMarts(fixture)
    expect(await differences(fixture)).toEqual({})
    const withheld = await written(fixture, 5)
    expect(withheld).toContain('daily_adjusted past')
    expect(withheld).toContain('daily 2024-10')
    expect(withheld).not.toContain('daily 2024-12-12')
    await warehouse.run("UPDATE recon.finding SET state = 'pass'")
    await warehouse.run("INSERT INTO ops.dirty_partition VALUES ('recon.finding', '2024-12')")
    await publishMarts(fixture)
    expect(await differences(fixture)).toEqual({})
    expect(await written(fixture, 6)).toContain('daily 2024-12-12')

    // A month later the months before it are merged.
    await addSessions(fixture, '2025-01-02', '2025-01-03')
    await publishMarts(fixture)
    expect(await differences(fixture)).toEqual({})
    const { findings } = await verifyLake(join(fixture.home, 'lake'), {
      onTable() {},
      signal: new AbortController().signal,
    })
    expect(findings).toEqual([])
  })

  test.runIf(LONG)('are the same files as those of a home that published everything at once', async () => {
    const { warehouse, home } = await open()
    const incremental = hashes(await manifestOf(fixture))
    for (const relation of relations.filter(({ name }) => /^(market|recon)\./.test(name))) {
      const file = join(home, `${relation.name}.parquet`)
      await fixture.warehouse.run(`COPY ${relation.name} TO '${file}' (FORMAT parquet)`)
      await warehouse.run(`INSERT INTO ${relation.name} BY NAME FROM '${file}'`)
      rmSync(file)
    }
    const once = { warehouse, home, effects: fixture.effects }
    await publishMarts(once)
    expect(hashes(await manifestOf(once))).toEqual(incremental)
  })

  test.runIf(LONG)('come back where a file or the manifest is lost, with the same bytes', async () => {
    const before = await manifestOf(fixture)
    const lost = tableOf(before, 'daily_factor')?.files[0]?.path ?? ''
    rmSync(join(fixture.home, 'lake', lost))
    rmSync(join(fixture.home, 'lake', 'manifest.json'))
    await publishMarts(fixture)
    expect(hashes(await manifestOf(fixture))).toEqual(hashes(before))
    expect(existsSync(join(fixture.home, 'lake', lost))).toBe(true)
  })

  test('leave the manifest when the setting drops them, their files after the days to retain; and come back', async () => {
    const log = (): string[] => deltaFiles(join(fixture.home, 'lake/mart/universe'))
    const { path = '' } = tableOf(await manifestOf(fixture), 'universe')?.files[0] ?? {}
    const former = readFileSync(join(fixture.home, 'lake/manifest.json'))
    await publishMarts(fixture, ['instrument'])
    expect(ALL.filter((name) => existsSync(join(fixture.home, 'lake', 'mart', name)))).toEqual(ALL)
    const kept = async (): Promise<string[]> => {
      const manifest = await manifestOf(fixture)
      return ALL.filter((name) => tableOf(manifest, name))
    }
    expect(await kept()).toEqual(['instrument'])
    expect(log()).toEqual([])
    if (LONG) {
      // A kill before the manifest: the next publication does what is missing, and no more.
      writeFileSync(join(fixture.home, 'lake/manifest.json'), former)
      await fixture.warehouse.run('DELETE FROM ops.sealed_file')
      const id = await publishMarts(fixture, ['instrument'])
      expect(await kept()).toEqual(['instrument'])
      expect(existsSync(join(fixture.home, 'lake', path))).toBe(true)
      fixture.effects.advance(8 * DAY_MS)
      expect(await publishMarts(fixture, ['instrument'])).toBe(id)
      expect(existsSync(join(fixture.home, 'lake', path))).toBe(false)
    }
    await publishMarts(fixture)
    expect(await kept()).toEqual(ALL)
    expect(log().length).toBeGreaterThan(0)
    expect(await differences(fixture)).toEqual({})
  })

  test('of many rows have a file per group of symbols, and an event writes the groups of its symbols', async () => {
    const manifest = await manifestOf(fixture)
    const described = relations.map((relation) => ({
      relation,
      comment: '',
      columns: manifest.relations.find(({ name }) => name === relation.name)?.columns ?? [],
    }))
    const files = manifest.relations.flatMap((table) =>
      table.files.map(({ path, partition }) => ({ relation: table.name, partition, file: path })),
    )
    const filesOf = (...partitions: string[]) => partitions.map((partition) => ({ partition, row_count: 9n }))
    const mart = lakeMarts.find(({ layout }) => layout === 'symbol')
    if (!mart) throw new Error('no such mart')
    const state = await openState(join(fixture.home, 'lake'), described, [mart], {
      before: files,
      after: files,
    })
    try {
      const split = await plansOf(
        planSymbols(state, mart, { all: true, partitions: [], symbols: undefined }, filesOf('past'), 0),
      )
      expect(split.map(({ partition, replaces }) => [partition, replaces])).toEqual([
        ['recent', ['recent']],
        ['past-S1', ['past-S1', 'past']],
      ])
      const event = { all: false, partitions: [], symbols: "SELECT 'S1' AS symbol UNION ALL SELECT 'FPT'" }
      const live = filesOf('recent', 'past-S1', 'past-F3', 'past-V1')
      const plans = await plansOf(planSymbols(state, mart, event, live, 0))
      expect(plans.map(({ partition }) => partition)).toEqual(['recent', 'past-F3', 'past-S1'])
    } finally {
      state.close()
    }
  })

  test('know of every relation that their views rest on how it reaches them', () => {
    for (const mart of lakeMarts.filter(({ layout }) => layout !== 'whole')) {
      const { sessions = [], compared, ignored = [] } = sources[mart.name] ?? {}
      const inputs = relations.filter(({ name }) => restsOn(mart.name).has(name)).map(({ name }) => name)
      expect([...sessions, ...(compared?.relations ?? []), ...ignored].sort()).toEqual(inputs.sort())
    }
  })
})
