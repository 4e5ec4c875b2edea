import type { Fill, Interval, PositionChange } from './account-history.js'
import { type Difference, fillsThatFit } from './difference.js'

/** Events at which positions part from orders, dividends and expiries within an interval, one or two per symbol. */
export function positionDifferences(interval: Interval): Difference[] {
  return interval.changes.flatMap((change) => {
    if (!change.unexplained || sharesCameAtOnce(change, interval)) return []
    return change.is_contract ? [contractDifference(change, interval)] : shareDifferences(change, interval)
  })
}

/** New shares of an ex-date may be in the position at once: to half a percent (references are rounded) and a fraction. */
function sharesCameAtOnce(
  { symbol, unexplained, announced, quantity_before }: PositionChange,
  interval: Interval,
): boolean {
  return interval.entitlements.some(
    (entitlement) =>
      entitlement.symbol === symbol &&
      Math.abs((unexplained ?? 0) - (entitlement.new_shares - announced)) <= 1 + 0.005 * quantity_before,
  )
}

function contractDifference(change: PositionChange, interval: Interval): Difference {
  if (change.expired !== 0)
    return positionOf(change, interval, {
      kind: 'expiry',
      seenIn: 'market',
      reason: 'the contracts have ended and are still held, or are not settled',
    })
  return fillOfResidual(change, interval) ?? unexplained(change, interval)
}

/** The position's own totals of the day say on which side a trade is missing; they are of its last session only. */
function shareDifferences(change: PositionChange, interval: Interval): Difference[] {
  const today = interval.fills.filter(
    ({ symbol, trading_date }) => symbol === change.symbol && trading_date === interval.after.trading_date,
  )
  const extra = (side: 'B' | 'S', reported: number | null): number =>
    reported === null ? 0 : reported - sum(today.filter((fill) => fill.side === side))
  const [bought, sold] = [extra('B', change.service_bought), extra('S', change.service_sold)]
  if ((bought !== 0 || sold !== 0) && bought - sold === change.unexplained)
    return [
      ...(bought === 0 ? [] : [tradeDifference('B', bought, today, change, interval)]),
      ...(sold === 0 ? [] : [tradeDifference('S', sold, today, change, interval)]),
    ]
  if (change.from_dividends > 0 && change.unexplained === -change.from_dividends)
    return [
      positionOf(change, interval, {
        kind: 'dividend',
        seenIn: 'both',
        reason: 'shares of a dividend are announced no longer and did not arrive',
      }),
    ]
  return [fillOfResidual(change, interval) ?? unexplained(change, interval)]
}

/** @param extra what the position reports as traded beyond the order book; negative: less than it */
function tradeDifference(
  side: 'B' | 'S',
  extra: number,
  today: readonly Fill[],
  change: PositionChange,
  interval: Interval,
): Difference {
  const ours = today.filter((fill) => fill.side === side)
  const [expected, actual] = [sum(ours), sum(ours) + extra]
  const verb = side === 'B' ? 'bought' : 'sold'
  const { only, candidates } =
    extra < 0 ? fillsThatFit(ours, ({ quantity }) => quantity, -extra) : { only: undefined, candidates: [] }
  const reason =
    extra > 0
      ? `the position reports ${extra} more ${verb} than the order book`
      : `the order book reports ${-extra} more ${verb} than the position`
  return {
    ...positionOf(change, interval, { kind: 'fill', seenIn: extra > 0 ? 'service' : 'orders', reason }),
    at: only?.changed_at ?? null,
    orderId: only?.order_id ?? null,
    expected,
    actual,
    residual: side === 'B' ? extra : -extra,
    candidates,
  }
}

/** Where the position does not report its trades: the order whose fill is just what is missing. */
function fillOfResidual(change: PositionChange, interval: Interval): Difference | undefined {
  const fills = interval.fills.filter(({ symbol }) => symbol === change.symbol)
  const signed = (fill: Fill): number => (fill.side === 'B' ? fill.quantity : -fill.quantity)
  const isReported =
    change.service_bought !== null && fills.every(({ trading_date }) => trading_date === change.trading_date)
  if (isReported) return undefined
  const { only, candidates } = fillsThatFit(fills, signed, -(change.unexplained ?? 0))
  if (!only && candidates.length === 0) return undefined
  return {
    ...positionOf(change, interval, {
      kind: 'fill',
      seenIn: 'orders',
      reason: 'the order book reports a fill that the position does not show',
    }),
    ...(only ? { day: only.trading_date, at: only.changed_at, orderId: only.order_id } : {}),
    candidates,
  }
}

function unexplained(change: PositionChange, interval: Interval): Difference {
  const { is_contract, is_warrant, last_trading_date, quantity } = change
  const mayHaveEnded = (is_contract || is_warrant) && last_trading_date === null && quantity === 0
  const more = (change.unexplained ?? 0) > 0 ? 'more' : 'less'
  const reason = mayHaveEnded
    ? 'nothing is held any more: it may have expired (its last trading date is not stored), else a transfer or other'
    : `${more} is held than orders and dividends explain: a transfer or other (a correction, or an order that is not reported)`
  return positionOf(change, interval, { kind: 'position', seenIn: 'service', reason })
}

function positionOf(
  { symbol, is_contract, quantity, unexplained: residual }: PositionChange,
  { after }: Interval,
  { kind, seenIn, reason }: Pick<Difference, 'kind' | 'seenIn' | 'reason'>,
): Difference {
  return {
    kind,
    day: after.trading_date,
    at: null,
    symbol,
    orderId: null,
    seenIn,
    unit: is_contract ? 'contracts' : 'shares',
    expected: quantity === null || residual === null ? null : quantity - residual,
    actual: quantity,
    residual: residual ?? 0,
    reason,
    candidates: [],
  }
}

function sum(fills: readonly Fill[]): number {
  return fills.reduce((total, { quantity }) => total + quantity, 0)
}
