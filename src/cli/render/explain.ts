import { exchangeTime } from 'candlehouse-foundation/market/day'
import { counted } from 'candlehouse-foundation/number-text'
import type { Difference, Explanation } from '../../read/explain/index.js'
import { columnsOf, renderTable } from './table.js'

/** The first event in words, then all that lies between the two snapshots, with the differences marked. */
export function renderExplanation(explanation: Explanation): string {
  const { account, snapshots, agreesUpTo, partsOn, differences, cashUnknownOn } = explanation
  const [first, ...others] = differences
  if (!first)
    return [
      snapshots < 2
        ? `account ${account}: one complete snapshot is stored, and none before it to compare with`
        : `account ${account}: fills, positions and cash agree over ${snapshots} complete snapshots, up to ${agreesUpTo}`,
      ...unknownCash(cashUnknownOn),
    ].join('\n')
  return [
    [
      `account ${account}: fills, positions and cash agree up to the snapshot of ${agreesUpTo}, and part before that of ${partsOn}`,
      ...unknownCash(cashUnknownOn),
    ].join('\n'),
    ['first event at which they differ', `  ${sentence(first)}`].join('\n'),
    ...(others.length > 0
      ? [['in the same interval, after it', ...others.map((other) => `  ${sentence(other)}`)].join('\n')]
      : []),
    chain(explanation),
  ].join('\n\n')
}

function unknownCash(days: readonly string[]): string[] {
  if (days.length === 0) return []
  const shown = days.slice(0, 3).join(', ')
  return [
    `cash could not be compared on ${counted(days.length, 'day')} (${shown}${days.length > 3 ? ', …' : ''})`,
  ]
}

function sentence(difference: Difference): string {
  const { kind, day, at, symbol, orderId, unit, expected, actual, residual, reason, candidates } = difference
  const subject = [kind, symbol, orderId && `of order ${orderId}`].filter(Boolean).join(' ')
  const figures =
    expected === null || actual === null
      ? `${signed(residual)} ${unit}`
      : `expected ${amount(expected)}, is ${amount(actual)}: ${signed(residual)} ${unit}`
  const orders = candidates.length > 0 ? `; one of the orders ${candidates.join(', ')}` : ''
  return `${day}${at ? ` ${timeOf(at)} UTC+7` : ''}  ${subject}: ${figures}. ${reason}${orders}`
}

const POSITION_FIGURES = ['#before', '#bought', '#sold', '#from dividends', '#expired', '#is', '#unexplained']

/** What was compared: fills, positions that changed, and cash by its parts. */
function chain({ interval, cash, differences }: Explanation): string {
  if (!interval) return ''
  const orders = new Set(differences.flatMap(({ orderId, candidates }) => [orderId, ...candidates]))
  const symbols = new Set(differences.map(({ symbol }) => symbol))
  const mark = (isOdd: boolean): string => (isOdd ? '≠' : '')
  return [
    `between ${interval.before.trading_date} and ${interval.after.trading_date}`,
    renderTable(
      columnsOf('', 'fill, UTC+7', 'order', 'symbol', 'side', '#quantity', '#price'),
      interval.fills.map((fill) => [
        mark(orders.has(fill.order_id)),
        fill.changed_at ? `${fill.trading_date} ${timeOf(fill.changed_at)}` : fill.trading_date,
        fill.order_id,
        fill.symbol,
        fill.side,
        amount(fill.quantity),
        fill.price === null ? '' : amount(fill.price),
      ]),
    ),
    renderTable(
      columnsOf('', 'position', ...POSITION_FIGURES),
      interval.changes.map((change) => [
        mark(symbols.has(change.symbol) && change.unexplained !== 0),
        change.symbol,
        ...[
          change.quantity_before,
          change.bought,
          change.sold,
          change.from_dividends,
          change.expired,
          change.quantity,
          change.unexplained,
        ].map((value) => (value === null ? '' : amount(value))),
      ]),
    ),
    ...(cash && interval.before.cash
      ? [
          renderTable(columnsOf('', 'cash', '#VND'), [
            ['', `balance of ${interval.before.trading_date}`, amount(interval.before.cash.balance)],
            ['', 'sales that settled', signed(cash.settledSells)],
            ['', 'buys that settled', signed(-cash.settledBuys)],
            ['', 'fees of buys', cash.fees === null ? 'not known' : signed(-cash.fees)],
            ['', 'dividends paid', signed(cash.dividends)],
            ['', 'loan', signed(cash.loan)],
            ['', 'interest paid', signed(-cash.interest)],
            ['', cash.fees === null ? 'expected before fees' : 'expected', amount(cash.expected)],
            [
              mark(differences.some(({ unit }) => unit === 'VND')),
              `balance of ${interval.after.trading_date}`,
              amount(cash.actual),
            ],
          ]),
        ]
      : []),
  ].join('\n\n')
}

/** HH:MM in UTC+7. */
function timeOf(at: string): string {
  return exchangeTime(Date.parse(at)).slice(11, 16)
}

/** 1,234,567.5: no more than two decimals. */
function amount(value: number): string {
  return (Math.round(value * 100) / 100).toLocaleString('en-US', { maximumFractionDigits: 2 })
}

function signed(value: number): string {
  const text = amount(value === 0 ? 0 : value)
  return value > 0 ? `+${text}` : text
}
