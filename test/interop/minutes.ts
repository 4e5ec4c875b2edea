/**
 * A strategy over every minute bar of a market, run by nautilus_trader on `candlehouse export --for nautilus --timeframe 1m`, beside
 * the same strategy in SQL: as many orders filled, for as much. `make interop`; exits with 1 on any difference.
 *
 * SYMBOLS (20) and FROM (2025-08-01) are the size, with 225 bars per symbol and session up to October 2025: 200 and 2024-10-15 are more
 * than ten million bars, five minutes.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { addHistory } from '../bench/decade.js'

const SYMBOLS = Number(process.env.SYMBOLS ?? 20)
const FROM = process.env.FROM ?? '2025-08-01'
const [REAL_NIGHT, TO] = ['2025-10-31', '2025-10-24']
/** A symbol is held while the mean of its last closes is above that of six times as many. */
const [FAST, SLOW] = [75, 450]

const python = join(packageRoot, 'test/interop/.venv-nautilus/bin/python')

interface Outcome {
  bars: number
  fills: number
  shares: number
  /** Ten-thousandths of a dong. */
  spent: number
}

/** The prices that the format holds: adjusted, of four decimals. */
const WANTED = `WITH bar AS (
    SELECT candle.symbol, opened_at, CAST(round(CAST(candle.close AS DOUBLE) * coalesce(adjustment_factor, 1) * 10000) AS HUGEINT) AS close
    FROM market.candle candle
    LEFT JOIN mart.daily_adjusted day ON day.symbol = candle.symbol AND day.trading_date = candle.trading_date
    WHERE timeframe = '1m' AND candle.trading_date BETWEEN DATE '${FROM}' AND DATE '${TO}'
      AND mart.instrument_kind(candle.symbol, NULL) IN ('stock', 'etf')
  ), average AS (
    SELECT *, count(*) OVER (PARTITION BY symbol ORDER BY opened_at) >= ${SLOW}
      AND sum(close) OVER (PARTITION BY symbol ORDER BY opened_at ROWS ${FAST - 1} PRECEDING) * ${SLOW / FAST}
        > sum(close) OVER (PARTITION BY symbol ORDER BY opened_at ROWS ${SLOW - 1} PRECEDING) AS is_held
    FROM bar
  ), change AS (
    SELECT *, CAST(is_held AS INTEGER)
      - CAST(coalesce(lag(is_held) OVER (PARTITION BY symbol ORDER BY opened_at), false) AS INTEGER) AS side
    FROM average
  )
  SELECT count(*) AS bars, count(*) FILTER (side <> 0) AS fills, sum(side) AS shares,
    CAST(sum(side * close) AS BIGINT) AS spent FROM change`

const work = mkdtempSync(join(tmpdir(), 'candlehouse-minutes-'))
const home = join(work, 'home')
const candlehouse = (...args: string[]): string =>
  execFileSync(
    process.execPath,
    [join(packageRoot, 'dist/src/main.js'), ...args, '--home', home, '--quiet'],
    {
      cwd: work,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )

/** @returns seconds */
function timed(run: () => void): string {
  const start = performance.now()
  run()
  return ((performance.now() - start) / 1e3).toFixed(1)
}

async function makeHome(): Promise<void> {
  candlehouse('nightly', '--date', REAL_NIGHT, '--skip-accounts')
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
  try {
    await addHistory(warehouse, { symbols: SYMBOLS, traded: SYMBOLS, from: FROM, to: TO })
  } finally {
    warehouse.close()
  }
  candlehouse('publish')
}

interface Answer extends Outcome {
  engine: string
  seconds: number
  cpu_seconds: number
  peak_mb: number
}

function runEngine(out: string): Answer {
  const script = join(packageRoot, 'test/interop/backtest/nautilus_minutes.py')
  const printed = execFileSync(python, [script, out, String(FAST), String(SLOW)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '') as Answer
}

async function compare(): Promise<void> {
  await makeHome()
  const out = join(work, 'nautilus')
  const range = ['--timeframe', '1m', '--from', FROM, '--to', TO]
  const exported = timed(() => candlehouse('export', '--for', 'nautilus', ...range, '--out', out))
  let wanted: Outcome = { bars: 0, fills: 0, shares: 0, spent: 0 }
  const asked = timed(() => {
    wanted = outcomeOf(candlehouse('sql', '--json', WANTED))
  })
  const answer = runEngine(out)
  const { engine, bars, fills, spent, seconds, cpu_seconds, peak_mb } = answer
  const isRight = bars > 0 && fills > 0 && differing(answer, wanted).length === 0
  process.stdout.write(
    `${isRight ? 'ok   ' : 'WRONG'} ${engine}: ${bars} bars of a minute, ${fills} orders filled for ${spent / 1e4} VND, ` +
      `in SQL ${wanted.bars}, ${wanted.fills}, ${wanted.spent / 1e4}; export ${exported} s, ` +
      `backtest ${seconds.toFixed(1)} s (${cpu_seconds.toFixed(1)} of CPU, ${peak_mb.toFixed(0)} MB), SQL ${asked} s\n`,
  )
  if (!isRight) process.exitCode = 1
}

/** Exact numbers that are beyond JSON's come as texts. */
function outcomeOf(rows: string): Outcome {
  const [row = {}] = JSON.parse(rows) as Record<keyof Outcome, number | string>[]
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Number(value)]),
  ) as unknown as Outcome
}

function differing(one: Outcome, other: Outcome): string[] {
  return (['bars', 'fills', 'shares', 'spent'] as const).filter((name) => one[name] !== other[name])
}

if (existsSync(python))
  try {
    await compare()
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
else process.stdout.write(`nautilus: skipped, ${python} is not installed\n`)
