import type { Agenda } from '../market/agenda.js'
import type { Market } from '../market/exchange/market-view.js'
import type { ConditionalDesk } from './conditional/conditional-desk.js'
import type { Ledger } from './ledger/ledger.js'
import type { OrderDesk } from './orders/order-desk.js'

/** The brokerage behind the endpoints: its accounts, its order desks, and the exchange they trade at. */
export interface Broker {
  readonly agenda: Agenda
  readonly market: Market
  readonly ledger: Ledger
  readonly orders: OrderDesk
  readonly conditionals: ConditionalDesk
}
