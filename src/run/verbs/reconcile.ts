import { join } from 'node:path'
import type { Database } from '../../duckdb/open.js'
import { UsageError } from '../../errors.js'
import type { Day } from '../../market/day.js'
import type { Settings } from '../../settings/index.js'
import { openWarehouse } from '../../warehouse/open.js'
import { latestRun } from '../../warehouse/runs.js'
import { checksOf, judgeRuns } from '../checks/rules.js'
import type { RunIo } from '../lifecycle/run-io.js'
import type { Checks } from '../report/summary.js'

/** One symbol of an account between two complete snapshots. Quantities as exact text; contracts are net. */
export interface PositionMatch {
  symbol: string
  quantityBefore: string
  bought: string
  sold: string
  fromDividends: string
  expected: string | null
  quantity: string | null
  /** Quantity less expected: what no order and no dividend explains; null where fills are not known. */
  residual: string | null
}

/** Cash of an account between two complete snapshots, VND. */
export interface CashMatch {
  balanceBefore: string | null
  settledSells: string | null
  settledBuys: string | null
  fees: string | null
  dividends: string | null
  loanChange: string | null
  expected: string | null
  balance: string | null
  /** Balance less expected: what no settlement, fee, dividend or loan explains; null where it cannot be told. */
  residual: string | null
  /** Why it cannot be told. */
  unknown: string | null
}

/** Orders, positions and cash of one account, matched. */
export interface AccountMatch {
  account: string
  /** `complete` or `partial`. */
  state: string
  missing: string | null
  /** Trading date of the complete snapshot before; null where there is none, and nothing to match with. */
  before: Day | null
  positions: PositionMatch[]
  /** Null for derivative accounts, and where nothing can be matched. */
  cash: CashMatch | null
}

export interface Reconciliation {
  tradingDate: Day
  accounts: AccountMatch[]
  checks: Checks
}

/**
 * Matches what orders filled with how positions and cash changed, account by account, and judges the snapshots of a
 * trading date by every rule about accounts.
 *
 * @param date the latest trading date that has a snapshot when undefined
 * @throws UsageError where there is no snapshot · LockedError while a run holds the warehouse
 */
export async function runReconcile(
  settings: Settings,
  date: Day | undefined,
  io: RunIo,
): Promise<Reconciliation> {
  const { home } = settings
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'))
  try {
    const tradingDate = await snapshotDate(warehouse, date)
    const runId = (await latestRun(warehouse))?.run_id ?? 'none'
    const scope = { runs: [], days: [], snapshots: [tradingDate] }
    const checks = await checksOf(warehouse, await judgeRuns(warehouse, { home, runId, scope }, io))
    return { tradingDate, accounts: await matchAccounts(warehouse), checks }
  } finally {
    warehouse.close()
  }
}

async function snapshotDate(warehouse: Database, date: Day | undefined): Promise<Day> {
  const [found] = await warehouse.rows<{ day: Day | null; latest: Day | null }>(
    `SELECT CAST(max(as_of) FILTER (WHERE as_of = coalesce(?::DATE, as_of)) AS VARCHAR) AS day,
       CAST(max(as_of) AS VARCHAR) AS latest FROM account.snapshot`,
    [date ?? null],
  )
  if (found?.day) return found.day
  throw new UsageError(date ? `no account was read for ${date}` : 'no account was ever read', {
    hint: found?.latest
      ? `candlehouse reconcile --date ${found.latest}`
      : 'candlehouse login, then candlehouse snapshot',
  })
}

/** Of the trading date that was just judged: its evidence still stands. */
async function matchAccounts(warehouse: Database): Promise<AccountMatch[]> {
  const accounts = await warehouse.rows<Omit<AccountMatch, 'positions' | 'cash'>>(
    `SELECT account_no AS account, state, missing, CAST(before_of AS VARCHAR) AS before FROM audit_account ORDER BY 1`,
  )
  const positions = await warehouse.rows<PositionMatch & { account: string }>(
    `SELECT account_no AS account, symbol, as_text(quantity_before) AS "quantityBefore", as_text(bought) AS bought, as_text(sold) AS sold,
       as_text(from_dividends) AS "fromDividends", as_text(expected_quantity) AS expected, as_text(quantity) AS quantity, as_text(residual) AS residual
     FROM mart.position_match(getvariable('audit_as_of')) ORDER BY account_no, symbol`,
  )
  const cash = await warehouse.rows<CashMatch & { account: string }>(
    `SELECT account_no AS account, as_text(balance_before) AS "balanceBefore", as_text(settled_sells) AS "settledSells",
       as_text(settled_buys) AS "settledBuys", as_text(round(fees, 2)) AS fees, as_text(dividends) AS dividends, as_text(loan_change) AS "loanChange",
       as_text(expected_balance) AS expected, as_text(balance) AS balance, as_text(residual) AS residual, unknown
     FROM mart.cash_match(getvariable('audit_as_of')) ORDER BY account_no`,
  )
  return accounts.map((account) => ({
    ...account,
    positions: positions.flatMap(({ account: of, ...match }) => (of === account.account ? [match] : [])),
    cash: cash.flatMap(({ account: of, ...match }) => (of === account.account ? [match] : []))[0] ?? null,
  }))
}
