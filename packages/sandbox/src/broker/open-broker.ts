import { instantOf } from 'candlehouse-foundation/market/day'
import { createAgenda } from '../market/agenda.js'
import type { OwnTrades } from '../market/exchange/own-trades.js'
import { SimulatedMarket } from '../market/exchange/simulated-market.js'
import type { World } from '../market/world/world.js'
import type { Broker } from './broker.js'
import { ConditionalDesk } from './conditional/conditional-desk.js'
import { chart } from './ledger/chart-of-accounts.js'
import { netOf } from './ledger/futures-position.js'
import type { LendingChanges } from './ledger/lending.js'
import { createLedger } from './ledger/open-ledger.js'
import { OPENINGS, type Opening } from './ledger/opening-balances.js'
import { type MarginRatios, USUAL_RATIOS } from './ledger/tariff.js'
import { OrderDesk } from './orders/order-desk.js'
import { scheduleForcedSales } from './participants/forced-sale.js'
import { enterHistory } from './participants/history.js'
import { enterShowcase } from './participants/showcase.js'

export interface BrokerParts {
  readonly world: World
  readonly dialect: 'spec' | 'live'
  /** Epoch milliseconds: the service's clock when the broker starts. */
  readonly now: number
  /** Session of that day, or the last session before it. */
  readonly session: number
  /** Whether today is the scripted day that leaves an order of every status. */
  readonly trade: boolean
  /** Whether the participants trade on the sessions after today too, as the clock reaches them. */
  readonly ongoing: boolean
  /** @default those of the demo client and of the clients that trade with it */
  readonly openings?: readonly Opening[]
  /** @default the usual ones */
  readonly marginRatios?: MarginRatios | undefined
  /** Per cent lent on a symbol, in place of the usual ones. */
  readonly lending?: LendingChanges | undefined
  /** Time of day (`HH:mm`) from which the broker sells, from today on; undefined: it only calls. */
  readonly forcedSale?: string | undefined
  /** Where trades of orders go from `now` on, when they move the market. */
  readonly ownTrades?: OwnTrades | undefined
}

/** Least number of sessions before today in which the participants have traded: positions and debts come from them. */
const HISTORY = 6

/**
 * All dates within a block of sessions share the same first session, so that the data of a date and of the next date
 * agree. Each block begins with the opening balances. A longer block costs more time per start: some 5 ms per session.
 */
const BLOCK = 40

/** Login that the demo client's conditional orders are shown under. */
const USERNAME = 'sandbox'

/**
 * Starts the broker some sessions ago and lets its participants trade up to now. Everything follows from the seed of
 * the world and the instant: the result is the same every time.
 */
export function openBroker({
  world,
  dialect,
  now,
  session,
  trade,
  ongoing,
  openings = OPENINGS,
  marginRatios = USUAL_RATIOS,
  lending,
  forcedSale,
  ownTrades,
}: BrokerParts): Broker {
  const { days } = world.time
  const first = Math.max(0, Math.floor((session - HISTORY) / BLOCK) * BLOCK)
  const agenda = createAgenda(instantOf(days[first] ?? days[0] ?? '', '07:00'))
  const market = new SimulatedMarket(world, agenda, ownTrades && { trades: ownTrades, since: now })
  const ledger = createLedger({ world, market, agenda, openings, marginRatios, lending })
  const { custody } = ledger
  const orders = new OrderDesk({ agenda, market, custody, dialect })
  const conditionals = new ConditionalDesk({
    agenda,
    market,
    custody,
    orders,
    dialect,
    username: USERNAME,
    position(accountNo, symbol) {
      const contracts = ledger.contracts.get(accountNo)?.get(symbol)
      return contracts ? netOf(contracts) : ledger.book.balance(chart.shares(accountNo), symbol)
    },
  })
  const broker: Broker = { agenda, market, ledger, orders, conditionals }
  for (let at = first; at <= session; at++) {
    if (trade && at === session) enterShowcase(broker, world, at)
    else enterHistory(broker, world, at)
  }
  if (forcedSale) scheduleForcedSales(broker, world, session, forcedSale)
  if (ongoing) scheduleHistory(broker, world, session + 1)
  agenda.advanceTo(now)
  return broker
}

/** Enters each session in its own morning: later sessions cost nothing until the clock reaches them. */
function scheduleHistory(broker: Broker, world: World, session: number): void {
  const day = world.time.days[session]
  if (!day) return
  broker.agenda.at(instantOf(day, '07:00'), () => {
    enterHistory(broker, world, session)
    scheduleHistory(broker, world, session + 1)
  })
}
