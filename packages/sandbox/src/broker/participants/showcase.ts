import { mix } from '../../market/world/hash.js'
import type { World } from '../../market/world/world.js'
import type { Broker } from '../broker.js'
import type { Order } from '../orders/order.js'
import { createScript, frontContract, type Script } from './script.js'

/** Accounts of the demo client, and of two clients that trade with it. */
const CASH = '0881234561'
const MARGIN = '0881234566'
const DERIVATIVE = '0881234568'
const OTHER = '0992345671'
const THIRD = '0993456781'

/** A fund of which less than this is ever asked for at one price. */
const THIN = 'E1VFVN30'
const BEYOND_DEPTH = 900

/**
 * A trading day of the demo client that shows everything: orders that match in the opening auction, that match in
 * part, that match with other clients, that wait for approval and for the closing auction, that are changed,
 * cancelled, rejected, expired; all seven types of conditional orders; contracts opened and closed. At 14:20 its order
 * book has an order of every status.
 */
export function enterShowcase(broker: Broker, world: World, session: number): void {
  const day = world.time.days[session]
  if (!day) return
  const script = createScript(broker, day)
  const front = frontContract(world, session) ?? ''
  const showcase: Showcase = {
    script,
    broker,
    front,
    lots: (salt) => 100 * (1 + (mix(session, salt) % 3)),
    limit: (accountNo, symbol, side, quantity, ticks) =>
      script.order({ accountNo, symbol, side, orderType: 'LO', quantity, ticks }),
    market: (accountNo, symbol, side, quantity, orderType) =>
      script.orderAt({ accountNo, symbol, side, orderType, quantity, price: undefined }),
  }
  openingAuction(showcase)
  futures(showcase)
  cancelledOrders(showcase)
  enterConditionals(showcase)
  otherClients(showcase)
  afternoonOrders(showcase)
  lastOrders(showcase)
}

type Side = 'B' | 'S'

/** What the parts of the day share. */
interface Showcase {
  readonly script: Script
  readonly broker: Broker
  /** Symbol of the contract that expires next. */
  readonly front: string
  /** A small quantity in round lots that depends on the session. */
  lots(salt: number): number
  /** Limit order, `ticks` away from the latest price. */
  limit(accountNo: string, symbol: string, side: Side, quantity: number, ticks: number): Order | undefined
  market(
    accountNo: string,
    symbol: string,
    side: Side,
    quantity: number,
    orderType: 'ATO' | 'ATC' | 'MP',
  ): Order | undefined
}

function openingAuction({ script, market, limit, lots }: Showcase): void {
  // The ATO orders match at the auction's price; the limit order is too far away to match.
  script.at('09:05', () => {
    market(CASH, 'FPT', 'B', lots(1), 'ATO')
    market(MARGIN, 'HPG', 'B', lots(2), 'ATO')
    limit(CASH, 'VNM', 'B', lots(3), -40)
  })
  // Reaches the exchange just after the auction: rejected.
  script.at('09:14:59.9', () => market(CASH, 'VNM', 'B', 100, 'ATO'))
}

/** Two contracts are bought, one of them is sold again. */
function futures({ script, limit, front }: Showcase): void {
  script.at('09:20', () => limit(DERIVATIVE, front, 'B', 2, 5))
  script.at('10:40', () => limit(DERIVATIVE, front, 'S', 1, -5))
}

function cancelledOrders({ script, broker, limit, lots }: Showcase): void {
  const cancel = (order: Order | undefined): void => {
    if (order) script.attempt(() => broker.orders.cancel(order))
  }
  // More than is asked for at the best price; the remaining quantity is cancelled before the next trade: FFPC.
  script.at('10:31:05', () => {
    const order = limit(MARGIN, THIN, 'S', BEYOND_DEPTH, -1)
    script.at('10:31:06', () => cancel(order))
  })
  script.at('09:45', () => {
    const farOrder = limit(CASH, 'VNM', 'B', lots(4), -30)
    script.at('10:05', () => cancel(farOrder))
  })
}

/** Two other clients trade with each other for an hour. */
function otherClients({ script, limit, lots }: Showcase): void {
  for (let minute = 0; minute < 60; minute += 12) {
    const time = `10:${String(minute).padStart(2, '0')}`
    script.at(time, () => limit(OTHER, 'SHS', 'S', lots(minute), 0))
    script.at(`${time}:02`, () => limit(THIRD, 'SHS', 'B', lots(minute), 0))
  }
}

/** Orders that wait for the closing auction, or are being changed and cancelled at 14:20:00. */
function afternoonOrders({ script, broker, market, limit }: Showcase): void {
  const { orders } = broker
  script.at('14:00', () => {
    market(CASH, 'FPT', 'B', 100, 'ATC')
    limit(CASH, 'FPT', 'B', 100, -25)
    const changed = limit(MARGIN, 'SHS', 'B', 200, -6)
    const cancelled = limit(MARGIN, 'SHS', 'B', 100, -8)
    script.at('14:19:59.95', () => {
      if (changed)
        script.attempt(() => orders.modify({ accountNo: MARGIN, orderId: changed.orderId, quantity: 100 }))
      if (cancelled) script.attempt(() => orders.cancel({ accountNo: MARGIN, orderId: cancelled.orderId }))
    })
  })
}

/** Orders that are still on their way to the exchange at 14:20:00, or have just reached it. */
function lastOrders({ script, limit }: Showcase): void {
  // Large enough to wait for approval.
  script.at('14:19:30', () => limit(MARGIN, 'HPG', 'S', 3_000, 20))
  // Arrives at 14:20:00 and takes what is asked for: partly filled until the next trade.
  script.at('14:19:59.8', () => limit(MARGIN, THIN, 'S', BEYOND_DEPTH, -1))
  script.at('14:19:59.7', () => limit(CASH, 'VNM', 'B', 100, -20))
  script.at('14:19:59.85', () => limit(CASH, 'VNM', 'B', 100, -21))
  script.at('14:19:59.92', () => limit(CASH, 'VNM', 'B', 100, -22))
  script.at('14:19:59.97', () => limit(CASH, 'VNM', 'B', 100, -23))
}

/** A conditional order of every type: some are triggered during the day, the others wait. */
function enterConditionals({ script, broker, front }: Showcase): void {
  script.at('09:50', () => {
    const sell = { accountNo: MARGIN, symbol: 'HPG', side: 'S' } as const
    const buy = { accountNo: CASH, symbol: 'VNM', side: 'B' } as const
    const up = (ticks: number) => script.away('HPG', ticks)
    const down = (ticks: number) => script.away('VNM', -ticks)
    script.conditional({ ...sell, type: 'stop', stopPrice: up(-1), operator: 'lesser_or_equal' })
    script.conditional({ ...buy, type: 'stop_limit', price: down(4), stopPrice: down(2), operator: 'lesser' })
    script.conditional({ ...buy, type: 'gtd', price: down(15), to: broker.agenda.now() + 10 * 86_400_000 })
    const pair = {
      tpActivePrice: up(4),
      tpPrice: up(4),
      tpSlip: 0,
      slActivePrice: up(-8),
      slPrice: 'MTL',
      slSlip: 0,
    } as const
    script.conditional({ ...sell, type: 'oco', ...pair })
    script.conditional({ ...sell, type: 'trailing_stop', activePrice: up(2), trailingAmount: 200 })
    const limit = { price: up(1), priceSlip: 50, activePrice: up(3), trailingAmount: 150 }
    script.conditional({ ...sell, type: 'trailing_stop_limit', ...limit })
    const points = (ticks: number) => script.away(front, ticks)
    const main = { accountNo: DERIVATIVE, symbol: front, side: 'B', type: 'bullbear', quantity: 1 } as const
    const bounds = { tpActivePrice: points(60), tpPrice: points(60), tpSlip: 0 }
    const loss = { slActivePrice: points(-60), slPrice: 'MTL', slSlip: 0.5 } as const
    script.conditional({ ...main, price: points(4), ...bounds, ...loss })
  })
  script.at('11:00', () => {
    const gtdOrder = broker.conditionals.ofAccount(CASH).find(({ type }) => type === 'gtd')
    const cancelledId = script.conditional({
      accountNo: CASH,
      symbol: 'FPT',
      side: 'B',
      type: 'stop',
      stopPrice: script.away('FPT', 30),
      operator: 'greater',
    })
    if (gtdOrder && cancelledId)
      script.at('11:10', () => script.attempt(() => broker.conditionals.cancel(cancelledId)))
  })
}
