/**
 * What the tables that follow from views add to the publication of one session: nothing changed, a session, a session with
 * events of four symbols, a new month. In CPU-seconds, files and bytes: `make bench`. BENCH_SYMBOLS and BENCH_FROM make it
 * smaller. docs/decisions/0062-marts-in-the-lake.md has its figures.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemEffects } from '../../src/effects.js'
import { readManifest } from '../../src/lake/manifest.js'
import { publish } from '../../src/publish/index.js'
import { lakeMarts } from '../../src/relations.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { addSessions } from './history.js'
import { record } from './results.js'

const SIZE = { symbols: Number(process.env.BENCH_SYMBOLS ?? 340), bars: 1 }
const FROM = process.env.BENCH_FROM ?? '2023-03-15'
const MARTS = lakeMarts.filter(({ isDefault }) => isDefault).map(({ name }) => name.slice('mart.'.length))

interface Written {
  cpu: number
  files: number
  bytes: number
}

const home = mkdtempSync(join(tmpdir(), 'candlehouse-bench-'))
const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
try {
  await addSessions(warehouse, FROM, '2025-03-26', SIZE)
  await warehouse.run(`UPDATE market.daily_summary SET symbol = ${renamed('symbol')}`)
  await warehouse.run(
    `UPDATE market.price_limit SET symbol = ${renamed('symbol')}, ref_price = ref_price + 500`,
  )
  const plain = await measured([])
  const first = await measured(MARTS)
  show('the first publication of the marts', first)
  await addSession('2025-03-27')
  const night = await measured(MARTS)
  show('a session', night)
  await addSession('2025-03-28')
  const without = await measured(MARTS.filter((name) => name === 'instrument'))
  show('a session, without marts but instrument', without)
  show('all of them again', await measured(MARTS))
  await addSession('2025-03-31')
  await split(4, '2025-03-31')
  const events = await measured(MARTS)
  show('a session with events of four symbols', events)
  show('nothing', await measured(MARTS))
  await addSession('2025-04-01')
  const month = await measured(MARTS)
  show('the first session of a month', month)
  show('before, without marts', plain)
  record({
    what: `publishing one session with marts, ${SIZE.symbols} symbols since ${FROM}`,
    ours: `${night.cpu.toFixed(2)} CPU-s`,
    beside: `with events of four symbols ${events.cpu.toFixed(2)} CPU-s`,
    ratio: events.cpu / night.cpu,
  })
} finally {
  warehouse.close()
  rmSync(home, { recursive: true, force: true })
}

/** Symbols of three letters, spread as those of the market are. */
function renamed(symbol: string): string {
  const letter = (salt: number): string => `chr(65 + CAST(hash(${symbol}, ${salt}) % 26 AS INTEGER))`
  return `${letter(1)} || ${letter(2)} || right(${symbol}, 4)`
}

async function addSession(day: string): Promise<void> {
  await addSessions(warehouse, day, day, SIZE)
  const ofDay = `WHERE trading_date = DATE '${day}'`
  await warehouse.run(`UPDATE market.daily_summary SET symbol = ${renamed('symbol')} ${ofDay}`)
  await warehouse.run(
    `UPDATE market.price_limit SET symbol = ${renamed('symbol')}, ref_price = ref_price + 500 ${ofDay}`,
  )
}

/** Halves the references of some symbols, as a split does. */
async function split(count: number, day: string): Promise<void> {
  await warehouse.run(
    `UPDATE market.price_limit SET ref_price = ref_price / 2, ceiling = ceiling / 2, floor = floor / 2
     WHERE trading_date = DATE '${day}' AND symbol IN (SELECT DISTINCT symbol FROM market.price_limit ORDER BY hash(symbol) LIMIT ${count})`,
  )
}

async function measured(marts: readonly string[]): Promise<Written> {
  const before = process.cpuUsage()
  const { id } = await publish(warehouse, home, { runId: 'bench', retainDays: 7, marts }, systemEffects)
  const { user, system } = process.cpuUsage(before)
  const manifest = await readManifest(join(home, 'lake'))
  const files = (manifest?.relations ?? [])
    .filter(({ name }) => lakeMarts.some((mart) => mart.name === name))
    .flatMap((relation) => relation.files.filter(({ publication }) => publication === id))
  return {
    cpu: (user + system) / 1e6,
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

function show(what: string, { cpu, files, bytes }: Written): void {
  process.stdout.write(
    `${what}: ${cpu.toFixed(2)} CPU-s; of marts ${files} files, ${(bytes / 1e6).toFixed(2)} MB\n`,
  )
}
