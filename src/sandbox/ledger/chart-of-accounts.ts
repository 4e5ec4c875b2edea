/**
 * The chart of accounts. A client's money and shares stand in one of its sub-accounts; whatever leaves or reaches
 * a client has its other side in one of the houses below. Sessions are numbers of the world's timeline.
 */
export const chart = {
  /** Free money; withdrawable but for debt. */
  cash: (account: string) => `${account}/cash`,
  /** Money held for buy orders that have not traded. */
  held: (account: string) => `${account}/held`,
  /** Money of buys of a session, paid at settlement. */
  paying: (account: string, session: number) => `${account}/paying/${session}`,
  /** Money of sells of a session, arriving at settlement. */
  receiving: (account: string, session: number) => `${account}/receiving/${session}`,
  /** Debt: a negative balance. */
  loan: (account: string) => `${account}/loan`,
  /** Interest owed: a negative balance. */
  interest: (account: string) => `${account}/interest`,
  /** Cash dividends between ex-date and payment, by ex-date. */
  dividend: (account: string, session: number) => `${account}/dividend/${session}`,
  /** Profit and loss of derivatives between the close and the next morning. */
  variation: (account: string) => `${account}/variation`,
  /** Shares that may be sold. */
  shares: (account: string) => `${account}/shares`,
  /** Shares held for sell orders that have not traded. */
  selling: (account: string) => `${account}/selling`,
  /** Shares bought in a session, arriving at settlement. */
  arriving: (account: string, session: number) => `${account}/arriving/${session}`,
  /** Shares sold in a session, leaving at settlement. */
  delivering: (account: string, session: number) => `${account}/delivering/${session}`,
  /** Shares of stock dividends between ex-date and payment, by ex-date. */
  bonus: (account: string, session: number) => `${account}/bonus/${session}`,

  /** Everybody a client trades with, and where opening balances came from. */
  street: 'street',
  broker: 'broker',
  tax: 'tax',
  issuers: 'issuers',
  clearing: 'clearing',
} as const

/** The session number at the end of a sub-account's name. */
export function sessionOf(account: string): number {
  return Number(account.slice(account.lastIndexOf('/') + 1))
}
