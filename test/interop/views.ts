/**
 * Proves that the views that `candlehouse ddl clickhouse` prints answer as the catalog's do: every timeframe, and adjusted
 * bars. `make interop`; exits with 1 on any difference.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { packageRoot } from '../../src/package.js'
import { shortDecimal } from './compare.js'
import { makeHome } from './home.js'

/** The same words in both engines: only what reads, and how an instant becomes microseconds, differ. */
function questions(
  bars: string,
  adjusted: string,
  micros: (column: string) => string,
): Record<string, string> {
  const exact = ['open', 'high', 'low', 'close', 'value'].map((name) => `CAST(sum(${name}) AS VARCHAR)`)
  const scaled = ['open', 'high', 'low', 'close', 'volume'].map(
    (name) => `CAST(sum(CAST(floor(${name}_adjusted * 1e3 + 0.5) AS BIGINT)) AS VARCHAR)`,
  )
  return {
    bars: `SELECT timeframe, CAST(count(*) AS VARCHAR), CAST(sum(volume) AS VARCHAR), ${exact.join(', ')},
      CAST(min(${micros('opened_at')}) AS VARCHAR), CAST(max(${micros('opened_at')}) AS VARCHAR),
      CAST(sum(${micros('opened_at')} % 1000000007) AS VARCHAR)
      FROM ${bars} GROUP BY timeframe ORDER BY timeframe`,
    adjusted: `SELECT timeframe, CAST(count(*) AS VARCHAR), ${scaled.join(', ')}
      FROM ${adjusted} GROUP BY timeframe ORDER BY timeframe`,
  }
}

const ADJUSTED = `(SELECT candle.timeframe, factor, candle.open::DOUBLE * factor AS open_adjusted,
  candle.high::DOUBLE * factor AS high_adjusted, candle.low::DOUBLE * factor AS low_adjusted,
  candle.close::DOUBLE * factor AS close_adjusted, candle.volume / factor AS volume_adjusted
  FROM (SELECT candle.*, coalesce(later.cumulative_factor, 1) AS factor FROM market.candle candle
    ASOF LEFT JOIN mart.adjustment_factor later
      ON later.symbol = candle.symbol AND candle.trading_date < later.ex_date) candle) adjusted`

/** An event in the middle of what is stored: prices before it are halved. */
const EVENT = [
  `UPDATE market.price_limit SET ref_price = ref_price / 2, ceiling = ceiling / 2, floor = floor / 2
   WHERE symbol = (SELECT max(symbol) FROM market.price_limit WHERE length(symbol) = 3)
     AND trading_date = (SELECT max(trading_date) FROM market.price_limit)`,
  `INSERT INTO ops.dirty_partition SELECT 'market.price_limit', CAST(max(trading_date) AS VARCHAR) FROM market.price_limit`,
]

const home = makeHome()
let isEqual = true
try {
  await home.nightly('2025-06-30')
  await home.change(...EVENT)
  await home.publish()
  const program = join(packageRoot, 'dist/src/main.js')
  const ddl = execFileSync(process.execPath, [program, 'ddl', 'clickhouse', '--lake', home.lake])
  const asked = questions(
    'market.candle_all',
    'mart.candle_adjusted',
    (column) => `toUnixTimestamp64Micro(${column})`,
  )
  const script = join(packageRoot, 'test/interop/engines/clickhouse_views.mjs')
  const answers = JSON.parse(
    execFileSync(process.execPath, [script, JSON.stringify(asked)], { input: ddl, encoding: 'utf8' }),
  ) as Record<string, (string | null)[][]>
  const instance = await DuckDBInstance.create(home.catalog, { access_mode: 'READ_ONLY' })
  const catalog = await instance.connect()
  for (const [name, query] of Object.entries(
    questions('market.candle', ADJUSTED, (column) => `epoch_us(${column})`),
  )) {
    const rows = (await catalog.runAndReadAll(query)).getRows() as (string | null)[][]
    for (const [index, row] of rows.entries()) {
      const actual = answers[name]?.[index] ?? []
      const same = row.length === actual.length && row.every((value, at) => isSame(value, actual[at] ?? null))
      isEqual &&= same
      process.stdout.write(
        `${same ? 'ok   ' : 'WRONG'} clickhouse ${name} ${row.slice(0, 2).join(' ')}${same ? '' : `\n  ${row.join(' ')}\n  ${actual.join(' ')}`}\n`,
      )
    }
    isEqual &&= rows.length === answers[name]?.length
  }
  catalog.closeSync()
} finally {
  home.remove()
}
process.exit(isEqual ? 0 : 1)

function isSame(one: string | null, other: string | null): boolean {
  return one === null || other === null ? one === other : shortDecimal(one) === shortDecimal(other)
}
