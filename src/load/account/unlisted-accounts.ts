import type { Day } from 'candlehouse-foundation/market/day'
import { literal } from '../../duckdb/sqlfile.js'
import type { Steps } from '../steps.js'
import { DAYS_TO_BELIEVE } from './vanished-positions.js'

/** How the reason begins. Stored reasons are found again by it: they count the days without the account. */
const NOT_LISTED = 'the list of accounts no longer names it'

interface UnlistedAccount {
  account_no: string
  /** Trading date of its latest snapshot that was requested. */
  read_on: Day
  unlisted_days: number
}

/**
 * Account → why its snapshot is missing: the key read it last, and the key's complete list no longer names it. A service that
 * leaves an account out would otherwise end its history without a word, and its snapshot of that day cannot be fetched again. An
 * account that was closed is believed on the third trading date.
 *
 * @param others accounts of the list that another key of the run has read
 */
export async function unlistedAccounts(
  steps: Steps,
  keyName: string,
  asOf: Day,
  others: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await steps.rows<UnlistedAccount>('load/snapshot/unlisted_accounts', {
    parts: { phrase: literal(NOT_LISTED), key_name: literal(keyName), day: literal(asOf) },
  })
  const named = rows.filter(
    ({ account_no, unlisted_days }) => !others.includes(account_no) && unlisted_days < DAYS_TO_BELIEVE - 1,
  )
  return new Map(
    named.map(({ account_no, read_on }) => [
      account_no,
      `${NOT_LISTED}; its latest snapshot is of ${read_on}`,
    ]),
  )
}
