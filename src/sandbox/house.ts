import type { Agenda } from './agenda.js'
import type { ConditionalDesk } from './conditional/contract.js'
import type { Market } from './exchange/contract.js'
import type { Ledger } from './ledger/ledger.js'
import type { OrderDesk } from './orders/contract.js'

/** The brokerage behind the endpoints: its accounts, its order desks, and the exchange they trade at. */
export interface House {
  readonly agenda: Agenda
  readonly market: Market
  readonly ledger: Ledger
  readonly orders: OrderDesk
  readonly conditionals: ConditionalDesk
}
