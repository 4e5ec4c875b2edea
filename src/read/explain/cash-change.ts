import { dayCount } from 'candlehouse-foundation/market/day'
import { settlementCycle } from 'candlehouse-foundation/market/settlement'
import { dividendTax, sellTax } from 'candlehouse-foundation/market/tax'
import type { Cash, Entitlement, Fill, Interval } from './account-history.js'

/** Largest yearly rate of interest on a loan that is taken for interest and for nothing else. */
const MOST_INTEREST = 0.2
/** VND: figures are rounded to whole VND, fees once a fill. */
export const ROUNDING = 10
/** Largest fee, as a share of what was bought, where no sale shows the account's rate. */
const MOST_FEE = 0.005

/** Sessions until a trade settles for which a balance has fields: `sell_t0` to `sell_t2`. */
const LONGEST_CYCLE = 2

/** What the cash of an interval should have become, and of which parts. VND. */
export interface CashChange {
  readonly dividends: number
  readonly interest: number
  readonly settledSells: number
  readonly settledBuys: number
  /** Of new buys, at the rate that the account's own sales show; null where they show none: it is not known, and not in `expected`. */
  readonly fees: number | null
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
  const cycle = settlementCycle(before.trading_date)
  if (!then || !now || after.sessions < 1 || after.sessions > cycle || cycle > LONGEST_CYCLE) return undefined
  const bought = worthOf(fills.filter(({ side }) => side === 'B'))
  if (bought === undefined) return undefined
  const pendingBuys = sum(buysOf(now).slice(0, after.sessions))
  const hasFeesInBuys = bought > 0 && pendingBuys > bought * 1.0001 && pendingBuys <= bought * (1 + MOST_FEE)
  const fees = feesOf(bought, hasFeesInBuys, rate)
  const { paid: dividends, slack } = paidDividends(interval, then, now)
  const interest = Math.max(then.interest - now.interest, 0)
  // What was traded up to a whole cycle before the later snapshot has settled, but for what it still has in its last field.
  const settled = (fields: (cash: Cash) => readonly number[]): number =>
    sum(fields(then).slice(cycle - after.sessions, cycle + 1)) - (fields(now)[cycle] ?? 0)
  const [settledSells, settledBuys] = [settled(sellsOf), settled(buysOf)]
  const loan = loanOf(now) - loanOf(then)
  const expected = then.balance + settledSells - settledBuys - (fees ?? 0) + dividends + loan - interest
  const rounding = ROUNDING + fills.length + slack
  const unknownFees = fees === null ? bought * MOST_FEE : 0
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

/** Trades that have not settled, by how many sessions ago they were. */
function sellsOf({ sell_t0, sell_t1, sell_t2 }: Cash): readonly number[] {
  return [sell_t0, sell_t1, sell_t2]
}

function buysOf({ buy_t0, buy_t1, buy_t2 }: Cash): readonly number[] {
  return [buy_t0, buy_t1, buy_t2]
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}

function feesOf(bought: number, hasFeesInBuys: boolean, rate: number | undefined): number | null {
  if (bought === 0 || hasFeesInBuys) return 0
  return rate === undefined ? null : bought * rate
}

/**
 * Dividends that the balance should have got. What is pending falls by what was paid and rises by what an ex-date brings,
 * which a declaration shows exactly and the reference price to a tick: either nothing or all that was pending was paid, where just one of both fits.
 *
 * @returns `slack`: how far the amount may be wrong, VND
 */
function paidDividends(interval: Interval, then: Cash, now: Cash): { paid: number; slack: number } {
  const entitlements = entitledToMoney(interval)
  const wanted = entitlements.reduce((sum, entitlement) => sum + moneyOf(entitlement), 0)
  const change = now.dividend - then.dividend
  if (wanted === 0) return { paid: Math.max(-change, 0), slack: 0 }
  const slack = entitlements.reduce((sum, entitlement) => sum + slackOf(entitlement), 0)
  const possible = [...new Set([0, then.dividend])]
  // Whether what is pending is before tax is not specified.
  const pending = [wanted, wanted * (1 - dividendTax(interval.after.trading_date))]
  const fitting = possible.filter((paid) =>
    pending.some((each) => Math.abs(change + paid - each) <= Math.max(slack, ROUNDING)),
  )
  const [paid] = fitting
  if (fitting.length === 1 && paid !== undefined) return { paid, slack: 0 }
  // Nothing became pending: it was paid at once, or not at all.
  const without = possible.find((each) => Math.abs(change + each) <= ROUNDING)
  if (fitting.length === 0 && without !== undefined) return { paid: without + wanted, slack }
  return { paid: Math.max(wanted - change, 0), slack }
}

/** Ex-dates that bring money: declared ones, and those after which no shares were announced or came. */
export function entitledToMoney({ changes, entitlements }: Interval): Entitlement[] {
  return entitlements.filter(({ symbol, declared_amount }) => {
    if (declared_amount !== null) return true
    const position = changes.find((each) => each.symbol === symbol)
    return (position?.announced ?? 0) === 0 && (position?.unexplained ?? 0) === 0
  })
}

/** VND before tax: as declared, else what the reference price took off. */
export function moneyOf({ quantity, amount, declared_amount }: Entitlement): number {
  return quantity * (declared_amount ?? amount)
}

/** How far `moneyOf` may be wrong, VND. */
export function slackOf({ quantity, tick, declared_amount }: Entitlement): number {
  return declared_amount === null ? quantity * tick : 0
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
