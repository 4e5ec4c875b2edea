import { dividendTax, sellTax } from 'candlehouse-foundation/market/tax'
import type { Fill, Interval } from './account-history.js'
import {
  type CashChange,
  cashChange,
  entitledToMoney,
  moneyOf,
  ROUNDING,
  slackOf,
  worthOf,
} from './cash-change.js'
import { type Difference, fillsThatFit } from './difference.js'

/** Largest yearly rate that brokers pay on a balance; a month of it is paid at once. */
const MOST_DEPOSIT_RATE = 0.02
/** VND: people transfer multiples of it, interest is one by chance. */
const ROUND_AMOUNT = 1_000

/** Events at which cash parts from orders, settlements and dividends, given those of the positions. */
export function cashDifferences(
  interval: Interval,
  rate: number | undefined,
  positions: readonly Difference[],
): Difference[] {
  const change = cashChange(interval, rate)
  if (!change) return []
  const rest = change.actual - change.expected - cashOfFills(interval, rate, change, positions)
  return [...salesDifference(interval, rate, positions), ...balanceDifferences(interval, rate, change, rest)]
}

/** What the balance differs by because a fill is missing on one side: its fee. The trade itself settles later. */
function cashOfFills(
  { after, fills }: Interval,
  rate: number | undefined,
  { hasFeesInBuys }: CashChange,
  positions: readonly Difference[],
): number {
  if (rate === undefined || hasFeesInBuys || !after.cash) return 0
  const buys = positions.filter((difference) => difference.kind === 'fill' && difference.residual !== 0)
  const ofOrders = buys
    .filter(({ seenIn }) => seenIn === 'orders')
    .flatMap(({ orderId }) => fills.filter((fill) => fill.order_id === orderId && fill.side === 'B'))
    .reduce((sum, { value }) => sum + (value ?? 0), 0)
  const hasUnreported = buys.some(({ seenIn, residual }) => seenIn === 'service' && residual > 0)
  const today = fills.filter((fill) => fill.side === 'B' && fill.trading_date === after.trading_date)
  const unreported = hasUnreported ? Math.max(after.cash.buy_t0 - (worthOf(today) ?? 0), 0) : 0
  return (ofOrders - unreported) * rate
}

/** Sales of the last session reach `sell_t0` less fee and tax. Where a sale itself is missing, the fill is the event. */
function salesDifference(
  { after, fills }: Interval,
  rate: number | undefined,
  positions: readonly Difference[],
): Difference[] {
  const sales = fills.filter((fill) => fill.side === 'S' && fill.trading_date === after.trading_date)
  const sold = worthOf(sales)
  const isFillMissing = positions.some(({ kind, residual }) => kind === 'fill' && residual !== 0)
  if (rate === undefined || !sold || !after.cash || isFillMissing) return []
  const expected = sold * (1 - sellTax(after.trading_date) - rate)
  const residual = after.cash.sell_t0 - expected
  const tolerance = ROUNDING + 2 * sales.length
  if (Math.abs(residual) <= tolerance) return []
  const fee = ({ value }: Fill): number | null => (value === null ? null : value * rate)
  return [
    feeDifference(after.trading_date, sales, fee, {
      expected,
      actual: after.cash.sell_t0,
      residual,
      tolerance,
    }),
  ]
}

/** What is left of the balance, as the one event whose amount it is; as `cash` where none fits, or several do. */
function balanceDifferences(
  interval: Interval,
  rate: number | undefined,
  change: CashChange,
  residual: number,
): Difference[] {
  const isWithin = (rest: number): boolean => rest >= -change.below && rest <= change.above
  if (isWithin(residual) || isWithin(residual + change.dividends * dividendTax(interval.after.trading_date)))
    return []
  const day = interval.after.trading_date
  const amounts = { expected: change.expected, actual: change.actual, residual, tolerance: change.above }
  const missed = missedDividends(interval, amounts)
  const buys = interval.fills.filter(({ side }) => side === 'B')
  const fee = ({ value }: Fill): number | null => (value === null ? null : value * (rate ?? 0))
  const { only, candidates } = fillsThatFit(buys, fee, Math.abs(residual), amounts.tolerance)
  const isFee = rate !== undefined && !change.hasFeesInBuys && (only !== undefined || candidates.length > 0)
  // What was missed is part of the dividends that should have been paid.
  const others = eventsThatFit(change, residual, amounts.tolerance).filter(
    ({ kind }) => kind !== 'dividend' || missed.length === 0,
  )
  const late = lateDividends(interval, amounts)
  const [event] = others
  const explanations = [missed.length > 0, isFee, others.length > 0, late.length > 0].filter(Boolean).length
  if (explanations === 1 && missed.length > 0) return missed
  if (explanations === 1 && isFee) return [feeDifference(day, buys, fee, amounts)]
  if (explanations === 1 && others.length === 1 && event)
    return [cashOf(day, event.kind, 'both', event.reason, amounts)]
  if (explanations === 1 && late.length === 1) return late
  return [
    explanations === 0 ? unmatchedCash(interval, change, amounts) : otherCash(interval, change, amounts),
  ]
}

interface Amounts {
  readonly expected: number
  readonly actual: number
  readonly residual: number
  readonly tolerance: number
}

/** Parts of the change that did not happen, or that happened twice: those whose amount the residual is. */
function eventsThatFit(change: CashChange, residual: number, tolerance: number) {
  const { dividends, interest, settledSells, settledBuys, loan } = change
  const events = [
    ['dividend', -dividends, 'a dividend is announced no longer and was not paid'],
    ['interest', interest, 'interest is owed no longer and was not paid'],
    ['interest', -interest, 'interest was paid twice'],
    ['settlement', -settledSells, 'sales have settled and their money is not in the balance'],
    ['settlement', settledSells, 'sales have settled twice'],
    ['settlement', settledBuys, 'buys have settled and their money is still in the balance'],
    ['settlement', -settledBuys, 'buys have settled twice'],
    ['loan', -loan, 'the debt changed and the balance did not'],
  ] as const
  return events
    .filter(([, amount]) => amount !== 0 && Math.abs(amount - residual) <= tolerance)
    .map(([kind, , reason]) => ({ kind, reason }))
}

function feeDifference(
  day: string,
  fills: readonly Fill[],
  fee: (fill: Fill) => number | null,
  amounts: Amounts,
): Difference {
  const { residual, tolerance } = amounts
  const { only, candidates } = fillsThatFit(fills, fee, Math.abs(residual), tolerance)
  const reason = residual < 0 ? 'the fee was charged twice' : 'the usual fee was not charged'
  return {
    ...cashOf(day, only || candidates.length > 0 ? 'fee' : 'cash', 'both', reason, amounts),
    ...(only
      ? { day: only.trading_date, at: only.changed_at, symbol: only.symbol, orderId: only.order_id }
      : {}),
    candidates,
  }
}

/** Ex-dates whose money is just what is missing: one of them, or all. */
function missedDividends(interval: Interval, { residual, tolerance }: Amounts): Difference[] {
  const entitlements = entitledToMoney(interval)
  const fits = (money: number): boolean => money > 0 && Math.abs(residual + money) <= tolerance
  const single = entitlements.filter((each) => fits(moneyOf(each)))
  const all = fits(entitlements.reduce((sum, each) => sum + moneyOf(each), 0)) ? entitlements : []
  return (single.length === 1 ? single : all).map((entitlement) => {
    const money = moneyOf(entitlement)
    const reason =
      entitlement.declared_amount === null
        ? 'nothing was announced or paid for this ex-date'
        : `nothing was announced or paid of the declared dividend of ${entitlement.declared_amount} VND a share`
    const amounts = { expected: money, actual: 0, residual: -money, tolerance }
    return {
      ...cashOf(entitlement.ex_date, 'dividend', 'market', reason, amounts),
      symbol: entitlement.symbol,
    }
  })
}

/** Earlier ex-dates whose money, before or after tax, is just what came: none of them was pending. */
function lateDividends(interval: Interval, { residual, tolerance }: Amounts): Difference[] {
  const { after, earlierEntitlements } = interval
  const tax = dividendTax(after.trading_date)
  return earlierEntitlements.flatMap((entitlement): Difference[] => {
    const money = moneyOf(entitlement)
    const paid = [money * (1 - tax), money].find(
      (each) => each > 0 && Math.abs(residual - each) <= tolerance + slackOf(entitlement),
    )
    if (paid === undefined) return []
    const { symbol, ex_date, declared_amount } = entitlement
    const source = declared_amount === null ? 'by the reference price' : 'as declared'
    const taxed = paid < money ? `, less ${tax * 100} % of tax` : ''
    const reason = `the dividend of ex-date ${ex_date} ${source}${taxed}: it was paid without being announced as pending`
    const amounts = { expected: 0, actual: residual, residual, tolerance }
    return [{ ...cashOf(after.trading_date, 'dividend', 'market', reason, amounts), symbol }]
  })
}

/** What no amount of an event fits: the settlement of what ended, interest on the balance, else a transfer or other. */
function unmatchedCash(interval: Interval, change: CashChange, amounts: Amounts): Difference {
  const day = interval.after.trading_date
  const symbols = [...new Set(interval.ended.map(({ symbol }) => symbol))]
  if (amounts.residual > 0 && symbols.length > 0) {
    const reason = `probably the settlement of ${symbols.join(', ')} after expiry: what it pays is not stored`
    const [symbol = null] = symbols
    return {
      ...cashOf(day, 'expiry', 'market', reason, amounts),
      symbol: symbols.length === 1 ? symbol : null,
    }
  }
  const share = depositShare(interval, change, amounts.residual)
  if (share === undefined) return otherCash(interval, change, amounts)
  const percent = (share * 100).toPrecision(2)
  const reason = `probably interest: the balance grew by ${percent} % of itself, and nothing was traded, settled or announced`
  return cashOf(day, 'interest', 'service', reason, amounts)
}

/** The share by which a balance that nothing moved grew, where a month of interest can be that much; transfers are round. */
function depositShare(interval: Interval, change: CashChange, residual: number): number | undefined {
  const { before, fills, entitlements } = interval
  const balance = before.cash?.balance ?? 0
  const moved = [change.settledSells, change.settledBuys, change.dividends, change.loan, change.interest]
  const isQuiet = fills.length === 0 && entitlements.length === 0 && moved.every((amount) => amount === 0)
  const most = (balance * MOST_DEPOSIT_RATE * 31) / 365
  return isQuiet && residual > 0 && residual <= most && residual % ROUND_AMOUNT !== 0
    ? residual / balance
    : undefined
}

function otherCash({ after }: Interval, change: CashChange, amounts: Amounts): Difference {
  const more = amounts.residual > 0 ? 'more' : 'less'
  const unknown =
    change.fees === null
      ? '; the rate of fees is not known: no snapshot of an evening with sales of its session shows it'
      : ''
  const reason = `${more} money is there than orders, settlements and dividends explain: a transfer or other (a correction, or a charge that is not reported)${unknown}`
  return cashOf(after.trading_date, 'cash', 'service', reason, amounts)
}

function cashOf(
  day: string,
  kind: Difference['kind'],
  seenIn: Difference['seenIn'],
  reason: string,
  { expected, actual, residual }: Amounts,
): Difference {
  return {
    kind,
    day,
    at: null,
    symbol: null,
    orderId: null,
    seenIn,
    unit: 'VND',
    expected: rounded(expected),
    actual: rounded(actual),
    residual: rounded(residual),
    reason,
    candidates: [],
  }
}

function rounded(amount: number): number {
  return Math.round(amount * 100) / 100
}
