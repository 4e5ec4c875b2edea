import type { Effects } from 'candlehouse-foundation/effects'
import { UsageError } from 'candlehouse-foundation/errors'
import { instantOf } from 'candlehouse-foundation/market/day'
import type { Broker } from '../broker/broker.js'
import { openingsWith } from '../broker/ledger/opening-balances.js'
import { openBroker } from '../broker/open-broker.js'
import { type MarketClock, marketClock } from '../market/clock.js'
import { OwnTrades, withOwnTrades } from '../market/exchange/own-trades.js'
import { Memo } from '../market/world/memo.js'
import { type World, world } from '../market/world/world.js'
import type { DateFormat, SandboxOptions } from '../options.js'
import { type Dialect, dialectOf } from './wire/answer-dialect.js'

/** What every route needs: the market, its clock, and how this deployment answers. */
export interface Service {
  options: SandboxOptions
  world: World
  clock: MarketClock
  format: DateFormat
  dialect: Dialect
  effects: Effects
  /** The brokerage, up to the clock's now: opened when an account is first asked for. */
  broker(): Broker
}

/** @throws UsageError for what is lent on a symbol that the market does not have: nothing would change */
function checkLending({ lending = {} }: SandboxOptions, { instruments }: World): void {
  const symbols = new Set(instruments.map(({ symbol }) => symbol))
  for (const symbol of Object.keys(lending))
    if (!symbols.has(symbol))
      throw new UsageError(`--lending: ${symbol} is not a symbol of the sandbox`, {
        hint: 'candlehouse sandbox --help',
      })
}

/** Worlds never change: the sandboxes of a process share them, with what they have computed. */
const worlds = new Memo<string, World>(4)

export function createService(options: SandboxOptions, effects: Effects): Service {
  const { universe = 'demo', seed = 1, limitDays = [], splits = [], transfers = [] } = options
  const events = { limitDays, splits, transfers }
  const market = worlds.get(JSON.stringify([universe, seed, events]), () => world(universe, seed, events))
  checkLending(options, market)
  const clock = marketClock(stoppedAt(options), () => effects.now(), market.time)
  const dialect = dialectOf(options)
  let opened: Broker | undefined
  const ownTrades = options.impact ? new OwnTrades() : undefined
  const service: Service = {
    options,
    // What has traded by now is in it: the broker first does what is due.
    world: ownTrades
      ? withOwnTrades(market, () => {
          service.broker()
          return ownTrades
        })
      : market,
    clock,
    format: options.dateFormat ?? 'YYYY/MM/DD',
    dialect,
    effects,
    broker() {
      opened ??= openBroker({
        world: market,
        dialect: dialect.name,
        now: clock.now(),
        session: market.time.at(clock.today()),
        trade: options.trade !== undefined,
        ongoing: options.ongoing ?? false,
        openings: openingsWith(options.marginLoan),
        lending: options.lending,
        forcedSale: options.forcedSale,
        ownTrades,
        marginRatios: options.marginRatios && {
          call: { part: Math.round(options.marginRatios.call * 10), of: 1_000 },
          sell: { part: Math.round(options.marginRatios.sell * 10), of: 1_000 },
        },
      })
      opened.agenda.advanceTo(clock.now())
      return opened
    },
  }
  return service
}

/** A given date stops the clock at 18:00 unless a time is given; a scripted day stops it at the end of its script. */
function stoppedAt({ now, date, at, trade }: SandboxOptions): number | undefined {
  if (now !== undefined || date === undefined) return now
  return instantOf(date, at ?? trade ?? '18:00')
}

/** The sessions from one day to another that have data up to `last`, ascending. */
export function sessionsIn({ world }: Service, from: string, to: string, last: number): number[] {
  const first = Math.max(0, world.time.from(from))
  const end = Math.min(last, world.time.at(to))
  return end < first ? [] : Array.from({ length: end - first + 1 }, (_, i) => first + i)
}
