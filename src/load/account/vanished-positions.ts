import { expectedCalendar } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import { expiryDay, parseFuturesCode } from 'candlehouse-foundation/market/futures'
import { literal } from '../../duckdb/sqlfile.js'
import { groupsBy } from '../../plan/groups.js'
import type { Steps } from '../steps.js'

/** Trading dates on which an account has to be without positions, or not in the list, until that is believed unexplained. */
export const DAYS_TO_BELIEVE = 3

/** Symbols named in a message, at most. */
const NAMED = 3

interface VanishedPosition {
  account_no: string
  /** Trading date of the complete snapshot that has it. */
  held_on: Day
  symbol: string
  is_contract: boolean
  /** Whether an order since then was filled that can have closed it. */
  is_closed: boolean
  empty_days: number
}

/**
 * Account → why its positions are missing: it had some in its latest complete snapshot, has none now, and neither its orders nor an
 * expiry explain that. A service that answers with null or without the lists would otherwise make it an account that has sold
 * everything. What leaves an account in another way (a transfer, a right that lapses, a sale on the day of a snapshot and after it)
 * is believed on the third trading date.
 */
export async function vanishedPositions(steps: Steps, asOf: Day): Promise<ReadonlyMap<string, string>> {
  const rows = await steps.rows<VanishedPosition>('load/snapshot/vanished_positions', { day: literal(asOf) })
  const unexplained = rows.filter(
    ({ is_closed, is_contract, symbol, empty_days }) =>
      !is_closed && !(is_contract && canHaveExpired(symbol, asOf)) && empty_days < DAYS_TO_BELIEVE - 1,
  )
  const byAccount = groupsBy(unexplained, ({ account_no }) => account_no)
  return new Map([...byAccount].map(([account, vanished]) => [account, reasonOf(vanished)]))
}

function reasonOf(vanished: readonly VanishedPosition[]): string {
  const names = vanished.slice(0, NAMED).map(({ symbol }) => symbol)
  const more = vanished.length > NAMED ? ` and ${vanished.length - NAMED} more` : ''
  return `positions: none, and no order explains where ${names.join(', ')}${more} of ${vanished[0]?.held_on} went`
}

/** Of a contract whose code says no month, or whose underlying is unknown, nothing is known: it was not closed by an order, so it has expired. */
function canHaveExpired(symbol: string, asOf: Day): boolean {
  const contract = parseFuturesCode(symbol)
  if (!contract) return true
  const day = expiryDay(contract)
  if (day === undefined) return true
  // A probable holiday counts: the last session is then before it.
  const calendar = expectedCalendar()
  return (calendar.isSession(day) ? day : calendar.previousSession(day)) <= asOf
}
