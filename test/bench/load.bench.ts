/**
 * CPU-seconds per million candles of land + load, beside gunzip + JSON.parse of the same pages, in one run:
 * `make bench`. The floor parses and throws away; ours leaves typed, checked rows with their ledger on disk.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import pLimit from 'p-limit'
import { readPage } from '../../packages/client/src/page/read-page.js'
import { installParsers } from '../../src/duckdb/parse.js'
import { systemEffects } from '../../src/effects.js'
import { type ClosedWalk, openJournal } from '../../src/land/journal.js'
import { type LandingRun, landWalk, type WalkPage } from '../../src/land/walk.js'
import { createLoader } from '../../src/load/loader.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { type BenchPage, candlePages } from './pages.js'
import { median, record } from './results.js'

const PAGES = Number(process.env.BENCH_PAGES ?? 1000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)

interface Cost {
  cpu: number
  wall: number
}

async function costOf(work: () => Promise<void> | void): Promise<Cost> {
  const cpu = process.cpuUsage()
  const start = systemEffects.now()
  await work()
  const used = process.cpuUsage(cpu)
  return { cpu: (used.user + used.system) / 1e6, wall: (systemEffects.now() - start) / 1e3 }
}

async function landAndLoad(pages: readonly BenchPage[]): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'candlehouse-bench-'))
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
  try {
    await installParsers(warehouse)
    const journal = await openJournal(home, 'bench', systemEffects)
    const loader = createLoader(warehouse, home, loadCalendar(), async () => undefined)
    // As many walks at once as a run makes.
    const limit = pLimit(8)
    await Promise.all(
      pages.map((page, index) =>
        limit(async () => await loader.add(await landOne(home, journal, page, index, loader.landed))),
      ),
    )
    await loader.flush()
    await journal.close()
  } finally {
    warehouse.close()
    rmSync(home, { recursive: true, force: true })
  }
}

async function landOne(
  home: string,
  journal: Awaited<ReturnType<typeof openJournal>>,
  page: BenchPage,
  index: number,
  onLanded: NonNullable<LandingRun['onLanded']>,
): Promise<ClosedWalk> {
  const window = { dataset: 'ohlc', key: page.symbol, timeframe: '1m', from: page.from, to: page.to } as const
  const answer = async function* (): AsyncGenerator<WalkPage> {
    // What a client does with every body, before anything of it is landed.
    const { page: proven } = readPage('ohlc', page.body)
    yield {
      query: {},
      status: 200,
      attempts: 1,
      body: page.body,
      wire: page.wire,
      receivedAt: Date.parse('2025-03-14T12:00:00.000Z'),
      rows: proven?.rows ?? 0,
      shape: 'data',
      fields: proven?.fields ?? null,
      plain: proven?.plain ?? false,
      end: { state: 'complete', reason: null },
    }
  }
  const context = { home, journal, run: 'bench', job: 'bench', tradingDate: page.to, onLanded }
  const numbers = { walk: index, nextPage: () => index }
  const walk = await landWalk<'ohlc'>({ window, endpoint: 'ohlc' }, answer(), numbers, context)
  if (!walk) throw new Error('the walk did not close')
  return walk
}

const pages = await candlePages(PAGES)
const million = (PAGES * 1000) / 1e6
const spent: { ours: number; floor: number }[] = []
for (let round = 1; round <= ROUNDS; round++) {
  const floor = await costOf(() => {
    for (const page of pages) JSON.parse(gunzipSync(page.wire).toString('utf8'))
  })
  const ours = await costOf(() => landAndLoad(pages))
  spent.push({ ours: ours.cpu / million, floor: floor.cpu / million })
  process.stdout.write(
    `round ${round}: floor ${(floor.cpu / million).toFixed(2)} CPU-s and ${(floor.wall / million).toFixed(2)} s per million candles; ` +
      `land + load ${(ours.cpu / million).toFixed(2)} CPU-s and ${(ours.wall / million).toFixed(2)} s; ` +
      `ratio ${(ours.cpu / floor.cpu).toFixed(2)} CPU, ${(ours.wall / floor.wall).toFixed(2)} wall\n`,
  )
}
const each = (costs: readonly number[]): string => `${median(costs).toFixed(2)} CPU-s per million`
record({
  what: `land + load of ${PAGES * 1000} candles of 1m, proven and checked`,
  ours: each(spent.map(({ ours }) => ours)),
  beside: `gunzip + JSON.parse ${each(spent.map(({ floor }) => floor))}`,
  ratio: median(spent.map(({ ours, floor }) => ours / floor)),
})
