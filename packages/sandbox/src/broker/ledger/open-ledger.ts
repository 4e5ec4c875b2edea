import { dayOf } from 'candlehouse-foundation/market/day'
import type { Agenda } from '../../market/agenda.js'
import type { Market } from '../../market/exchange/market-view.js'
import type { World } from '../../market/world/world.js'
import { chart } from './chart-of-accounts.js'
import { LedgerCustody } from './custody.js'
import type { Hold } from './custody-view.js'
import { createBook, VND } from './double-entry-book.js'
import type { ContractPosition } from './futures-position.js'
import type { Ledger } from './ledger.js'
import { type LendingChanges, lendingOf } from './lending.js'
import type { Opening } from './opening-balances.js'
import { scheduleDays } from './settlement.js'
import { type MarginRatios, USUAL_RATIOS } from './tariff.js'

export interface LedgerParts {
  readonly world: World
  readonly market: Market
  readonly agenda: Agenda
  readonly openings: readonly Opening[]
  /** @default the usual ones */
  readonly marginRatios?: MarginRatios
  /** Per cent by symbol in place of the usual ones. */
  readonly lending?: LendingChanges | undefined
}

/** The accounts of all clients as one double-entry ledger; sessions, settlements and ex-dates are on the agenda. */
export function createLedger({
  world,
  market,
  agenda,
  openings,
  marginRatios = USUAL_RATIOS,
  lending,
}: LedgerParts): Ledger {
  const book = createBook()
  const price = (symbol: string): number => {
    const instrument = world.find(symbol)
    const last = market.last(symbol)
    if (last !== undefined || !instrument) return last ?? 0
    // Not listed any more: its last close.
    return world.prices.close(instrument, Math.min(instrument.last, world.time.at(dayOf(agenda.now()))))
  }
  const parts = {
    book,
    world,
    market,
    marginRatios,
    lending: lendingOf(world, lending),
    accounts: openings.map(({ accountNo, accountType, clientId }) => ({ accountNo, accountType, clientId })),
    holds: new Map<string, Hold>(),
    contracts: new Map<string, Map<string, ContractPosition>>(),
    costs: new Map<string, Map<string, number>>(),
    session: () => world.time.at(dayOf(agenda.now())),
    account: (accountNo: string) => parts.accounts.find((candidate) => candidate.accountNo === accountNo),
    instrument: (symbol: string) => world.find(symbol),
    price,
  }
  const at = agenda.now()
  for (const { accountNo, cash, loan, holdings } of openings) {
    book.transfer(at, 'opening cash', VND, chart.street, chart.cash(accountNo), cash - loan)
    book.transfer(at, 'opening loan', VND, chart.loan(accountNo), chart.cash(accountNo), loan)
    const costs = new Map<string, number>()
    for (const [symbol, quantity, share] of holdings) {
      book.transfer(at, 'opening shares', symbol, chart.street, chart.shares(accountNo), quantity)
      costs.set(symbol, Math.round(price(symbol) * share) * quantity)
    }
    parts.costs.set(accountNo, costs)
  }
  const ledger: Ledger = { ...parts, custody: new LedgerCustody(parts) }
  scheduleDays(ledger, agenda)
  return ledger
}
