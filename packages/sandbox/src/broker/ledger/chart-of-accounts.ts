/**
 * The chart of accounts. The money and shares of a client are in its sub-accounts. The other side of every entry
 * that leaves or reaches a client is one of the accounts at the end. Sessions are numbers of the world's timeline.
 */
export const chart = {
  /** Free money; it can be withdrawn unless it is needed for debt. */
  cash: (account: string) => `${account}/cash`,
  /** Money reserved for buy orders that have not traded. */
  reserved: (account: string) => `${account}/reserved`,
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
  /** Shares reserved for sell orders that have not traded. */
  selling: (account: string) => `${account}/selling`,
  /** Shares bought in a session, arriving at settlement. */
  arriving: (account: string, session: number) => `${account}/arriving/${session}`,
  /** Shares sold in a session, leaving at settlement. */
  delivering: (account: string, session: number) => `${account}/delivering/${session}`,
  /** Shares of stock dividends between ex-date and payment, by ex-date. */
  bonus: (account: string, session: number) => `${account}/bonus/${session}`,

  /** The counterparty of all trades and of the opening balances. */
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
