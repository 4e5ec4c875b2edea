import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { afterEve, FIRST } from '../e2e/support/nights.js'
import { cli } from '../support/program.js'

const run = promisify(execFile)
const python = process.env.PYTHON || 'python3'
const hasDuckdb = spawnSync(python, ['-c', 'import duckdb']).status === 0

/** What a program says that has copied examples/python/candlehouse.py. */
async function say(home: string, program: string): Promise<unknown> {
  const env = {
    PATH: process.env.PATH,
    CANDLEHOUSE_HOME: home,
    PYTHONPATH: join(packageRoot, 'examples/python'),
  }
  const script = `import json\nfrom candlehouse import candles, daily, symbols\nprint(json.dumps(${program}, default=str))`
  return JSON.parse((await run(python, ['-c', script], { env })).stdout)
}

describe.skipIf(!hasDuckdb)(`the module for Python (needs duckdb in ${python}; PYTHON names another)`, () => {
  test('reads daily prices, candles and symbols as SQL does, and names the nearest symbols', async () => {
    const cwd = await afterEve()
    const home = join(cwd, 'data')
    const sql = async (statement: string): Promise<unknown> =>
      (await cli(['sql', '--json', statement], { cwd })).json<Record<string, unknown>[]>()
    const days = `SELECT CAST(trading_date AS VARCHAR) AS day, CAST(close AS DOUBLE) AS close, CAST(total_match AS DOUBLE) AS volume
      FROM market.daily_summary WHERE symbol = 'FPT' ORDER BY trading_date`
    const rows = (call: string, columns: string) =>
      `[dict(zip(${columns}, row)) for row in ${call}.fetchall()]`
    const daily = `daily("FPT", adjusted=False).project("trading_date, close, CAST(volume AS DOUBLE)")`
    expect(await say(home, rows(daily, '("day", "close", "volume")'))).toEqual(await sql(days))
    const bars = `SELECT CAST(local_time AS VARCHAR) AS at, CAST(close AS DOUBLE) AS close FROM market.candle
      WHERE symbol = 'FPT' AND timeframe = '15m' ORDER BY opened_at`
    const candles = `candles("FPT", "15m", since="${FIRST}").project("local_time, close")`
    expect(await say(home, rows(candles, '("at", "close")'))).toEqual(await sql(bars))
    expect(await say(home, 'symbols("HNX")')).toEqual(
      (
        (await sql(`SELECT symbol FROM market.security WHERE board = 'HNX' ORDER BY symbol`)) as {
          symbol: string
        }[]
      ).map(({ symbol }) => symbol),
    )
    await expect(say(home, 'daily("FPX")')).rejects.toThrow(/there is no symbol 'FPX'; near it: FPT/)
  })
})
