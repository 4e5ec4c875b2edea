import type { Instrument } from '../../market/world/instrument.js'

export type AccountType = 'CASH' | 'MARGIN' | 'DERIVATIVE'

export interface Account {
  accountNo: string
  accountType: AccountType
  /** The six digits after the prefix of the account number (docs/brokerage-api.md#account-numbers). */
  clientId: string
}

/** Money, shares or margin that an active order reserves, so that no other order can use them. */
export interface Hold {
  orderId: string
  accountNo: string
  instrument: Instrument
  side: 'B' | 'S'
  /** Shares or contracts not yet filled. */
  quantity: number
  /** The highest possible price: the limit, or today's ceiling for an order without a limit. */
  price: number
}

/** Why a hold is not granted. */
export type Shortfall = 'buyingPower' | 'holding'

/** The ledger as the order desk sees it. Every call keeps money and shares in balance. */
export interface Custody {
  account(accountNo: string): Account | undefined
  /** A buy of shares reserves cash and the fee, a sell reserves shares; futures need margin for contracts they open. */
  hold(hold: Hold): Shortfall | undefined
  /** A changed order: its open quantity and its price. On a shortfall the former hold stays. */
  changeHold(orderId: string, quantity: number, price: number): Shortfall | undefined
  /** Books a fill (cash, fee, tax, shares) at an instant in epoch milliseconds. The hold becomes smaller. */
  fill(orderId: string, quantity: number, price: number, at: number): void
  /** The order has ended: frees the remaining hold. */
  release(orderId: string): void
}
