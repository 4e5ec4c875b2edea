/**
 * How many requests and bytes a reader of a lake in a bucket takes, for docs/scale-out.md: `npx tsx test/interop/bucket-reads.ts`, with
 * versitygw and DuckDB's httpfs as `make interop` installs them. A generated history of `SYMBOLS` (60) symbols from `FROM`
 * (2020-11-01) on, whose last month is still open; each question is asked by a process that has read nothing before, and of a file on this machine as well, whose
 * answer must have as many rows.
 */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/duckdb/open.js'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { addHistory } from '../bench/decade.js'
import { openGate } from './gate.js'
import { type Home, makeHome } from './home.js'
import { AWS, bucketPython, isInstalled, services, startService } from './s3.js'

const SYMBOLS = Number(process.env.SYMBOLS ?? 60)
const NIGHT = '2025-10-31'
const HISTORY = { from: process.env.FROM ?? '2020-11-01', to: '2025-10-24' }
const LAKE = 's3://desk/lake'
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

/** `$1` is a symbol in the middle of the alphabet. */
const QUESTIONS: Readonly<Record<string, string>> = {
  'nothing, it is opened': 'SELECT 1',
  "a symbol's year of 1m": `SELECT trading_date, opened_at, open, high, low, close, volume FROM market.candle WHERE symbol = '$1' AND timeframe = '1m' AND trading_date BETWEEN DATE '2024-07-01' AND DATE '2025-06-30'`,
  "a symbol's session of 1m": `SELECT opened_at, close, volume FROM market.candle WHERE symbol = '$1' AND timeframe = '1m' AND trading_date = DATE '2025-03-14'`,
  'a session of 1m, all symbols': `SELECT symbol, opened_at, close, volume FROM market.candle WHERE timeframe = '1m' AND trading_date = DATE '2025-03-14'`,
  "a symbol's daily summaries": `SELECT trading_date, open, high, low, close, total_match FROM market.daily_summary WHERE symbol = '$1'`,
  "a symbol's adjusted prices": `SELECT trading_date, close_adjusted FROM mart.daily_adjusted WHERE symbol = '$1'`,
  "a session's factors": `FROM mart.daily_factor WHERE trading_date = DATE '2025-03-14'`,
}

type Reader = 'catalog' | 'ducklake'

async function generate(home: Home): Promise<void> {
  const night = await home.run(['nightly', '--date', NIGHT], { CANDLEHOUSE_LAKE_URL: '' })
  if (night.code !== 0) throw new Error(night.out)
  const warehouse = await openWarehouse(join(home.folder, 'warehouse.duckdb'), systemEffects)
  await addHistory(warehouse, { symbols: SYMBOLS, traded: SYMBOLS, ...HISTORY })
  warehouse.close()
  const published = await home.run(['publish'])
  if (published.code !== 0) throw new Error(published.out)
}

async function ask(reader: Reader, statement: string, endpoint: string): Promise<number> {
  const script = join(packageRoot, 'test/interop/engines/bucket_reads.py')
  const { PATH, HOME } = process.env
  return await new Promise((resolve, reject) => {
    const env = { PATH, HOME, ...AWS }
    const child = execFile(bucketPython, [script, reader, LAKE, endpoint], { env }, (error, stdout) => {
      if (error) reject(error)
      else resolve((JSON.parse(stdout) as number[])[0] ?? -1)
    })
    child.stdin?.end(statement)
  })
}

async function measure(): Promise<void> {
  const [service] = services
  if (!service || !isInstalled(service) || !existsSync(bucketPython)) {
    say('versitygw or the Python of .venv-bucket is not installed: make interop')
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'candlehouse-reads-'))
  mkdirSync(join(folder, 'service'))
  const { endpoint, process: child } = await startService(service, join(folder, 'service'))
  const gate = await openGate(endpoint)
  const home = makeHome({ ...AWS, CANDLEHOUSE_LAKE_URL: LAKE, AWS_ENDPOINT_URL_S3: endpoint })
  try {
    await generate(home)
    const catalog = await openDatabase(home.catalog, { readOnly: true })
    const [symbol = ''] = await catalog.column<string>(
      `SELECT symbol FROM market.candle WHERE trading_date = DATE '${HISTORY.to}' AND timeframe = '1m'
       GROUP BY ALL ORDER BY symbol LIMIT 1 OFFSET ${Math.floor(SYMBOLS / 2)}`,
    )
    const files = (name: string): string =>
      execFileSync('find', [join(home.lake, name), '-name', '*.parquet'], { encoding: 'utf8' })
    say(`${files('market/candle').trim().split('\n').length} files of market.candle`)
    for (const [question, text] of Object.entries(QUESTIONS)) {
      const statement = text.replaceAll('$1', symbol).replaceAll(/\s+/g, ' ')
      const expected = (await catalog.rows(statement)).length
      for (const reader of ['catalog', 'ducklake'] as const) {
        const { requests, bytes } = { ...gate.answered }
        const rows = await ask(reader, statement, gate.endpoint)
        const [asked, megabytes] = [gate.answered.requests - requests, (gate.answered.bytes - bytes) / 1e6]
        say(`${question}, ${reader}: ${rows} rows, ${asked} requests, ${megabytes.toFixed(1)} MB`)
        if (rows !== expected) throw new Error(`the catalog on this machine has ${expected} rows`)
      }
    }
    catalog.close()
  } finally {
    gate.close()
    child.kill()
    home.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

await measure()
