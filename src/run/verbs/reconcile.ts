import { UsageError } from 'candlehouse-foundation/errors'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../../duckdb/open.js'
import { sqlFile } from '../../duckdb/sqlfile.js'
import type { Checks } from '../../night/summary.js'
import type { Settings } from '../../settings/index.js'
import { checksOfResults } from '../checks/findings.js'
import type { Run } from '../lifecycle/run.js'
import type { RunIo } from '../lifecycle/run-io.js'
import { withRun } from '../lifecycle/with-run.js'

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
  /** Balance less expected: what no settlement, fee, dividend or loan explains; null where it cannot be calculated. */
  residual: string | null
  /** Why it cannot be calculated. */
  unknown: string | null
}

/** Orders, positions and cash of one account, matched. */
export interface AccountMatch {
  account: string
  /** Name of the API key that read the snapshot. */
  key: string
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
 * Matches what orders filled with how positions and cash changed, per account, and runs every rule about accounts on the
 * snapshots of a trading date.
 *
 * @param date the latest trading date that has a snapshot when undefined
 * @throws UsageError where there is no snapshot · LockedError while a run has the warehouse locked
 */
export async function runReconcile(
  settings: Settings,
  date: Day | undefined,
  io: RunIo,
): Promise<Reconciliation> {
  const { value } = await withRun(settings, { job: 'reconcile', kind: 'inquiry' }, io, {
    work: (run) => reconcile(run, date),
  })
  return value
}

async function reconcile(run: Run, date: Day | undefined): Promise<Reconciliation> {
  const { warehouse } = run
  const tradingDate = await snapshotDate(warehouse, date)
  const results = await run.runRules({ runs: [], days: [], snapshots: [tradingDate], checkUnchanged: true })
  const checks = await checksOfResults(warehouse, results)
  return { tradingDate, accounts: await matchAccounts(warehouse), checks }
}

async function snapshotDate(warehouse: Database, date: Day | undefined): Promise<Day> {
  const [dates] = await warehouse.rows<{ day: Day | null; latest: Day | null }>(
    `SELECT CAST(max(as_of) FILTER (WHERE as_of = coalesce(?::DATE, as_of)) AS VARCHAR) AS day,
       CAST(max(as_of) AS VARCHAR) AS latest FROM account.snapshot`,
    [date ?? null],
  )
  if (dates?.day) return dates.day
  throw new UsageError(
    date ? `there is no account snapshot of ${date}` : 'there is no account snapshot yet',
    {
      hint: dates?.latest
        ? `candlehouse reconcile --date ${dates.latest}`
        : 'candlehouse login, then candlehouse snapshot',
    },
  )
}

/** Reads the temp tables that the rules have just filled for the trading date. */
async function matchAccounts(warehouse: Database): Promise<AccountMatch[]> {
  const accounts = await warehouse.rows<Omit<AccountMatch, 'positions' | 'cash'>>(
    `SELECT account_no AS account, key_name AS key, state, missing, CAST(before_of AS VARCHAR) AS before FROM audit_account ORDER BY 1`,
  )
  const positions = await warehouse.rows<PositionMatch & { account: string }>(
    sqlFile('check/matched_positions.sql'),
  )
  const cash = await warehouse.rows<CashMatch & { account: string }>(sqlFile('check/matched_cash.sql'))
  return accounts.map((account) => ({
    ...account,
    positions: matchesOf(account.account, positions),
    cash: matchesOf(account.account, cash)[0] ?? null,
  }))
}

function matchesOf<Match extends object>(
  wanted: string,
  matches: readonly (Match & { account: string })[],
): Omit<Match & { account: string }, 'account'>[] {
  return matches.flatMap(({ account, ...match }) => (account === wanted ? [match] : []))
}
