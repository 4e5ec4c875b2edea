import { mix } from '../../market/world/hash.js'
import type { World } from '../../market/world/world.js'
import type { Broker } from '../broker.js'
import { OPENINGS } from '../ledger/opening-balances.js'
import { createScript, frontContract } from './script.js'

/** Accounts of the demo client. */
const DEMO_ACCOUNTS = OPENINGS.slice(0, 3)

/**
 * An ordinary day of the demo client: two orders per account, one that matches the market and one that is mostly too
 * far away, and every third day a conditional order. All follows from the session number, so that a day is the same
 * whenever the sandbox starts.
 */
export function enterHistory(broker: Broker, world: World, session: number): void {
  const day = world.time.days[session]
  if (!day) return
  const script = createScript(broker, day)
  const front = frontContract(world, session)
  for (const { accountNo, accountType, holdings } of DEMO_ACCOUNTS) {
    const symbols = accountType === 'DERIVATIVE' ? [front ?? ''] : holdings.map(([symbol]) => symbol)
    const draw = (salt: number): number => mix(session, Number(accountNo), salt)
    const pick = (salt: number): string => symbols[draw(salt) % symbols.length] ?? ''
    const lots = (salt: number): number =>
      accountType === 'DERIVATIVE' ? 1 + (draw(salt) % 2) : 100 * (1 + (draw(salt) % 4))
    const side = (salt: number) => (draw(salt) % 3 === 0 ? 'S' : 'B')
    script.at('09:35', () => {
      const quantity = lots(2)
      script.order({
        accountNo,
        symbol: pick(1),
        side: side(3),
        orderType: 'LO',
        quantity,
        ticks: side(3) === 'B' ? 1 : -1,
      })
    })
    script.at('13:40', () => {
      const placed = script.order({
        accountNo,
        symbol: pick(4),
        side: 'B',
        orderType: 'LO',
        quantity: lots(5),
        ticks: -2 - (draw(6) % 8),
      })
      if (!placed || draw(7) % 3 !== 0) return
      script.at('14:10', () => {
        script.attempt(() => broker.orders.cancel({ accountNo, orderId: placed.orderId }))
      })
    })
    if ((session + accountNo.charCodeAt(9)) % 3 !== 0) continue
    const symbol = pick(8)
    script.at('10:20', () => {
      const sell = { accountNo, symbol, side: 'S', quantity: accountType === 'DERIVATIVE' ? 1 : 100 } as const
      const [stopPrice, to] = [script.away(symbol, -3), broker.agenda.now() + 5 * 86_400_000]
      script.conditional({ ...sell, type: 'stop', stopPrice, operator: 'lesser_or_equal', to })
    })
  }
}
