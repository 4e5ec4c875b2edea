import type { House } from '../broker.js'
import { OPENINGS } from '../ledger/opening-balances.js'
import { mix } from '../world/hash.js'
import type { World } from '../world/world.js'
import { frontContract, scriptOf } from './script.js'

/** The demo client's accounts with what they trade. */
const OWN = OPENINGS.slice(0, 3)

/**
 * An ordinary day of the demo client: two orders an account, one that meets the market and one that mostly waits
 * too far from it, and every third day a conditional order. Drawn from the session's number, so that it is the same
 * whenever the sandbox starts.
 */
export function enterHistory(house: House, world: World, session: number): void {
  const day = world.time.days[session]
  if (!day) return
  const script = scriptOf(house, day)
  const front = frontContract(world, session)
  for (const { accountNo, accountType, holdings } of OWN) {
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
        ...{ accountNo, symbol: pick(4), side: 'B', orderType: 'LO', quantity: lots(5) },
        ticks: -2 - (draw(6) % 8),
      })
      if (!placed || draw(7) % 3 !== 0) return
      script.at('14:10', () => {
        script.attempt(() => house.orders.cancel({ accountNo, orderId: placed.orderId }))
      })
    })
    if ((session + accountNo.charCodeAt(9)) % 3 !== 0) continue
    const symbol = pick(8)
    script.at('10:20', () => {
      const sell = { accountNo, symbol, side: 'S', quantity: accountType === 'DERIVATIVE' ? 1 : 100 } as const
      const [stopPrice, to] = [script.away(symbol, -3), house.agenda.now() + 5 * 86_400_000]
      script.conditional({ ...sell, type: 'stop', stopPrice, operator: 'lesser_or_equal', to })
    })
  }
}
