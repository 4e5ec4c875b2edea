import type { AccountMatch, CashMatch, PositionMatch, Reconciliation } from '../../run/verbs/reconcile.js'
import { renderChecks } from './checks.js'
import { columnsOf, renderTable } from './table.js'

/** The unexplained differences of every account first, then how they are computed. */
export function renderReconciliation({ tradingDate, accounts, checks }: Reconciliation): string {
  // The name of the key is worth a column where there are several.
  const namesKeys = new Set(accounts.map(({ key }) => key)).size > 1
  return [
    `accounts for ${tradingDate}`,
    renderTable(
      columnsOf(
        'account',
        ...(namesKeys ? ['key'] : []),
        'snapshot',
        '#shares unexplained',
        '#cash unexplained',
      ),
      accounts.map((account) => [
        account.account,
        ...(namesKeys ? [account.key] : []),
        snapshotOf(account),
        unexplainedShares(account),
        account.cash?.residual ? grouped(account.cash.residual) : UNKNOWN,
      ]),
    ),
    ...accounts.flatMap(details),
    ...renderChecks(checks),
  ].join('\n\n')
}

function snapshotOf({ state, missing, before }: AccountMatch): string {
  if (state !== 'complete') return `incomplete: ${missing ?? state}`
  return before ? `complete, compared with ${before}` : 'complete, no earlier one to compare with'
}

/** An unknown difference is never shown as zero. */
const UNKNOWN = 'not evaluable'

function unexplainedShares({ state, before, positions }: AccountMatch): string {
  if (state !== 'complete' || !before || positions.some(({ residual }) => residual === null)) return UNKNOWN
  return grouped(String(positions.reduce((sum, { residual }) => sum + Math.abs(Number(residual)), 0)))
}

function details({ account, positions, cash }: AccountMatch): string[] {
  return [
    ...(positions.length > 0 ? [`${account} positions\n${positionTable(positions)}`] : []),
    ...(cash ? [`${account} cash, VND\n${cash.unknown ?? cashLine(cash)}`] : []),
  ]
}

function positionTable(positions: readonly PositionMatch[]): string {
  const numbers = ['#before', '#bought', '#sold', '#from dividends', '#expected', '#actual', '#unexplained']
  return renderTable(
    columnsOf('symbol', ...numbers),
    positions.map((position) => [
      position.symbol,
      ...[
        position.quantityBefore,
        position.bought,
        position.sold,
        position.fromDividends,
        position.expected,
        position.quantity,
        position.residual,
      ].map(grouped),
    ]),
  )
}

function cashLine(cash: CashMatch): string {
  const moved = ['#sales settled', '#buys settled', '#fees', '#dividends', '#loan']
  return renderTable(columnsOf('#before', ...moved, '#expected', '#actual', '#unexplained'), [
    [
      cash.balanceBefore,
      cash.settledSells,
      cash.settledBuys,
      cash.fees ?? (cash.unknown === null ? 'not known' : null),
      cash.dividends,
      cash.loanChange,
      cash.expected,
      cash.balance,
      cash.residual,
    ].map(grouped),
  ])
}

/** 63717.5 as `63,717.5`; exact, whatever its length. */
function grouped(value: string | null): string {
  return value === null
    ? ''
    : value.replace(
        /^(-?)(\d+)/,
        (_, sign: string, whole: string) => sign + whole.replace(/\B(?=(\d{3})+$)/g, ','),
      )
}
