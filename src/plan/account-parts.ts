import type { Day } from 'candlehouse-foundation/market/day'
import type { PartName } from './parts.js'
import { servedFrom } from './served.js'

export interface PartRequest {
  readonly part: PartName
  /** Empty for the list of accounts. */
  readonly account: string
  /** Account, symbol or conditional order, as the part is keyed; `*` for the list of accounts. */
  readonly key: string
  /** First and last day of orders; both the snapshot's day for everything else. */
  readonly from: Day
  readonly to: Day
  /** Latest close of the symbol, plain decimal text; maxBuySell only. */
  readonly price: string | undefined
}

export interface KnownAccount {
  readonly account: string
  /** CASH, MARGIN or DERIVATIVE; undefined where the service does not say. */
  readonly type: string | undefined
}

/** The earlier snapshots that the warehouse stores; empty before the first. */
export interface EarlierSnapshots {
  /** Account → trading date of its latest complete snapshot before the one that is planned. */
  readonly latestComplete: ReadonlyMap<string, Day>
  /** Conditional orders that had ended in the latest complete snapshot: their history cannot change. */
  readonly endedConditionals: ReadonlySet<string>
}

/** Step 1: the list of accounts. @param asOf trading date of the snapshot, here and below */
export function planAccounts(asOf: Day): PartRequest {
  return { ...accountRequest('accountInfo', '', asOf), key: '*' }
}

/** Step 2: the positions and conditional orders of each account; the requests of step 3 depend on them. */
export function planHoldings(accounts: readonly KnownAccount[], asOf: Day): PartRequest[] {
  return accounts.flatMap(({ account, type }) => [
    accountRequest('position', account, asOf),
    ...(type === 'DERIVATIVE' ? [accountRequest('positionDetail', account, asOf)] : []),
    accountRequest('fcoList', account, asOf),
  ])
}

/** Positions and conditional orders in the responses to `planHoldings`. */
export interface Holdings {
  /** Symbols with a position and their latest close; a symbol without a known close is not requested. */
  readonly positions: readonly { account: string; symbol: string; close: string | undefined }[]
  readonly conditionals: readonly { account: string; fcoId: string }[]
}

/**
 * Step 3: everything else. The orders requested are those since the previous complete snapshot, because order pages are
 * unreliable and a short range has few of them (docs/market-facts.md#order-book-paging); for the first snapshot those of one
 * year. Never empty if there is an account, so that one of its pages can close the snapshot.
 */
export function planRest(
  accounts: readonly KnownAccount[],
  { positions, conditionals }: Holdings,
  earlier: EarlierSnapshots,
  asOf: Day,
): PartRequest[] {
  return [
    ...conditionals
      .filter(({ fcoId }) => !earlier.endedConditionals.has(fcoId))
      .map(({ account, fcoId }) => ({ ...accountRequest('fcoStatusHistory', account, asOf), key: fcoId })),
    ...positions
      .filter(({ close }) => close !== undefined)
      .map(({ account, symbol, close: price }) => ({
        ...accountRequest('maxBuySell', account, asOf),
        key: symbol,
        price,
      })),
    ...accounts.flatMap(({ account }) => [
      {
        ...accountRequest('orderBook', account, asOf),
        from: earlier.latestComplete.get(account) ?? servedFrom(asOf),
      },
      accountRequest('ppmmrAccount', account, asOf),
      accountRequest('accountBalance', account, asOf),
    ]),
  ]
}

function accountRequest(part: PartName, account: string, asOf: Day): PartRequest {
  return { part, account, key: account, from: asOf, to: asOf, price: undefined }
}
