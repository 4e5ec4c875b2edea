/**
 * What publishing one new session costs in a lake that holds five years, beside one that holds a month, in turns in
 * one run: `make bench`. The cost should follow what changed, not what is held. A last session of each lake is published
 * by a process of its own, for its peak memory; BENCH_SYMBOLS=1700 has a full market.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from '../../src/duckdb/open.js'
import { systemEffects } from '../../src/effects.js'
import { publish } from '../../src/publish/index.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { addSessions } from './history.js'
import { median, record } from './results.js'

const SIZE = {
  symbols: Number(process.env.BENCH_SYMBOLS ?? 100),
  bars: Number(process.env.BENCH_BARS ?? 200),
}
/** New sessions of the open month, one a round. */
const ROUNDS = [
  '2025-03-17',
  '2025-03-18',
  '2025-03-19',
  '2025-03-20',
  '2025-03-21',
  '2025-03-24',
  '2025-03-25',
]

/** Published by a process of its own. */
const LAST = '2025-03-26'

interface Lake {
  home: string
  warehouse: Database
}

async function openLake(from: string): Promise<Lake> {
  const home = mkdtempSync(join(tmpdir(), 'candlehouse-bench-'))
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
  await addSessions(warehouse, from, '2025-03-14', SIZE)
  await publish(warehouse, home, { runId: 'bench', retainDays: 7 }, systemEffects)
  await warehouse.run('CHECKPOINT')
  return { home, warehouse }
}

async function publishSession({ home, warehouse }: Lake, day: string): Promise<number> {
  await addSessions(warehouse, day, day, SIZE)
  const start = performance.now()
  await publish(warehouse, home, { runId: `bench-${day}`, retainDays: 7 }, systemEffects)
  return performance.now() - start
}

/** What a process that publishes one session has resident at most, MB: all of it, and before it opened the warehouse. */
interface Peak {
  publishing: number
  before: number
}

/** In a process of its own, whose home is its argument. */
async function publishAlone(home: string): Promise<Peak> {
  const before = process.resourceUsage().maxRSS
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
  await publish(warehouse, home, { runId: `bench-${LAST}`, retainDays: 7 }, systemEffects)
  warehouse.close()
  return { publishing: process.resourceUsage().maxRSS / 1024, before: before / 1024 }
}

async function peakOf({ home, warehouse }: Lake): Promise<Peak> {
  await addSessions(warehouse, LAST, LAST, SIZE)
  warehouse.close()
  const args = ['--import', 'tsx', fileURLToPath(import.meta.url), home]
  return JSON.parse(String(execFileSync(process.execPath, args))) as Peak
}

async function compare(): Promise<void> {
  const month = await openLake('2025-02-17')
  const years = await openLake('2020-03-16')
  const spent: { short: number; long: number }[] = []
  try {
    for (const lake of [month, years]) await publishSession(lake, '2025-03-15')
    for (const day of ROUNDS) {
      const [short, long] = [await publishSession(month, day), await publishSession(years, day)]
      spent.push({ short, long })
      process.stdout.write(
        `${day}: a month held ${short.toFixed(0)} ms, five years held ${long.toFixed(0)} ms, ratio ${(long / short).toFixed(2)}\n`,
      )
    }
    record({
      what: `publishing one session into a lake of five years, ${SIZE.symbols * SIZE.bars} candles`,
      ours: `${median(spent.map(({ long }) => long)).toFixed(0)} ms`,
      beside: `one month ${median(spent.map(({ short }) => short)).toFixed(0)} ms`,
      ratio: median(spent.map(({ short, long }) => long / short)),
    })
    const [short, long] = [await peakOf(month), await peakOf(years)]
    record({
      what: `peak memory of that, of which ${long.before.toFixed(0)} MB is Node and the bench; DuckDB's own limit is 512 MB`,
      ours: `${long.publishing.toFixed(0)} MB`,
      beside: `one month ${short.publishing.toFixed(0)} MB`,
      ratio: long.publishing / short.publishing,
    })
  } finally {
    for (const { home } of [month, years]) rmSync(home, { recursive: true, force: true })
  }
}

const [home] = process.argv.slice(2)
if (home) process.stdout.write(JSON.stringify(await publishAlone(home)))
else await compare()
