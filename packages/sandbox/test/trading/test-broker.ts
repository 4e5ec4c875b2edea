import { instantOf } from 'candlehouse-foundation/market/day'
import type { Ledger } from '../../src/broker/ledger/ledger.js'
import { createLedger } from '../../src/broker/ledger/open-ledger.js'
import { OPENINGS } from '../../src/broker/ledger/opening-balances.js'
import type { Order } from '../../src/broker/orders/order.js'
import { OrderDesk } from '../../src/broker/orders/order-desk.js'
import { type Agenda, createAgenda } from '../../src/market/agenda.js'
import type { Market } from '../../src/market/exchange/market-view.js'
import { SimulatedMarket } from '../../src/market/exchange/simulated-market.js'
import { type World, world } from '../../src/market/world/world.js'

export const CASH = '0881234561'
export const MARGIN = '0881234566'
export const DERIVATIVE = '0881234568'
/** Other clients. */
export const OTHERS = ['0992345671', '0993456781'] as const

export interface TestBroker {
  world: World
  agenda: Agenda
  market: Market
  ledger: Ledger
  desk: OrderDesk
  /** Moves the clock to a time of day (HH:mm or HH:mm:ss) of a day; of the day it stands on when none is given. */
  to(time: string, day?: string): void
  /** Every status an order went through. */
  path(orderId: string): string[]
}

export const DAY = '2025-11-20'
const market = world('demo', 1)

/** A broker on a morning, before anything has happened. */
export function openTestBroker(day = DAY, time = '08:00', dialect: 'spec' | 'live' = 'spec'): TestBroker {
  const agenda = createAgenda(instantOf(day, time))
  const exchange = new SimulatedMarket(market, agenda)
  const ledger = createLedger({ world: market, market: exchange, agenda, openings: OPENINGS })
  const desk = new OrderDesk({ agenda, market: exchange, custody: ledger.custody, dialect })
  const paths = new Map<string, string[]>()
  desk.onChange(({ orderId, status }: Order) => {
    const path = paths.get(orderId) ?? []
    if (path.at(-1) !== status) paths.set(orderId, [...path, status])
  })
  let today = day
  return {
    world: market,
    agenda,
    market: exchange,
    ledger,
    desk,
    to(clock, on = today) {
      today = on
      const [hour = '', minute = '', second = '00'] = clock.split(':')
      agenda.advanceTo(instantOf(on, `${hour}:${minute}`) + Number(second) * 1000)
    },
    path: (orderId) => paths.get(orderId) ?? [],
  }
}

/** The market's price now, on the ladder. */
export function priceOf({ market: exchange }: TestBroker, symbol: string): number {
  return exchange.last(symbol) ?? 0
}
