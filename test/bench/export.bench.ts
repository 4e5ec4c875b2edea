/**
 * Exporting ten million candles, or fewer from a later BENCH_FROM, as an Arrow file, beside DuckDB's own Parquet COPY of the same rows, in turns in one
 * run: rows a second and the peak of resident memory of the whole process. `make bench`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemEffects } from '../../src/effects.js'
import { publish } from '../../src/publish/index.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { addSessions } from './history.js'
import { median, record } from './results.js'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const SIZE = { symbols: 100, bars: 200 }
const [FROM, TO] = [process.env.BENCH_FROM ?? '2023-03-14', '2025-03-12']

let rows = 0

interface Cost {
  seconds: number
  /** MB, as the kernel's high-water mark of the process says. */
  peak: number
}

async function costOf(args: readonly string[]): Promise<Cost> {
  const start = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  let peak = 0
  const timer = setInterval(() => {
    const status = readStatus(child.pid)
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024)
  }, 50)
  const [code] = (await once(child, 'exit')) as [number]
  clearInterval(timer)
  if (code !== 0) throw new Error(`exit ${code}`)
  return { seconds: (performance.now() - start) / 1000, peak }
}

function readStatus(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

const home = mkdtempSync(join(tmpdir(), 'candlehouse-bench-'))
try {
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
  await addSessions(warehouse, FROM, TO, SIZE)
  const [stored] = await warehouse.rows<{ count: bigint }>('SELECT count(*) AS count FROM market.candle')
  rows = Number(stored?.count)
  await publish(warehouse, home, { runId: 'bench', retainDays: 7 }, systemEffects)
  warehouse.close()
  const catalog = join(home, 'catalog.duckdb')
  const copy = `import { DuckDBInstance } from '@duckdb/node-api'
    const instance = await DuckDBInstance.create(${JSON.stringify(catalog)}, { access_mode: 'READ_ONLY' })
    const connection = await instance.connect()
    await connection.run(\`COPY (SELECT * FROM market.candle WHERE timeframe = '1m')
      TO '${join(home, 'copy.parquet')}' (FORMAT parquet, COMPRESSION zstd)\`)`
  const program = [
    'dist/src/main.js',
    'export',
    'market.candle',
    '--timeframe',
    '1m',
    '--home',
    home,
    '--quiet',
  ]
  const copies: Cost[] = []
  const costs = new Map<string, Cost[]>()
  for (let round = 1; round <= ROUNDS; round += 1) {
    const duckdb = await costOf(['--input-type=module', '--eval', copy])
    copies.push(duckdb)
    let line = `round ${round}: COPY ${rate(duckdb)}`
    for (const [format, profile] of [
      ['arrow', 'exact'],
      ['arrow', 'pandas'],
      ['parquet', 'exact'],
    ] as const) {
      const name = `${format} ${profile}`
      const ours = await costOf([...program, '--profile', profile, '--out', join(home, `candle.${format}`)])
      costs.set(name, [...(costs.get(name) ?? []), ours])
      line += `; ${name} ${rate(ours)}`
    }
    process.stdout.write(`${line}\n`)
  }
  for (const [name, all] of costs)
    record({
      what: `export of ${rows} candles: ${name}`,
      ours: rate(middle(all)),
      beside: `DuckDB's COPY to Parquet ${rate(middle(copies))}`,
      ratio: median(all.map(({ seconds }, round) => seconds / (copies[round]?.seconds ?? Number.NaN))),
    })
} finally {
  rmSync(home, { recursive: true, force: true })
}

function rate({ seconds, peak }: Cost): string {
  return `${(rows / seconds / 1e6).toFixed(2)} M rows/s, ${peak.toFixed(0)} MB`
}

function middle(all: readonly Cost[]): Cost {
  return { seconds: median(all.map(({ seconds }) => seconds)), peak: median(all.map(({ peak }) => peak)) }
}
