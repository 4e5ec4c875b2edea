/**
 * What a publication costs that changes one row or nothing, in turns in one run, and a home's first one, beside the COPYs of the
 * same files alone: `make bench`. CPU-time, since a bench shares its machine.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../src/duckdb/open.js'
import { systemEffects } from '../../src/effects.js'
import { MONTH_FORM, parquetOptions } from '../../src/lake/lake-files.js'
import { publish } from '../../src/publish/index.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { addSessions } from './history.js'
import { median, record } from './results.js'

const ROUNDS = 7

interface Lake {
  home: string
  warehouse: Database
}

/** Sessions and symbols of a home's first publication: its last month is published session by session. */
const FIRST = { from: '2025-01-06', to: '2025-03-28', size: { symbols: 40, bars: 200 } }

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const used = process.cpuUsage(start)
  return (used.user + used.system) / 1e3
}

/** Changes one row of a relation, and publishes it. */
async function publishRow({ home, warehouse }: Lake, relation: string, day: string): Promise<number> {
  const column = relation === 'market.security' ? 'listed_share' : 'total_match'
  const only = relation === 'market.security' ? '' : ` AND trading_date = DATE '${day}'`
  await warehouse.run(`UPDATE ${relation} SET ${column} = ${column} + 1 WHERE symbol = 'S0001'${only}`)
  await warehouse.run(`INSERT INTO ops.dirty_partition VALUES ('${relation}', '${day}')`)
  return await cpuMs(() => publish(warehouse, home, { runId: 'bench-row', retainDays: 7 }, systemEffects))
}

/** Writes every live file of a lake once more, from itself. */
async function copyAll({ home, warehouse }: Lake): Promise<void> {
  const files = await warehouse.rows<{ file: string }>(
    'SELECT file FROM ops.lake_file WHERE removed_at IS NULL',
  )
  for (const { file } of files)
    await warehouse.run(
      `COPY (FROM read_parquet('${join(home, 'lake', file)}')) TO '${join(home, 'copy.tmp')}' (${parquetOptions(MONTH_FORM)})`,
    )
}

const home = mkdtempSync(join(tmpdir(), 'candlehouse-bench-'))
const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
const lake = { home, warehouse }
try {
  await addSessions(warehouse, FIRST.from, FIRST.to, FIRST.size)
  await warehouse.run(`INSERT INTO market.security (symbol, board, listed_share, first_seen, last_seen, is_listed)
    VALUES ('S0001', 'HOSE', 1, DATE '${FIRST.from}', DATE '${FIRST.to}', true)`)
  const options = { runId: 'bench-first', retainDays: 7 }
  let files = 0
  const first = await cpuMs(async () => {
    files = (await publish(warehouse, home, options, systemEffects)).partitions
  })
  const copies = await cpuMs(() => copyAll(lake))
  record({
    what: `a home's first publication: 60 sessions of 40 symbols, ${files} files`,
    ours: `${first.toFixed(0)} CPU-ms`,
    beside: `DuckDB's COPY of these files ${copies.toFixed(0)}`,
    ratio: first / copies,
  })
  const spent: { none: number; security: number; summary: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1)
    spent.push({
      none: await cpuMs(() => publish(warehouse, home, options, systemEffects)),
      security: await publishRow(lake, 'market.security', 'all'),
      summary: await publishRow(lake, 'market.daily_summary', FIRST.to),
    })
  const none = median(spent.map((round) => round.none))
  for (const [what, ms] of [
    ['one security', median(spent.map(({ security }) => security))],
    ['one daily summary, with the factors of its session', median(spent.map(({ summary }) => summary))],
  ] as const)
    record({
      what: `publishing ${what}`,
      ours: `${ms.toFixed(0)} CPU-ms`,
      beside: `nothing changed ${none.toFixed(0)}`,
      ratio: ms / none,
    })
} finally {
  warehouse.close()
  rmSync(home, { recursive: true, force: true })
}
