import { instantOf } from '../../market/day.js'
import { legacyFuturesCode, parseFuturesCode } from '../../market/futures.js'
import { toTick } from '../../market/tick.js'
import type { House } from '../broker.js'
import { ConditionalRefused, type PlaceConditional } from '../conditional/conditional-order.js'
import { type Order, OrderRefused, type OrderType, type Side } from '../orders/order.js'
import { isListedAt } from '../world/instrument.js'
import type { World } from '../world/world.js'

/** What a script may do with the house, at times of one session's day. */
export interface Script {
  /** Does something at a time of day (`HH:mm`, and seconds). */
  at(time: string, act: () => void): void
  /** Places an order `ticks` away from the latest price; undefined where the desk turns it down. */
  order(asked: Asked): Order | undefined
  /** The same at a price. */
  orderAt(asked: Omit<Asked, 'ticks'> & { price: number | undefined }): Order | undefined
  conditional(
    asked: Partial<PlaceConditional> & Pick<PlaceConditional, 'accountNo' | 'symbol' | 'side' | 'type'>,
  ): string | undefined
  /** What the desk refuses is let pass: a script knows no more than its participant would. */
  attempt<T>(act: () => T): T | undefined
  price(symbol: string): number
  /** A price on the ladder, some ticks away from the latest. */
  away(symbol: string, ticks: number): number
}

export interface Asked {
  accountNo: string
  symbol: string
  side: Side
  orderType: OrderType
  quantity: number
  ticks: number
}

const NOTHING = {
  ...{ price: undefined, priceSlip: undefined, from: undefined, to: undefined, clientRequestId: undefined },
  ...{ stopPrice: undefined, activePrice: undefined, trailingAmount: undefined, operator: undefined },
  ...{ tpActivePrice: undefined, slActivePrice: undefined, tpPrice: undefined, slPrice: undefined },
  ...{ tpSlip: undefined, slSlip: undefined, quantity: 100 },
} as const

export function scriptOf(house: House, day: string): Script {
  const { agenda, market, orders, conditionals } = house
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
  const orderAt: Script['orderAt'] = (asked) => attempt(() => orders.place(asked))
  return {
    at(time, act) {
      const [clock = '', seconds = '0'] = time.length > 5 ? [time.slice(0, 5), time.slice(6)] : [time]
      agenda.at(instantOf(day, clock) + Math.round(Number(seconds) * 1000), act)
    },
    order: ({ ticks, ...asked }) => orderAt({ ...asked, price: away(asked.symbol, ticks) }),
    orderAt,
    conditional: (asked) => attempt(() => conditionals.place({ ...NOTHING, ...asked }).fcoId),
    attempt,
    price,
    away,
  }
}

/** Who holds on for some sessions rolls before the contract expires. */
const ROLLS_BEFORE = 7

/** The contract that delivers first of those that do not expire within days. */
export function frontContract(world: World, session: number): string | undefined {
  const delivery = (symbol: string): string => {
    const contract = parseFuturesCode(symbol)
    return contract ? legacyFuturesCode(contract) : symbol
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
