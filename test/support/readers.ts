import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { addDays } from 'candlehouse-foundation/market/day'
import type { Database } from '../../src/duckdb/open.js'
import { fakeEffects } from './effects.js'
import { temporaryFolder } from './folder.js'
import { openTestWarehouse } from './landed.js'
import { publishTest } from './published.js'

export interface Read {
  reads: number
  /** How many states of the lake a reader met. */
  states: number
  /** Errors and mixed states. */
  wrong: string[]
}

/** Two thirds of a day a publication: what was replaced is swept 11 publications later; no reader takes that long. */
const STEP_MS = 16 * 60 * 60 * 1000

const FACTS = ['candle', 'daily_summary', 'price_limit']

/**
 * Processes read the lake without a pause while one publishes, and wait for each other now and then, so that every
 * reader meets at least `states` states on a machine of any speed: every publication restates all that is held, every
 * third brings a new session, so that months close and are merged; sessions of two months ago are withdrawn, so that a
 * publication costs the same whenever it comes; what was replaced long enough ago is swept.
 */
export async function readWhilePublishing(
  readers: number,
  publications: number,
  states: number,
): Promise<Read[]> {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const effects = fakeEffects(Date.parse('2025-01-01T12:00:00Z'))
  let day = '2025-01-02'
  await addSession(warehouse, day)
  await publishState(1)
  const stop = join(home, 'stop')
  const started = Array.from({ length: readers }, (_, index) => {
    const verdict = join(home, `verdict-${index}`)
    const script = join(import.meta.dirname, 'reader.mjs')
    const child = spawn(process.execPath, [script, home, stop, verdict], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    })
    // Ten readers on two cores would leave the publisher nothing to publish with.
    if (child.pid) setPriority(child.pid, 19)
    return { verdict, child, met: statesMet(child) }
  })
  try {
    for (let state = 2; state <= publications; state += 1) {
      if (state % 3 === 0) {
        day = addDays(day, 4)
        await addSession(warehouse, day)
        await withdrawBefore(warehouse, addDays(day, -60))
      }
      await publishState(state)
      effects.advance(STEP_MS)
      const due = Math.floor((state * states) / publications)
      for (const { met } of started) await met(due)
    }
  } finally {
    writeFileSync(stop, '')
  }
  return await Promise.all(
    started.map(async ({ verdict, child }) => {
      if (child.exitCode === null) await once(child, 'exit')
      return JSON.parse(readFileSync(verdict, 'utf8')) as Read
    }),
  )

  async function publishState(state: number): Promise<void> {
    await warehouse.transaction(async () => {
      await warehouse.run(`UPDATE market.candle SET volume = ${state}`)
      await warehouse.run(`UPDATE market.daily_summary SET total_match = ${state}`)
      await warehouse.run(`UPDATE market.price_limit SET floor = ${state}`)
      for (const name of FACTS)
        await warehouse.run(
          `INSERT INTO ops.dirty_partition SELECT DISTINCT 'market.${name}', trading_date::VARCHAR FROM market.${name}`,
        )
    })
    await publishTest(warehouse, home, effects)
  }
}

/** Waits until a reader has met so many states, or has ended. */
function statesMet(child: ChildProcess): (states: number) => Promise<void> {
  let met = 0
  child.on('message', (states: number) => {
    met = states
  })
  const ended = once(child, 'exit')
  return async (states) => {
    while (met < states && child.exitCode === null) await Promise.race([once(child, 'message'), ended])
  }
}

async function addSession(warehouse: Database, day: string): Promise<void> {
  await warehouse.run(`INSERT INTO market.candle (symbol, timeframe, opened_at, trading_date, volume)
    SELECT 'S' || i, '1m', TIMESTAMPTZ '${day} 02:15:00+00', DATE '${day}', 0 FROM range(20) r(i)`)
  await warehouse.run(
    `INSERT INTO market.daily_summary (symbol, trading_date) SELECT 'S' || i, DATE '${day}' FROM range(20) r(i)`,
  )
  await warehouse.run(
    `INSERT INTO market.price_limit (symbol, trading_date) SELECT 'S' || i, DATE '${day}' FROM range(20) r(i)`,
  )
}

async function withdrawBefore(warehouse: Database, day: string): Promise<void> {
  for (const name of FACTS) {
    const gone = `FROM market.${name} WHERE trading_date < DATE '${day}'`
    await warehouse.run(
      `INSERT INTO ops.dirty_partition SELECT DISTINCT 'market.${name}', trading_date::VARCHAR ${gone}`,
    )
    await warehouse.run(`DELETE ${gone}`)
  }
}
