import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { listLog } from '../../src/lake/delta/delta-log.js'
import { packageRoot } from '../../src/package.js'

const execute = promisify(execFile)

/** Every view that can be a table of the lake is one. */
const EVERY_MART = { CANDLEHOUSE_LAKE_MARTS: 'all' }

/** How a command ended. */
interface Ended {
  code: number
  out: string
}

/** A lake made by the built program, as a user makes it. */
export interface Home {
  folder: string
  lake: string
  catalog: string
  /** @param environment beside the home's own */
  run(args: readonly string[], environment?: NodeJS.ProcessEnv): Promise<Ended>
  /** Starts a command whose process the caller ends. */
  start(args: readonly string[], environment?: NodeJS.ProcessEnv): ChildProcess
  /** A nightly against the embedded sandbox. @throws Error unless it ends with 0 */
  nightly(date: string): Promise<void>
  /** @throws Error unless it ends with 0 */
  publish(): Promise<void>
  /** Changes what the warehouse holds, as a restatement does; published by the next `publish`. */
  change(...statements: string[]): Promise<void>
  remove(): void
}

/** @param environment of every command, beside PATH and HOME */
export function makeHome(environment: NodeJS.ProcessEnv = {}): Home {
  const folder = mkdtempSync(join(tmpdir(), 'candlehouse-interop-'))
  const { PATH, HOME } = process.env
  const own = { PATH, HOME, ...EVERY_MART, ...environment }
  const commandOf = (args: readonly string[]): string[] => [
    join(packageRoot, 'dist/src/main.js'),
    ...args,
    '--home',
    folder,
  ]
  const requireDone = async (...args: string[]): Promise<void> => {
    await execute(process.execPath, commandOf(args), { cwd: folder, env: own })
  }
  return {
    folder,
    lake: join(folder, 'lake'),
    catalog: join(folder, 'catalog.duckdb'),
    run: async (args, more = {}) =>
      await execute(process.execPath, commandOf(args), { cwd: folder, env: { ...own, ...more } }).then(
        ({ stdout }) => ({ code: 0, out: stdout }),
        ({ code, stdout }: { code: number; stdout: string }) => ({ code, out: stdout }),
      ),
    start: (args, more = {}) =>
      spawn(process.execPath, commandOf(args), { cwd: folder, env: { ...own, ...more }, stdio: 'ignore' }),
    nightly: async (date) => await requireDone('nightly', '--date', date),
    publish: async () => await requireDone('publish'),
    change: async (...statements) => {
      const instance = await DuckDBInstance.create(join(folder, 'warehouse.duckdb'))
      const connection = await instance.connect()
      for (const statement of statements) await connection.run(statement)
      connection.closeSync()
      instance.closeSync()
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/**
 * Values that a reader with less than exact types loses: beyond 2^53, the last decimal, the last microsecond, the last
 * code point, quotes.
 */
export const RESTATEMENT = [
  `UPDATE market.candle SET volume = 9007199254740993, value = 9999999999999999.99, high = 999999999999.999999,
     low = 0.000001, loaded_at = TIMESTAMPTZ '2025-07-01 23:59:59.999999+00'
   WHERE trading_date = DATE '2025-06-27' AND timeframe = '1m' AND (symbol, opened_at) = (
     SELECT (symbol, opened_at) FROM market.candle WHERE trading_date = DATE '2025-06-27' AND timeframe = '1m'
     ORDER BY symbol, opened_at LIMIT 1)`,
  `UPDATE market.candle SET volume = volume + 1
   WHERE trading_date = DATE '2025-07-01' AND timeframe = '1m' AND volume % 7 = 0`,
  `UPDATE market.candle SET request_id = NULL, value = NULL
   WHERE trading_date = DATE '2025-06-27' AND timeframe = '1m' AND volume % 11 = 0`,
  `UPDATE market.price_limit SET exchange = 'Sở ''GD'' "\\" 😀', floor = NULL, ref_price = -0.000001
   WHERE trading_date = DATE '2025-06-27' AND symbol = (SELECT min(symbol) FROM market.price_limit)`,
  `INSERT INTO ops.dirty_partition VALUES ('market.candle', '2025-06-27'), ('market.candle', '2025-07-01'),
     ('market.price_limit', '2025-06-27')`,
]

/** A small restatement, over and over another. */
export const AGAIN = [
  `UPDATE market.candle SET volume = volume + 1 WHERE trading_date = DATE '2025-07-01' AND timeframe = '1m'`,
  `INSERT INTO ops.dirty_partition VALUES ('market.candle', '2025-07-01')`,
]

/**
 * A copy of a lake in which a reader has only the checkpoint to know what was before it: the entries before the
 * latest one are gone. Its own stays, as the sweep leaves it: Spark asks for it to see that version.
 *
 * @returns how many entries went
 */
export async function copyWithoutEntries(
  lake: string,
  to: string,
  tables: readonly string[],
): Promise<number> {
  cpSync(lake, to, { recursive: true })
  let gone = 0
  for (const table of tables) {
    const { entries, checkpoints } = listLog(join(to, table))
    const checkpoint = checkpoints.at(-1)
    if (checkpoint === undefined) continue
    const old = new Set(entries.filter((version) => version < checkpoint))
    const log = join(to, table, '_delta_log')
    for (const name of readdirSync(log).filter(
      (each) => each.endsWith('.json') && old.has(Number.parseInt(each, 10)),
    )) {
      rmSync(join(log, name))
      gone += 1
    }
  }
  return gone
}
