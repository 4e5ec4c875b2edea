import type { Instrument } from '../world/instrument.js'

export type AccountType = 'CASH' | 'MARGIN' | 'DERIVATIVE'

export interface Account {
  accountNo: string
  accountType: AccountType
  /** The six digits after the prefix of the account number (docs/brokerage-api.md#account-numbers). */
  clientId: string
}

/** What an order keeps from being used twice while it is alive. */
export interface Hold {
  orderId: string
  accountNo: string
  instrument: Instrument
  side: 'B' | 'S'
  /** Shares or contracts not yet filled. */
  quantity: number
  /** The most a share can cost: the limit price, or today's ceiling where the order names none. */
  price: number
}

/** Why a hold is not granted. */
export type Shortfall = 'buyingPower' | 'holding'

/** What the order desk asks of the ledger. Every call keeps money and shares in balance. */
export interface Custody {
  account(accountNo: string): Account | undefined
  /** Buys of equities hold cash with its fee, sells hold shares; derivatives hold margin for what they open. */
  hold(hold: Hold): Shortfall | undefined
  /** A changed order: what is still open of it and at which price. On a shortfall the former hold stays. */
  changeHold(orderId: string, quantity: number, price: number): Shortfall | undefined
  /** A fill: cash, fee, tax, shares and what they wait for, at epoch milliseconds. The hold shrinks with it. */
  fill(orderId: string, quantity: number, price: number, at: number): void
  /** What is left of the hold is free again: the order has ended. */
  release(orderId: string): void
}
