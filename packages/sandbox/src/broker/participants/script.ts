import { instantOf } from 'candlehouse-foundation/market/day'
import { legacyFuturesCode, parseFuturesCode } from 'candlehouse-foundation/market/futures'
import { toTick } from 'candlehouse-foundation/market/tick'
import { isListedAt } from '../../market/world/instrument.js'
import type { World } from '../../market/world/world.js'
import type { Broker } from '../broker.js'
import { ConditionalRefused, type PlaceConditional } from '../conditional/conditional-order.js'
import { type Order, OrderRefused, type OrderType, type Side } from '../orders/order.js'

/** Actions of a participant at times of a session's day. */
export interface Script {
  /** Enters an action for a time of day (`HH:mm` or `HH:mm:ss.s`). */
  at(time: string, act: () => void): void
  /** Places an order `ticks` away from the latest price; undefined when the desk refuses it. */
  order(request: ScriptOrder): Order | undefined
  /** Places an order at a price. */
  orderAt(request: Omit<ScriptOrder, 'ticks'> & { price: number | undefined }): Order | undefined
  conditional(
    request: Partial<PlaceConditional> & Pick<PlaceConditional, 'accountNo' | 'symbol' | 'side' | 'type'>,
  ): string | undefined
  /** Ignores a refusal of the desk: a participant cannot know in advance what will be refused. */
  attempt<T>(act: () => T): T | undefined
  price(symbol: string): number
  /** A valid price, some ticks away from the latest price. */
  away(symbol: string, ticks: number): number
}

export interface ScriptOrder {
  accountNo: string
  symbol: string
  side: Side
  orderType: OrderType
  quantity: number
  ticks: number
}

const NO_PARAMETERS = {
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
  quantity: 100,
} as const

export function createScript(broker: Broker, day: string): Script {
  const { agenda, market, orders, conditionals } = broker
  const attempt: Script['attempt'] = (act) => {
    try {
      return act()
    } catch (error) {
      if (error instanceof OrderRefused || error instanceof ConditionalRefused) return undefined
      throw error
    }
  }
  const price: Script['price'] = (symbol) => market.last(symbol) ?? 0
  const away: Script['away'] = (symbol, ticks) => {
    const listing = market.listing(symbol)
    if (!listing) return 0
    const { ladder, ceiling, floor } = listing
    const tick = ladder.findLast((step) => step.priceFrom <= price(symbol))?.tick ?? 1
    return Math.min(ceiling, Math.max(floor, toTick(ladder, price(symbol) + ticks * tick, 'nearest')))
  }
  const orderAt: Script['orderAt'] = (request) => attempt(() => orders.place(request))
  return {
    at(time, act) {
      const [clock = '', seconds = '0'] = time.length > 5 ? [time.slice(0, 5), time.slice(6)] : [time]
      agenda.at(instantOf(day, clock) + Math.round(Number(seconds) * 1000), act)
    },
    order: ({ ticks, ...request }) => orderAt({ ...request, price: away(request.symbol, ticks) }),
    orderAt,
    conditional: (request) => attempt(() => conditionals.place({ ...NO_PARAMETERS, ...request }).fcoId),
    attempt,
    price,
    away,
  }
}

/** Participants roll to the next contract this many sessions before expiry. */
const ROLLS_BEFORE = 7

/** The contract with the earliest delivery among those that do not expire soon. */
export function frontContract(world: World, session: number): string | undefined {
  const delivery = (symbol: string): string => {
    const contract = parseFuturesCode(symbol)
    return (contract && legacyFuturesCode(contract)) ?? symbol
  }
  return world.instruments
    .filter(
      (instrument) =>
        instrument.kind === 'future' &&
        isListedAt(instrument, session) &&
        instrument.last >= session + ROLLS_BEFORE,
    )
    .map(({ symbol }) => symbol)
    .sort((a, b) => (delivery(a) < delivery(b) ? -1 : 1))[0]
}
