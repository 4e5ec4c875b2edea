/**
 * The same bars of 1m in other stores, and read from each into a data frame: ArcticDB, a DuckDB table, a Parquet file of polars, and
 * candlehouse's catalog, in one run: `make bench`. Needs Python with test/bench/peers/requirements.txt (BENCH_PYTHON).
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemEffects } from '../../src/effects.js'
import { requireManifest } from '../../src/lake/manifest.js'
import { packageRoot } from '../../src/package.js'
import { publish } from '../../src/publish/index.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { addMarket } from './market.js'
import { record } from './results.js'

const SYMBOLS = Number(process.env.BENCH_SYMBOLS ?? 1_700)
const TRADED = Math.ceil((SYMBOLS * 9) / 17)
const SESSIONS = Number(process.env.BENCH_SESSIONS ?? 250)
const [FIRST, LAST] = ['2024-01-02', '2025-01-31']
const DAY = '2025-01-14'
const ONE = `S${String(TRADED >> 1).padStart(4, '0')}`
const PYTHON = process.env.BENCH_PYTHON ?? join(packageRoot, 'test/bench/.venv/bin/python')

interface Store {
  readonly store: string
  readonly rows: number
  readonly write_s: number
  readonly bytes: number
  /** CPU milliseconds. */
  readonly year: number
  readonly session: number
}

const home = mkdtempSync(join(tmpdir(), 'candlehouse-bench-'))
try {
  if (existsSync(PYTHON)) recordAll(await written(), await storesOf(home))
  else process.stdout.write(`left out: there is no ${PYTHON}\n`)
} finally {
  rmSync(home, { recursive: true, force: true })
}

/** Publishes a market. @returns CPU seconds of the publication, which writes daily relations too */
async function written(): Promise<number> {
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
  await addMarket(warehouse, { symbols: SYMBOLS, traded: TRADED, sessions: SESSIONS, from: FIRST, to: LAST })
  const before = process.cpuUsage()
  await publish(warehouse, home, { runId: 'bench', retainDays: 7 }, systemEffects)
  const { user, system } = process.cpuUsage(before)
  warehouse.close()
  return (user + system) / 1e6
}

async function storesOf(place: string): Promise<Store[]> {
  const lake = join(place, 'lake')
  const { relations } = await requireManifest(lake)
  const files = relations.filter(({ name }) => name === 'market.candle').flatMap((each) => each.files)
  const listed = join(place, 'files.txt')
  writeFileSync(listed, files.map(({ path }) => join(lake, path)).join('\n'))
  const folder = join(place, 'stores')
  mkdirSync(folder)
  const script = join(packageRoot, 'test/bench/peers/stores.py')
  const catalog = join(place, 'catalog.duckdb')
  const out = execFileSync(PYTHON, [script, listed, folder, ONE, DAY, FIRST, LAST, catalog], {
    encoding: 'utf8',
  })
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Store)
}

function recordAll(publishing: number, stores: readonly Store[]): void {
  const ours = stores.find(({ store }) => store === 'candlehouse')
  if (!ours) throw new Error('candlehouse is not among the stores')
  const perMillion = (seconds: number): number => seconds / (ours.rows / 1e6)
  for (const each of stores.filter((store) => store !== ours)) {
    const questions = [
      [`a symbol's year of 1m as a frame, of ${ours.rows} bars`, ours.year, each.year],
      ['a session of 1m of all symbols as a frame', ours.session, each.session],
    ] as const
    for (const [what, mine, theirs] of questions)
      record({
        what: `stores: ${what}`,
        ours: `${mine.toFixed(1)} CPU-ms`,
        beside: `${each.store} ${theirs.toFixed(1)} CPU-ms`,
        ratio: mine / theirs,
      })
    record({
      what: 'stores: writing the bars; ours with daily relations, ledger, logs and catalogs',
      ours: `${perMillion(publishing).toFixed(2)} CPU-s per million, ${bytesOf(ours)}`,
      beside: `${each.store} ${perMillion(each.write_s).toFixed(2)}, ${bytesOf(each)}`,
      ratio: publishing / each.write_s,
    })
  }
}

function bytesOf({ bytes, rows }: Store): string {
  return `${(bytes / rows).toFixed(1)} bytes a bar`
}
