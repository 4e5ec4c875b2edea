import type { House } from '../broker.js'
import { mix } from '../world/hash.js'
import type { World } from '../world/world.js'
import { frontContract, scriptOf } from './script.js'

/** Accounts of the demo client, and of two clients that trade with it. */
const CASH = '0881234561'
const MARGIN = '0881234566'
const DERIVATIVE = '0881234568'
const OTHER = '0992345671'
const THIRD = '0993456781'
/**
 * A trading day of the demo client that shows everything: orders that match in the opening auction, in parts, with
 * other clients, that wait for approval and for the closing auction, that are changed, cancelled, rejected, expired;
 * all seven conditional orders; contracts opened and closed. At 14:20 an order of every status stands in its book.
 */
export function enterShowcase(house: House, world: World, session: number): void {
  const day = world.time.days[session]
  if (!day) return
  const script = scriptOf(house, day)
  const { orders } = house
  const front = frontContract(world, session) ?? ''
  const lots = (salt: number): number => 100 * (1 + (mix(session, salt) % 3))
  const limit = (accountNo: string, symbol: string, side: 'B' | 'S', quantity: number, ticks: number) =>
    script.order({ accountNo, symbol, side, orderType: 'LO', quantity, ticks })
  const market = (
    accountNo: string,
    symbol: string,
    side: 'B' | 'S',
    quantity: number,
    orderType: 'ATO' | 'ATC' | 'MP',
  ) => script.orderAt({ accountNo, symbol, side, orderType, quantity, price: undefined })

  // Opening auction: one fills at its price; one limit far away is left.
  script.at('09:05', () => {
    market(CASH, 'FPT', 'B', lots(1), 'ATO')
    market(MARGIN, 'HPG', 'B', lots(2), 'ATO')
    limit(CASH, 'VNM', 'B', lots(3), -40)
  })
  // Reaches the exchange just after the auction has closed: rejected.
  script.at('09:14:59.9', () => market(CASH, 'VNM', 'B', 100, 'ATO'))
  // Contracts: two bought, one sold again.
  script.at('09:20', () =>
    script.order({ accountNo: DERIVATIVE, symbol: front, side: 'B', orderType: 'LO', quantity: 2, ticks: 5 }),
  )
  script.at('10:40', () =>
    script.order({
      accountNo: DERIVATIVE,
      symbol: front,
      side: 'S',
      orderType: 'LO',
      quantity: 1,
      ticks: -5,
    }),
  )
  // Another client meets a resting order in part; the rest of it is cancelled: FFPC.
  script.at('09:30', () => {
    const resting = limit(CASH, 'ACV', 'B', 300, -3)
    script.at('09:30:05', () => {
      const { price } = resting ?? {}
      script.orderAt({ accountNo: OTHER, symbol: 'ACV', side: 'S', orderType: 'LO', quantity: 100, price })
    })
    script.at('09:31', () => {
      if (resting) script.attempt(() => orders.cancel({ accountNo: CASH, orderId: resting.orderId }))
    })
  })
  script.at('09:45', () => {
    const far = limit(CASH, 'VNM', 'B', lots(4), -30)
    script.at('10:05', () => {
      if (far) script.attempt(() => orders.cancel({ accountNo: CASH, orderId: far.orderId }))
    })
  })
  conditionals(house, world, session)
  // Two other clients trade with each other all day.
  for (let minute = 0; minute < 60; minute += 12) {
    const time = `10:${String(minute).padStart(2, '0')}`
    script.at(time, () => limit(OTHER, 'SHS', 'S', lots(minute), 0))
    script.at(`${time}:02`, () => limit(THIRD, 'SHS', 'B', lots(minute), 0))
  }
  // From here on orders are still on their way when the clock stands at 14:20:00.
  script.at('14:00', () => {
    market(CASH, 'FPT', 'B', 100, 'ATC')
    limit(CASH, 'FPT', 'B', 100, -25)
    const part = limit(MARGIN, 'E1VFVN30', 'S', 500, 30)
    script.at('14:00:05', () => {
      const { price } = part ?? {}
      script.orderAt({
        accountNo: THIRD,
        symbol: 'E1VFVN30',
        side: 'B',
        orderType: 'LO',
        quantity: 200,
        price,
      })
    })
    const changed = limit(MARGIN, 'SHS', 'B', 200, -6)
    const leaving = limit(MARGIN, 'SHS', 'B', 100, -8)
    script.at('14:19:59.95', () => {
      if (changed)
        script.attempt(() => orders.modify({ accountNo: MARGIN, orderId: changed.orderId, quantity: 100 }))
      if (leaving) script.attempt(() => orders.cancel({ accountNo: MARGIN, orderId: leaving.orderId }))
    })
  })
  // Large enough to wait for approval.
  script.at('14:19:30', () => limit(MARGIN, 'HPG', 'S', 3_000, 20))
  script.at('14:19:59.7', () => limit(CASH, 'VNM', 'B', 100, -20))
  script.at('14:19:59.85', () => limit(CASH, 'VNM', 'B', 100, -21))
  script.at('14:19:59.92', () => limit(CASH, 'VNM', 'B', 100, -22))
  script.at('14:19:59.97', () => limit(CASH, 'VNM', 'B', 100, -23))
}

/** One of each type: some are triggered during the day, the others wait. */
function conditionals(house: House, world: World, session: number): void {
  const script = scriptOf(house, world.time.days[session] ?? '')
  const front = frontContract(world, session) ?? ''
  script.at('09:50', () => {
    const sell = { accountNo: MARGIN, symbol: 'HPG', side: 'S' } as const
    const buy = { accountNo: CASH, symbol: 'VNM', side: 'B' } as const
    const up = (ticks: number) => script.away('HPG', ticks)
    const down = (ticks: number) => script.away('VNM', -ticks)
    script.conditional({ ...sell, type: 'stop', stopPrice: up(-1), operator: 'lesser_or_equal' })
    script.conditional({ ...buy, type: 'stop_limit', price: down(4), stopPrice: down(2), operator: 'lesser' })
    script.conditional({ ...buy, type: 'gtd', price: down(15), to: house.agenda.now() + 10 * 86_400_000 })
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
    const [first] = house.conditionals.ofAccount(CASH).filter(({ type }) => type === 'gtd')
    const cancelled = script.conditional({
      accountNo: CASH,
      symbol: 'FPT',
      side: 'B',
      type: 'stop',
      stopPrice: script.away('FPT', 30),
      operator: 'greater',
    })
    if (first && cancelled)
      script.at('11:10', () => script.attempt(() => house.conditionals.cancel(cancelled)))
  })
}
