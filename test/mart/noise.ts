import { join } from 'node:path'
import { expect } from 'vitest'
import { exDates } from '../../packages/sandbox/src/market/world/corporate-actions.js'
import { type World, world } from '../../packages/sandbox/src/market/world/world.js'
import { startWithEffects } from '../../packages/sandbox/src/start.js'
import { systemEffects } from '../../src/effects.js'
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'
import { fileOf } from '../support/imported.js'
import { cli } from '../support/program.js'
import { ask } from '../support/published.js'

/** A corporate action of the sandbox's market. */
export interface TrueEvent {
  readonly symbol: string
  readonly exDate: string
  /** Reference over basis before it is rounded to the tick. */
  readonly factor: number
}

export interface FoundEvent {
  readonly symbol: string
  readonly ex_date: string
  readonly state: string
  readonly factor: number
}

/** References of a symbol and session as published, beside their basis. */
interface Compared {
  readonly symbol: string
  readonly ex_date: string
  readonly basis: number
  readonly tick: number
  readonly off: number
  readonly noise: number
  readonly ref: number
}

export interface NoisyMarket {
  readonly home: string
  /** True actions of sessions whose reference can be compared. */
  readonly truth: readonly TrueEvent[]
  compared(): Promise<ReadonlyMap<string, Compared>>
  found(): Promise<readonly FoundEvent[]>
  /** Imports the true actions, as a list of corporate actions has them. */
  declare(): Promise<void>
}

const SHARES = 0.95

export const nameOf = ({ symbol, ex_date }: { symbol: string; ex_date: string }): string =>
  `${symbol} ${ex_date}`

/** Daily summaries and price limits of a range from a sandbox whose reference prices have the noise of real days. */
export async function noisyMarket(universe: 'demo' | 'full', from: string, to: string): Promise<NoisyMarket> {
  const sandbox = await startWithEffects({ date: to, universe, referenceNoise: true }, systemEffects)
  onEnd(() => sandbox.close())
  const cwd = temporaryFolder()
  const home = join(cwd, 'data')
  const env = {
    BROKER_BASE_URL: sandbox.url,
    BROKER_API_KEY: sandbox.apiKey,
    BROKER_API_SECRET: sandbox.apiSecret,
    BROKER_MAX_RPS: '1000',
  }
  const run = async (...args: string[]): Promise<void> => {
    const ran = await cli(args, { cwd, env })
    expect(ran.code, ran.stderr).toBe(0)
  }
  for (const dataset of ['securitiesSummary', 'masterdata'])
    await run('backfill', dataset, '--from', from, '--to', to, '--date', to)
  const compared = async (): Promise<ReadonlyMap<string, Compared>> => {
    const rows = (await ask(
      home,
      `SELECT symbol, CAST(ex_date AS VARCHAR) AS ex_date, CAST(previous_basis AS DOUBLE) AS basis, tick,
         ticks_off AS off, noise_ticks AS noise, CAST(ref_price AS DOUBLE) AS ref
       FROM mart.adjustment_candidate(DATE '${from}', DATE '${to}')`,
    )) as unknown as readonly Compared[]
    return new Map(rows.map((row) => [nameOf(row), row]))
  }
  const comparable = await compared()
  const truth = trueEvents(world(universe, 1)).filter(({ symbol, exDate }) =>
    comparable.has(`${symbol} ${exDate}`),
  )
  return {
    home,
    truth,
    compared,
    found: async () =>
      (await ask(
        home,
        'SELECT symbol, CAST(ex_date AS VARCHAR) AS ex_date, state, factor FROM mart.adjustment_event',
      )) as unknown as readonly FoundEvent[],
    async declare() {
      const rows = truth.map(({ symbol, exDate, factor }) => {
        const { basis = 0 } = comparable.get(`${symbol} ${exDate}`) ?? {}
        return factor > SHARES
          ? `${symbol},${exDate},cash_dividend,,${Math.round(basis * (1 - factor))}`
          : `${symbol},${exDate},stock_dividend,${(1 / factor - 1).toFixed(6)},`
      })
      await run(
        'import',
        'corporate_actions',
        fileOf(['symbol,ex_date,kind,ratio,amount', ...rows, ''].join('\n')),
      )
    },
  }
}

function trueEvents({ instruments, time, prices }: World): TrueEvent[] {
  return instruments.flatMap((instrument) =>
    exDates(instrument, time.days.length)
      .filter(({ session }) => prices.factor(instrument, session - 1, session) !== 1)
      .map(({ session, factor }) => ({
        symbol: instrument.symbol,
        exDate: time.days[session] ?? '',
        factor,
      })),
  )
}

/** What prices alone should show, and what they did. */
export interface Comparison {
  readonly events: number
  readonly noisySessions: number
  readonly differing: number
  /** Found without any being there. */
  readonly invented: readonly string[]
  /** True, at least three ticks large (one more than noise of a tick can hide), and not found. */
  readonly missed: readonly string[]
  /** True, smaller, and not found. */
  readonly hidden: readonly string[]
  /** Found with a factor off by more than a tick of noise and rounding. */
  readonly wrong: readonly string[]
}

/** Compares the published events with the true ones. */
export async function compareEvents(market: NoisyMarket): Promise<Comparison> {
  const found = new Map((await market.found()).map((event) => [nameOf(event), event]))
  const compared = await market.compared()
  const names = new Set(market.truth.map(({ symbol, exDate }) => `${symbol} ${exDate}`))
  const lost = market.truth.filter(({ symbol, exDate }) => !found.has(`${symbol} ${exDate}`))
  const sizeOf = ({ symbol, exDate, factor }: TrueEvent): number => {
    const { basis = 0, tick = 1 } = compared.get(`${symbol} ${exDate}`) ?? {}
    return Math.abs(Math.round((basis * factor) / tick) - basis / tick)
  }
  const shown = (event: TrueEvent): string =>
    `${event.symbol} ${event.exDate} ×${event.factor.toFixed(4)} ${sizeOf(event).toFixed(1)} ticks, ${JSON.stringify(compared.get(`${event.symbol} ${event.exDate}`))}`
  const differing = [...compared].filter(([name, { off }]) => off > 0 && !names.has(name))
  return {
    events: market.truth.length,
    noisySessions: new Set(differing.map(([, { ex_date }]) => ex_date)).size,
    differing: differing.length,
    invented: [...found.keys()].filter((name) => !names.has(name)),
    missed: lost.filter((event) => sizeOf(event) >= 3).map(shown),
    hidden: lost.filter((event) => sizeOf(event) < 3).map(shown),
    wrong: market.truth.flatMap((event) => {
      const factor = found.get(`${event.symbol} ${event.exDate}`)?.factor
      const { basis = 1, tick = 1 } = compared.get(`${event.symbol} ${event.exDate}`) ?? {}
      return factor === undefined || Math.abs(factor - event.factor) * basis <= 1.5 * tick + 1e-6
        ? []
        : [`${shown(event)} is ${factor}`]
    }),
  }
}
