import type { Day } from 'candlehouse-foundation/market/day'
import type { PartName } from './parts.js'
import { servedFrom } from './served.js'

/** One request about an account, and why it is sent. */
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
  readonly why: string
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
  return {
    part: 'accountInfo',
    account: '',
    key: '*',
    ...dayRange(asOf),
    price: undefined,
    why: 'list of accounts',
  }
}

/** Step 2: the positions and conditional orders of each account; the requests of step 3 depend on them. */
export function planHoldings(accounts: readonly KnownAccount[], asOf: Day): PartRequest[] {
  return accounts.flatMap(({ account, type }) => [
    accountRequest('position', account, asOf, 'positions, as of now'),
    ...(type === 'DERIVATIVE'
      ? [accountRequest('positionDetail', account, asOf, 'derivative positions, as of now')]
      : []),
    accountRequest('fcoList', account, asOf, 'conditional orders, as of now'),
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
      .map(({ account, fcoId }) => ({
        ...accountRequest('fcoStatusHistory', account, asOf, 'order has not ended'),
        key: fcoId,
      })),
    ...positions.flatMap(({ account, symbol, close }) =>
      close === undefined
        ? []
        : [
            {
              ...accountRequest('maxBuySell', account, asOf, 'symbol with a position'),
              key: symbol,
              price: close,
            },
          ],
    ),
    ...accounts.flatMap(({ account }) => [
      {
        ...accountRequest('orderBook', account, asOf, 'orders since the last complete snapshot'),
        from: earlier.latestComplete.get(account) ?? servedFrom(asOf),
      },
      accountRequest('ppmmrAccount', account, asOf, 'purchasing power and margin, as of now'),
      accountRequest('accountBalance', account, asOf, 'balance, as of now'),
    ]),
  ]
}

function accountRequest(part: PartName, account: string, asOf: Day, why: string): PartRequest {
  return { part, account, key: account, ...dayRange(asOf), price: undefined, why }
}

function dayRange(asOf: Day): { from: Day; to: Day } {
  return { from: asOf, to: asOf }
}
