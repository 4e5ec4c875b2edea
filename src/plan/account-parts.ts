import { oneYearBefore } from '../market/date-arithmetic.js'
import type { Day } from '../market/day.js'
import type { PartName } from './parts.js'

/** One question about an account, and why it is asked. */
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

/** What the warehouse holds of earlier snapshots; nothing before the first. */
export interface EarlierSnapshots {
  /** Account → trading date of its latest complete snapshot before this one's. */
  readonly before: ReadonlyMap<string, Day>
  /** Conditional orders that were terminal in the latest complete snapshot: their history cannot change. */
  readonly settled: ReadonlySet<string>
}

/** First: which accounts there are. */
export function planAccounts(asOf: Day): PartRequest {
  return {
    part: 'accountInfo',
    account: '',
    key: '*',
    ...on(asOf),
    price: undefined,
    why: 'which accounts there are',
  }
}

/** Second: what each account holds and which conditional orders it has, since that decides what else to ask. */
export function planHoldings(accounts: readonly KnownAccount[], asOf: Day): PartRequest[] {
  return accounts.flatMap(({ account, type }) => [
    ofAccount('position', account, asOf, 'what is held, as now'),
    ...(type === 'DERIVATIVE'
      ? [ofAccount('positionDetail', account, asOf, 'each derivative position, as now')]
      : []),
    ofAccount('fcoList', account, asOf, 'conditional orders, as now'),
  ])
}

/** What the answers to `planHoldings` named. */
export interface Named {
  /** Held symbols with their latest close; undefined where none is known, and then nothing can be asked. */
  readonly holdings: readonly { account: string; symbol: string; close: string | undefined }[]
  readonly conditionals: readonly { account: string; fcoId: string }[]
}

/**
 * Third: everything else. Orders from the previous complete snapshot on
 * (docs/market-facts.md#order-book-paging: order pages are unreliable, so the range is kept small), at first
 * one year. It is never empty while there is an account, so that one of its pages can close the snapshot.
 */
export function planRest(
  accounts: readonly KnownAccount[],
  named: Named,
  earlier: EarlierSnapshots,
  asOf: Day,
): PartRequest[] {
  return [
    ...named.conditionals
      .filter(({ fcoId }) => !earlier.settled.has(fcoId))
      .map(({ account, fcoId }) => ({
        ...ofAccount('fcoStatusHistory', account, asOf, 'its history has not ended'),
        key: fcoId,
      })),
    ...named.holdings.flatMap(({ account, symbol, close }) =>
      close === undefined
        ? []
        : [{ ...ofAccount('maxBuySell', account, asOf, 'held'), key: symbol, price: close }],
    ),
    ...accounts.flatMap(({ account }) => [
      {
        ...ofAccount('orderBook', account, asOf, 'orders since the last complete snapshot'),
        from: earlier.before.get(account) ?? oneYearBefore(asOf),
      },
      ofAccount('ppmmrAccount', account, asOf, 'purchasing power and margin, as now'),
      ofAccount('accountBalance', account, asOf, 'balance, as now'),
    ]),
  ]
}

function ofAccount(part: PartName, account: string, asOf: Day, why: string): PartRequest {
  return { part, account, key: account, ...on(asOf), price: undefined, why }
}

function on(asOf: Day): { from: Day; to: Day } {
  return { from: asOf, to: asOf }
}
