import { shellWord } from 'candlehouse-foundation/command-line/shell-word'
import { UsageError } from 'candlehouse-foundation/errors'
import { sqlFile } from '../../duckdb/sqlfile.js'
import { type Ask, asking, withCatalog } from '../query.js'
import { type Interval, readHistory } from './account-history.js'
import { type CashChange, cashChange, feeRate } from './cash-change.js'
import { cashDifferences } from './cash-differences.js'
import { byTime, type Difference } from './difference.js'
import { positionDifferences } from './position-differences.js'

/** Where the fills, positions and cash of an account part for the first time. */
export interface Explanation {
  readonly account: string
  /** Complete snapshots that are stored. */
  readonly snapshots: number
  /** Trading date of the last snapshot up to which everything agrees; null where there is none. */
  readonly agreesUpTo: string | null
  /** Trading date of the first snapshot that does not; null where all agree. */
  readonly partsOn: string | null
  /** The first event, and those of the same interval that follow it. Empty where all agree. */
  readonly differences: readonly Difference[]
  /** All that is stored between the two snapshots: what was compared. Null where all agree. */
  readonly interval: Interval | null
  /** What the cash of that interval consists of; null where it cannot be followed. */
  readonly cash: CashChange | null
  /** Trading dates of snapshots whose cash cannot be compared with the one before, until then. */
  readonly cashUnknownOn: readonly string[]
}

/**
 * Goes from snapshot to snapshot until what orders filled, what settled and what was paid no longer explains how positions
 * and cash changed.
 *
 * @param account its number, as in `account.account`
 * @throws UsageError where no snapshot of it is stored; it names those that are
 */
export async function explainAccount(home: string, account: string): Promise<Explanation> {
  return await withCatalog(home, async (reader) => await explain(asking(reader), account))
}

/** As `explainAccount`, for every account with a complete snapshot. @throws UsageError where there is none */
export async function explainAccounts(home: string): Promise<Explanation[]> {
  return await withCatalog(home, async (reader) => {
    const ask = asking(reader)
    const numbers = await accountNumbers(ask)
    if (numbers.length === 0)
      throw new UsageError('there is no complete snapshot of an account yet', { hint: NO_SNAPSHOT })
    const explanations: Explanation[] = []
    for (const account of numbers) explanations.push(await explain(ask, account))
    return explanations
  })
}

const NO_SNAPSHOT = 'candlehouse login, then candlehouse snapshot'

/** As `explainAccount`, on any database with the relations of a catalog. */
export async function explain(ask: Ask, account: string): Promise<Explanation> {
  const { days, intervals } = await readHistory(ask, account)
  if (days.length === 0) throw await unknownAccount(ask, account)
  const rate = feeRate(intervals)
  const cashUnknownOn: string[] = []
  const agreeing: Explanation = {
    account,
    snapshots: days.length,
    differences: [],
    interval: null,
    cash: null,
    cashUnknownOn,
    agreesUpTo: days.at(-1)?.trading_date ?? null,
    partsOn: null,
  }
  for (const interval of intervals) {
    const { cash, differences } = compareInterval(interval, rate)
    if (!cash && interval.after.cash) cashUnknownOn.push(interval.after.trading_date)
    if (differences.length > 0)
      return {
        ...agreeing,
        differences,
        interval,
        cash: cash ?? null,
        agreesUpTo: interval.before.trading_date,
        partsOn: interval.after.trading_date,
      }
  }
  return agreeing
}

/** What cash should have become between two snapshots, undefined where it cannot be followed, and what differs, by time. */
export function compareInterval(
  interval: Interval,
  rate: number | undefined,
): { cash: CashChange | undefined; differences: Difference[] } {
  const positions = positionDifferences(interval)
  const differences = [...positions, ...cashDifferences(interval, rate, positions)].sort(byTime)
  return { cash: cashChange(interval, rate), differences }
}

async function unknownAccount(ask: Ask, account: string): Promise<UsageError> {
  const numbers = await accountNumbers(ask)
  return new UsageError(`there is no complete snapshot of an account ${account}`, {
    hint:
      numbers.length > 0
        ? `candlehouse reconcile --explain ${shellWord(numbers[0] ?? '')} (stored: ${numbers.join(', ')})`
        : NO_SNAPSHOT,
  })
}

async function accountNumbers(ask: Ask): Promise<string[]> {
  const rows = await ask<{ account_no: string }>(sqlFile('read/accounts.sql'))
  return rows.map(({ account_no }) => account_no)
}
