import type { Market } from '../../market/exchange/market-view.js'
import type { Instrument } from '../../market/world/instrument.js'
import type { World } from '../../market/world/world.js'
import type { Account, Custody, Hold } from './custody-view.js'
import type { Book } from './double-entry-book.js'
import type { ContractPosition } from './futures-position.js'
import type { Lending } from './lending.js'
import type { MarginRatios } from './tariff.js'

/** State that all parts of the ledger share. */
export interface Ledger {
  readonly book: Book
  readonly world: World
  readonly market: Market
  readonly accounts: readonly Account[]
  readonly holds: Map<string, Hold>
  /** Account → symbol → contracts. */
  readonly contracts: Map<string, Map<string, ContractPosition>>
  /** Account → symbol → VND paid for the shares owned. */
  readonly costs: Map<string, Map<string, number>>
  readonly custody: Custody
  readonly marginRatios: MarginRatios
  readonly lending: Lending
  /** Number of the latest session that has begun: its trades are T0. */
  session(): number
  account(accountNo: string): Account | undefined
  instrument(symbol: string): Instrument | undefined
  /** Latest price: VND per share, or index points. */
  price(symbol: string): number
}
