import { instantOf } from 'candlehouse-foundation/market/day'
import type { World } from '../../market/world/world.js'
import type { Broker } from '../broker.js'
import { ownedShares } from '../ledger/buying-power.js'
import { chart } from '../ledger/chart-of-accounts.js'
import type { Account } from '../ledger/custody-view.js'
import { margin } from '../ledger/margin.js'
import { tradeValue } from '../ledger/tariff.js'
import { marketType } from '../orders/order-rules.js'
import { isOver } from '../orders/order-states.js'
import { createScript } from './script.js'

/** How often the broker looks again until the account is no longer called. */
const AGAIN_MS = 5 * 60_000
/** A cancel takes a moment to reach the exchange and back: the shares are free after it. */
const CANCELLED_MS = 1_000
/** It places no orders after this time. */
const LAST_ORDERS = '14:25'

/**
 * The broker as a seller: at a time of each session it looks at every margin account. Of one in FORCESELL it cancels all open orders
 * and sells shares at the market, the largest holding first, until the account is no longer called.
 */
export function scheduleForcedSales(broker: Broker, world: World, session: number, time: string): void {
  const day = world.time.days[session]
  if (!day) return
  const begins = instantOf(day, time)
  if (begins > broker.agenda.now())
    broker.agenda.at(begins, () => {
      for (const account of broker.ledger.accounts)
        if (account.accountType === 'MARGIN' && actionOf(broker, account).action === 'FORCESELL')
          sellUntilCovered(broker, account, day)
    })
  broker.agenda.at(Math.max(begins, broker.agenda.now()) + 1, () =>
    scheduleForcedSales(broker, world, session + 1, time),
  )
}

function actionOf({ ledger }: Broker, account: Account): { action: string; toSell: number } {
  const { action = '', marginCallLMVSold } = margin(ledger, account).equity
  return { action, toSell: Number(marginCallLMVSold) }
}

function sellUntilCovered(broker: Broker, account: Account, day: string): void {
  const { agenda } = broker
  cancelAll(broker, account, day)
  agenda.at(agenda.now() + CANCELLED_MS, () => {
    const { action, toSell } = actionOf(broker, account)
    if (action === 'NONE') return
    sell(broker, account, day, toSell)
    const next = agenda.now() + AGAIN_MS
    if (next <= instantOf(day, LAST_ORDERS)) agenda.at(next, () => sellUntilCovered(broker, account, day))
  })
}

function cancelAll(broker: Broker, { accountNo }: Account, day: string): void {
  const script = createScript(broker, day)
  for (const { orderId, status } of broker.orders.ofAccount(accountNo))
    if (!isOver(status)) script.attempt(() => broker.orders.cancel({ accountNo, orderId }))
}

/** @param value VND of shares that the sales should bring */
function sell(broker: Broker, { accountNo }: Account, day: string, value: number): void {
  const { ledger, market } = broker
  const script = createScript(broker, day)
  const holdings = [...ownedShares(ledger, accountNo).keys()]
    .flatMap((symbol) => {
      const listing = market.listing(symbol)
      const free = ledger.book.balance(chart.shares(accountNo), symbol)
      return listing
        ? [{ symbol, listing, lots: Math.floor(free / listing.lot), price: ledger.price(symbol) }]
        : []
    })
    .sort((a, b) => b.lots * b.listing.lot * b.price - a.lots * a.listing.lot * a.price)
  let open = value
  for (const { symbol, listing, lots, price: last } of holdings) {
    const lotValue = tradeValue(listing.instrument, listing.lot, last)
    const quantity = Math.min(lots, Math.ceil(open / lotValue)) * listing.lot
    if (quantity <= 0) continue
    const orderType = marketType(listing) ?? 'LO'
    const price = orderType === 'LO' ? listing.floor : undefined
    // The identifier shows in the order book whose order it is.
    const clientRequestId = `FORCED${broker.orders.ofAccount(accountNo).length + 1}`
    const sale = { accountNo, symbol, side: 'S', orderType, quantity, price, clientRequestId } as const
    const placed = script.attempt(() => broker.orders.place(sale))
    if (placed) open -= tradeValue(listing.instrument, quantity, last)
  }
}
