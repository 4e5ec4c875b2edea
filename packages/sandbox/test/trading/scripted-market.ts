import { instantOf } from 'candlehouse-foundation/market/day'
import { ConditionalDesk } from '../../src/broker/conditional/conditional-desk.js'
import type { PlaceConditional } from '../../src/broker/conditional/conditional-order.js'
import { OrderDesk } from '../../src/broker/orders/order-desk.js'
import { createAgenda } from '../../src/market/agenda.js'
import type { Listing, Market, Phase, Print } from '../../src/market/exchange/market-view.js'
import { CASH, DAY, openTestBroker } from './test-broker.js'

export const AT = instantOf(DAY, '10:00')

/** A market whose prices a test writes: each price is one print, a second after the one before. */
export function scripted(dialect: 'spec' | 'live' = 'spec', held = 1_000, phase: Phase = 'continuous') {
  const real = openTestBroker(DAY, '10:00')
  const agenda = createAgenda(AT)
  const hearing = new Set<(print: Print) => void>()
  const phaseHearing: ((board: 'HOSE', phase: Phase, day: string) => void)[] = []
  const listing = { ...(real.market.listing('FPT') as Listing), phase }
  let price = 13_000
  const market: Market = {
    listing: (symbol) => (symbol === 'FPT' ? listing : undefined),
    upcoming: (symbol) => (symbol === 'FPT' ? listing : undefined),
    last: () => price,
    // Nothing stands there: child orders trade only when a test prints through them.
    quote: () => undefined,
    traded: () => undefined,
    watch: (_, hear) => {
      hearing.add(hear)
      return () => {
        hearing.delete(hear)
      }
    },
    onPhase: (hear) => {
      phaseHearing.push(hear as (typeof phaseHearing)[number])
    },
  }
  const custody = {
    account: (accountNo: string) =>
      accountNo === CASH ? { accountNo, accountType: 'CASH' as const, clientId: '123456' } : undefined,
    hold: () => undefined,
    changeHold: () => undefined,
    fill: () => undefined,
    release: () => undefined,
  }
  const orders = new OrderDesk({ agenda, market, custody, dialect })
  const desk = new ConditionalDesk({
    agenda,
    market,
    custody,
    orders,
    dialect,
    username: 'demo',
    position: () => held,
  })
  return {
    desk,
    orders,
    agenda,
    /** Prices one after another; `volume` shares trade at each. */
    prints(...prices: number[]) {
      for (const next of prices) {
        const from = price
        price = next
        agenda.advanceTo(agenda.now() + 1_000)
        const traded = { symbol: 'FPT', at: agenda.now(), price, from, volume: 2_000 }
        const print: Print = { ...traded, auction: undefined }
        for (const hear of [...hearing]) hear(print)
      }
      agenda.advanceTo(agenda.now() + 500)
    },
    enters(next: Phase) {
      listing.phase = next
      for (const hear of phaseHearing) hear('HOSE', next, DAY)
      agenda.advanceTo(agenda.now() + 500)
    },
    /** Price limits from now on. */
    limits(floor: number, ceiling: number) {
      Object.assign(listing, { floor, ceiling })
    },
    children: (fcoId: string) => (desk.find(fcoId)?.children ?? []).map((orderId) => orders.find(orderId)),
    states: (fcoId: string) => desk.find(fcoId)?.history.map(({ state }) => state),
  }
}

export const NOTHING: PlaceConditional = {
  accountNo: CASH,
  symbol: 'FPT',
  side: 'S',
  type: 'stop',
  quantity: 100,
  price: undefined,
  priceSlip: undefined,
  from: undefined,
  to: undefined,
  clientRequestId: undefined,
  stopPrice: undefined,
  activePrice: undefined,
  trailingAmount: undefined,
  operator: undefined,
  tpActivePrice: undefined,
  slActivePrice: undefined,
  tpPrice: undefined,
  slPrice: undefined,
  tpSlip: undefined,
  slSlip: undefined,
}
export const asked = (change: Partial<PlaceConditional>): PlaceConditional => ({ ...NOTHING, ...change })
export const PAIR = {
  tpActivePrice: 13_500,
  tpPrice: 13_500,
  tpSlip: 0,
  slActivePrice: 12_500,
  slPrice: 'MTL',
  slSlip: 0,
} as const
