import { instantOf } from '../market/day.js'
import { createAgenda } from './agenda.js'
import type { House } from './broker.js'
import { ConditionalDesk } from './conditional/conditional-desk.js'
import { SimulatedMarket } from './exchange/simulated-market.js'
import { chart } from './ledger/chart-of-accounts.js'
import { netOf } from './ledger/futures-position.js'
import { createLedger } from './ledger/open-ledger.js'
import { OPENINGS } from './ledger/opening-balances.js'
import { OrderDesk } from './orders/order-desk.js'
import { enterHistory } from './participants/history.js'
import { enterShowcase } from './participants/showcase.js'
import type { World } from './world/world.js'

export interface HouseParts {
  readonly world: World
  readonly dialect: 'spec' | 'live'
  /** Epoch milliseconds: where the service's clock stands when the house opens. */
  readonly now: number
  /** Session of the day it stands on, or the last one before. */
  readonly session: number
  /** Whether today is the scripted day that leaves an order of every status. */
  readonly trade: boolean
  /** Whether the participants trade on the sessions after today too, as the clock reaches them. */
  readonly ongoing: boolean
}

/** Sessions before today in which the participants have traded at least: what is held, owed and pending comes from there. */
const HISTORY = 6

/**
 * Houses of one block open on the same session: a night on one date and a night on the next tell one story. Between
 * blocks the demo client begins anew. A longer block costs every house its sessions, some 5 ms each.
 */
const BLOCK = 40

/** Login that the demo client's conditional orders are shown under. */
const USERNAME = 'sandbox'

/**
 * Opens the house some sessions ago and lets its participants trade up to now. Everything follows from the seed of
 * the world and the instant: the same house stands there every time.
 */
export function openHouse({ world, dialect, now, session, trade, ongoing }: HouseParts): House {
  const { days } = world.time
  const first = Math.max(0, Math.floor((session - HISTORY) / BLOCK) * BLOCK)
  const agenda = createAgenda(instantOf(days[first] ?? days[0] ?? '', '07:00'))
  const market = new SimulatedMarket(world, agenda)
  const ledger = createLedger({ world, market, agenda, openings: OPENINGS })
  const { custody } = ledger
  const orders = new OrderDesk({ agenda, market, custody, dialect })
  const conditionals = new ConditionalDesk({
    ...{ agenda, market, custody, orders, dialect, username: USERNAME },
    position(accountNo, symbol) {
      const contracts = ledger.contracts.get(accountNo)?.get(symbol)
      return contracts ? netOf(contracts) : ledger.book.balance(chart.shares(accountNo), symbol)
    },
  })
  const house: House = { agenda, market, ledger, orders, conditionals }
  for (let at = first; at <= session; at++) {
    if (trade && at === session) enterShowcase(house, world, at)
    else enterHistory(house, world, at)
  }
  if (ongoing) goOn(house, world, session + 1)
  agenda.advanceTo(now)
  return house
}

/** Enters one session after the other, each on its own morning: a year ahead costs nothing until it is reached. */
function goOn(house: House, world: World, session: number): void {
  const day = world.time.days[session]
  if (!day) return
  house.agenda.at(instantOf(day, '07:00'), () => {
    enterHistory(house, world, session)
    goOn(house, world, session + 1)
  })
}
