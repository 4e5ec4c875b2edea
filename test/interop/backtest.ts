/**
 * Proves that backtesting engines load what `candlehouse export --for` writes: every bar as SQL has it, ten names held over
 * splits and dividends as `mart.daily_adjusted` has them, an order at the ceiling refused where the engine knows limits.
 * `make interop`; exits with 1 on any difference. An engine that is not installed is skipped, and said so.
 *
 * `DEMO` names a home of `candlehouse demo`; without it one is made, in two minutes.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'
import { ENGINE_NAMES } from '../../src/read/backtest/engine-names.js'
import { noteProgram } from './asked-programs.js'

interface Answer {
  engine: string
  bars: number
  differing: number
  total_return: number
  /** What the engine's own fills should have made; of an engine that fills at the first close what SQL says. */
  wanted_return?: number
  at_ceiling?: number
  refused?: number
}

/** Sessions in which something matched: engines have no bar of others. */
const TRUTH = `SELECT symbol, trading_date AS session,
    open_adjusted AS open, high_adjusted AS high, low_adjusted AS low, close_adjusted AS close,
    total_match_adjusted AS volume, adjustment_factor AS factor, CAST(open AS DOUBLE) AS open_raw,
    CAST(high AS DOUBLE) AS high_raw, CAST(low AS DOUBLE) AS low_raw, CAST(close AS DOUBLE) AS close_raw,
    total_match AS volume_raw
  FROM mart.daily_adjusted
  WHERE total_match > 0 AND mart.instrument_kind(symbol, NULL) IN ('stock', 'etf') ORDER BY symbol, session`

/** Fractions of a share are paid in cash at a split, and floats have seven digits. */
const TOLERANCE = 1e-5

const work = mkdtempSync(join(tmpdir(), 'candlehouse-backtest-'))
const candlehouse = (...args: string[]): void => {
  const program = join(packageRoot, 'dist/src/main.js')
  execFileSync(process.execPath, [program, ...args, '--quiet'], {
    cwd: work,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

let isEqual = true
try {
  const home = process.env.DEMO ?? join(work, 'demo')
  if (!process.env.DEMO) candlehouse('demo', '--no-console')
  const truth = join(work, 'truth.csv')
  candlehouse('export', '--home', home, '--query', TRUTH, '--out', truth)
  let held: number | undefined
  for (const engine of ENGINE_NAMES) {
    // LEAN, a program in C#, is never installed here: its readers are written again in Python, without libraries.
    const python =
      engine === 'lean' ? 'python3' : join(packageRoot, `test/interop/.venv-${engine}/bin/python`)
    if (engine !== 'lean' && !existsSync(python)) {
      process.stdout.write(`${engine}: skipped, ${python} is not installed\n`)
      noteProgram(engine, 'not installed')
      continue
    }
    const out = join(work, engine)
    candlehouse('export', '--home', home, '--for', engine, '--out', out)
    const script = join(packageRoot, `test/interop/backtest/${engine}_engine.py`)
    const printed = execFileSync(python, [script, out, truth], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const answer = JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '') as Answer
    const { bars, differing, total_return, at_ceiling, refused } = answer
    if (engine === 'nautilus') held = answer.wanted_return
    const wanted = answer.wanted_return ?? held ?? total_return
    const isRight =
      bars > 0 && differing === 0 && Math.abs(total_return - wanted) < TOLERANCE && at_ceiling === refused
    isEqual &&= isRight
    if (engine !== 'lean') noteProgram(engine)
    process.stdout.write(
      `${isRight ? 'ok   ' : 'WRONG'} ${answer.engine}: ${bars} bars, ${differing} differ; ten names held ` +
        `${total_return.toFixed(7)}, wanted ${wanted.toFixed(7)}` +
        `${at_ceiling === undefined ? '' : `; ${refused} of ${at_ceiling} orders at the ceiling refused`}\n`,
    )
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
process.exitCode = isEqual ? 0 : 1
