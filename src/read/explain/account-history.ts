import { dayCount } from 'candlehouse-foundation/market/day'
import { literal, sqlTemplate } from '../../duckdb/sqlfile.js'
import type { Ask } from '../query.js'

/** Money of an account on the evening of a trading date, VND. `sell_t0` … `buy_t2`: trades that have not settled. */
export interface Cash {
  readonly balance: number
  readonly debt: number
  /** Interest and overdue fees, part of `debt`. */
  readonly interest: number
  /** Dividends that were announced and are not paid yet. */
  readonly dividend: number
  readonly sell_t0: number
  readonly sell_t1: number
  readonly sell_t2: number
  readonly buy_t0: number
  readonly buy_t1: number
  readonly buy_t2: number
}

/** An evening with a complete snapshot. */
export interface AccountDay {
  readonly trading_date: string
  readonly account_type: string
  /** Stored sessions since the complete snapshot before. */
  readonly sessions: number
  /** Null for a derivative account, and where a figure is missing. */
  readonly cash: Cash | null
}

/** What an order filled that the snapshot before did not report. Shares or contracts; VND without fees and tax. */
export interface Fill {
  /** Trading date of the first snapshot that has it. */
  readonly reported_on: string
  readonly trading_date: string
  /** ISO 8601, UTC; null where the service does not report it. */
  readonly changed_at: string | null
  readonly order_id: string
  readonly symbol: string
  readonly side: 'B' | 'S'
  readonly quantity: number
  readonly price: number | null
  readonly value: number | null
}

/** The position of a symbol between two snapshots, in shares or net contracts. */
export interface PositionChange {
  readonly trading_date: string
  readonly symbol: string
  readonly is_contract: boolean
  /** A covered warrant: when it ends, what it is worth is paid in money. */
  readonly is_warrant: boolean
  /** Null where it is not stored, and for shares. */
  readonly last_trading_date: string | null
  readonly quantity_before: number
  readonly bought: number
  readonly sold: number
  readonly from_dividends: number
  readonly announced: number
  readonly expired: number
  readonly quantity: number | null
  /** Quantity less what everything above explains. */
  readonly unexplained: number | null
  /** Traded in the last session as the position itself reports it; null for contracts and for what is not held. */
  readonly service_bought: number | null
  readonly service_sold: number | null
}

/** An ex-date of shares that were held before it. */
export interface Entitlement {
  readonly trading_date: string
  readonly ex_date: string
  readonly symbol: string
  readonly quantity: number
  /** VND per share by which the reference price is lower. */
  readonly amount: number
  /** Shares that would be new if it is paid in shares. */
  readonly new_shares: number
  /** VND to which `amount` is known: one step of the reference price. */
  readonly tick: number
  /** VND per share before tax, as the user's files declare it; null where they declare none. */
  readonly declared_amount: number | null
}

/** Everything that is stored between two consecutive complete snapshots of an account. */
export interface Interval {
  readonly before: AccountDay
  readonly after: AccountDay
  readonly fills: readonly Fill[]
  readonly changes: readonly PositionChange[]
  readonly entitlements: readonly Entitlement[]
  /** Ex-dates of earlier intervals: their dividends may be paid now. */
  readonly earlierEntitlements: readonly Entitlement[]
  /** What ended in this interval or not long before: its settlement may be paid now. */
  readonly ended: readonly PositionChange[]
}

/** Days after an ex-date within which its dividend is looked for. */
const DIVIDEND_DAYS = 180
/** Days after the last trading date of a warrant within which its settlement is looked for. */
const EXPIRY_DAYS = 60

type FlatDay = Omit<AccountDay, 'cash'> & { readonly [Figure in keyof Cash]: number | null }

/** The history of an account: its complete snapshots by date, and what lies between each and the one before it. */
export async function readHistory(
  ask: Ask,
  account: string,
): Promise<{ days: AccountDay[]; intervals: Interval[] }> {
  const read = <Row>(name: string): Promise<Row[]> =>
    ask<Row>(sqlTemplate(`read/explain/${name}.sql`, { account: literal(account) }))
  const days = (await read<FlatDay>('account_days')).map(dayOf)
  // Nothing lies between: planning the statements below takes half a second.
  if (days.length < 2) return { days, intervals: [] }
  const fills = await read<Fill>('fills')
  const changes = await read<PositionChange>('position_changes')
  const entitlements = await read<Entitlement>('entitlements')
  const intervals = days.slice(1).flatMap((after, at): Interval[] => {
    const before = days[at]
    if (!before) return []
    const date = after.trading_date
    return [
      {
        before,
        after,
        fills: fills.filter(({ reported_on }) => reported_on === date),
        changes: changes.filter(({ trading_date }) => trading_date === date),
        entitlements: entitlements.filter(({ trading_date }) => trading_date === date),
        earlierEntitlements: entitlements.filter(
          ({ trading_date, ex_date }) => trading_date < date && dayCount(ex_date, date) <= DIVIDEND_DAYS,
        ),
        ended: changes.filter(
          ({ trading_date, expired }) =>
            expired !== 0 && trading_date <= date && dayCount(trading_date, date) <= EXPIRY_DAYS,
        ),
      },
    ]
  })
  return { days, intervals }
}

function dayOf({ trading_date, account_type, sessions, ...figures }: FlatDay): AccountDay {
  const isWhole = Object.values(figures).every((figure) => figure !== null)
  return { trading_date, account_type, sessions, cash: isWhole ? (figures as Cash) : null }
}
