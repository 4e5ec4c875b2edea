import { dayCount } from 'candlehouse-foundation/market/day'
import { sellTax } from 'candlehouse-foundation/market/tax'
import type { Cash, Entitlement, Fill, Interval } from './account-history.js'

/** Largest yearly rate of interest on a loan that is taken for interest and for nothing else. */
const MOST_INTEREST = 0.2
/** VND: figures are rounded to whole VND, fees once a fill. */
export const ROUNDING = 10
/** Largest fee, as a share of what was bought, where no sale shows the account's rate. */
const MOST_FEE = 0.005
/** One tick of a reference price, VND: what an ex-date takes off is known to that. */
const TICK = 100

/** What the cash of an interval should have become, and of which parts. VND. */
export interface CashChange {
  readonly dividends: number
  readonly interest: number
  readonly settledSells: number
  readonly settledBuys: number
  readonly fees: number
  readonly loan: number
  readonly expected: number
  readonly actual: number
  /** Whether fees are in `buy_t0` … and so in `settledBuys`: `fees` is then 0. */
  readonly hasFeesInBuys: boolean
  /** How far `actual` may be from `expected`: below and above. */
  readonly below: number
  readonly above: number
}

/** The rate of fees that the account's own sales show on most evenings; undefined where it sold nothing. */
export function feeRate(intervals: readonly Interval[]): number | undefined {
  const rates = intervals
    .flatMap(({ after, fills }) => {
      const sold = worthOf(
        fills.filter((fill) => fill.side === 'S' && fill.trading_date === after.trading_date),
      )
      return after.cash && sold ? [1 - sellTax(after.trading_date) - after.cash.sell_t0 / sold] : []
    })
    .filter((rate) => rate >= 0 && rate <= MOST_FEE)
    .sort((one, other) => one - other)
  return rates[rates.length >> 1]
}

/** Undefined where cash cannot be followed: a figure is not reported, or what settled in between is in neither snapshot. */
export function cashChange(interval: Interval, rate: number | undefined): CashChange | undefined {
  const { before, after, fills } = interval
  const [then, now] = [before.cash, after.cash]
  if (!then || !now || after.sessions < 1 || after.sessions > 2) return undefined
  const isTwo = after.sessions === 2
  const bought = worthOf(fills.filter(({ side }) => side === 'B'))
  if (bought === undefined) return undefined
  const pendingBuys = now.buy_t0 + (isTwo ? now.buy_t1 : 0)
  const hasFeesInBuys = bought > 0 && pendingBuys > bought * 1.0001 && pendingBuys <= bought * (1 + MOST_FEE)
  const fees = hasFeesInBuys ? 0 : bought * (rate ?? 0)
  const { paid: dividends, slack } = paidDividends(interval, then, now)
  const interest = Math.max(then.interest - now.interest, 0)
  const settledSells = then.sell_t1 + then.sell_t2 + (isTwo ? then.sell_t0 : 0) - now.sell_t2
  const settledBuys = then.buy_t1 + then.buy_t2 + (isTwo ? then.buy_t0 : 0) - now.buy_t2
  const loan = loanOf(now) - loanOf(then)
  const expected = then.balance + settledSells - settledBuys - fees + dividends + loan - interest
  const rounding = ROUNDING + fills.length + slack
  const unknownFees = rate === undefined && !hasFeesInBuys ? bought * MOST_FEE : 0
  return {
    dividends,
    interest,
    settledSells,
    settledBuys,
    fees,
    loan,
    expected,
    actual: now.balance,
    hasFeesInBuys,
    below: rounding + unknownFees + accruedInterest(interval, interest),
    above: rounding,
  }
}

/**
 * Dividends that the balance should have got. What is pending falls by what was paid and rises by what an ex-date brings,
 * which the reference price shows to a tick: either nothing or all that was pending was paid, where just one of both fits.
 *
 * @returns `slack`: how far the amount may be wrong, VND
 */
function paidDividends(interval: Interval, then: Cash, now: Cash): { paid: number; slack: number } {
  const entitlements = entitledToMoney(interval)
  const wanted = entitlements.reduce((sum, entitlement) => sum + moneyOf(entitlement), 0)
  const change = now.dividend - then.dividend
  if (wanted === 0) return { paid: Math.max(-change, 0), slack: 0 }
  const slack = entitlements.reduce((sum, { quantity }) => sum + quantity * TICK, 0)
  const possible = [...new Set([0, then.dividend])]
  const fitting = possible.filter((paid) => Math.abs(change + paid - wanted) <= slack)
  const [paid] = fitting
  if (fitting.length === 1 && paid !== undefined) return { paid, slack: 0 }
  // Nothing became pending: it was paid at once, or not at all.
  const without = possible.find((each) => Math.abs(change + each) <= ROUNDING)
  if (fitting.length === 0 && without !== undefined) return { paid: without + wanted, slack }
  return { paid: Math.max(wanted - change, 0), slack }
}

/** Ex-dates after which no shares were announced or came. */
export function entitledToMoney({ changes, entitlements }: Interval): Entitlement[] {
  return entitlements.filter(({ symbol }) => {
    const position = changes.find((each) => each.symbol === symbol)
    return (position?.announced ?? 0) === 0 && (position?.unexplained ?? 0) === 0
  })
}

export function moneyOf({ quantity, amount }: Entitlement): number {
  return quantity * amount
}

/** Undefined where a price is not reported. */
export function worthOf(fills: readonly Fill[]): number | undefined {
  return fills.some(({ value }) => value === null)
    ? undefined
    : fills.reduce((sum, { value }) => sum + (value ?? 0), 0)
}

function loanOf({ debt, interest }: Cash): number {
  return debt - interest
}

/** Interest that arose after the first snapshot and was paid before the second, as at the turn of a month, is in neither. */
function accruedInterest({ before, after }: Interval, paid: number): number {
  const [then, now] = [before.cash, after.cash]
  const [from, to] = [before.trading_date, after.trading_date]
  if (!then || !now || (paid === 0 && from.slice(0, 7) === to.slice(0, 7))) return 0
  const days = dayCount(from, to) - 1
  return (Math.max(loanOf(then), loanOf(now), 0) * MOST_INTEREST * days) / 365
}
