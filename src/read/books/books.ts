import { shellWord } from 'candlehouse-foundation/command-line/shell-word'
import { UsageError } from 'candlehouse-foundation/errors'
import { literal, sqlFile, sqlTemplate } from '../../duckdb/sqlfile.js'
import type { Effects } from '../../effects.js'
import { writeWholeFile } from '../../home/files.js'
import { readHistory } from '../explain/account-history.js'
import { feeRate } from '../explain/cash-change.js'
import { compareInterval } from '../explain/explain.js'
import { type Ask, asking, withCatalog } from '../query.js'
import { type BookFormat, bookText } from './book-text.js'
import {
  type Assertion,
  accountsOf,
  assertions,
  type Holding,
  opening,
  type Transaction,
  transactions,
} from './entries.js'

export interface AccountBooks {
  readonly account: string
  /** Trading dates of the first and the last snapshot that are in the books; null where none is. */
  readonly from: string | null
  readonly upTo: string | null
  /** Why later snapshots are not in them; null where all are. */
  readonly stopped: string | null
  readonly transactions: number
  readonly assertions: number
}

interface Written extends Omit<AccountBooks, 'transactions' | 'assertions'> {
  readonly transactions: readonly Transaction[]
  readonly assertions: readonly Assertion[]
}

/**
 * Writes the books of every account of shares: opening balances, a transaction per event, and the balances that the service
 * reports every evening as assertions. Nothing is added to make them agree.
 *
 * @param partial whether books may end before the first event that nothing explains
 * @throws UsageError where they would and may not, and where there is nothing to write
 */
export async function exportBooks(
  home: string,
  { out, format, partial }: { out: string; format: BookFormat; partial: boolean },
  { disk }: Effects,
): Promise<AccountBooks[]> {
  return await withCatalog(home, async (reader) => {
    const books = await readBooks(asking(reader))
    requireWhole(books, partial)
    const head = [
      `written by candlehouse from the snapshots of ${books.map(({ account }) => account).join(', ')}`,
      'derivative accounts are not in it: their fees and margins are not reported per order',
    ]
    const text = bookText(format, head, {
      transactions: books.flatMap((each) => each.transactions),
      assertions: books.flatMap((each) => each.assertions),
    })
    await writeWholeFile(out, text, { mode: 0o600, hint: 'choose another file with --out' }, disk)
    return books.map((each) => ({
      ...each,
      transactions: each.transactions.length,
      assertions: each.assertions.length,
    }))
  })
}

function requireWhole(books: readonly Written[], partial: boolean): void {
  if (!books.some(({ upTo }) => upTo !== null))
    throw new UsageError('there is no complete snapshot of an account of shares', {
      hint: 'candlehouse login, then candlehouse snapshot',
    })
  const [first] = books.filter(({ stopped }) => stopped !== null)
  if (first && !partial)
    throw new UsageError(`account ${first.account} is not reconciled: ${first.stopped}`, {
      hint: `candlehouse reconcile --explain ${shellWord(first.account)}; --partial writes the books up to ${first.upTo}`,
    })
}

/** Books of all accounts of shares, of any database with the relations of a catalog. */
export async function readBooks(ask: Ask): Promise<Written[]> {
  const accounts = await ask<{ account_no: string; account_type: string }>(sqlFile('read/accounts.sql'))
  const books: Written[] = []
  for (const { account_no, account_type } of accounts)
    if (account_type !== 'DERIVATIVE') books.push(await booksOf(ask, account_no))
  return books
}

async function booksOf(ask: Ask, account: string): Promise<Written> {
  const { days, intervals } = await readHistory(ask, account)
  const positions = await ask<Holding & { trading_date: string }>(
    sqlTemplate('read/books/positions.sql', { account: literal(account) }),
  )
  const holdings = (day: string): Holding[] => positions.filter(({ trading_date }) => trading_date === day)
  const rate = feeRate(intervals)
  const [first] = days
  const names = accountsOf(account)
  const books = { transactions: [] as Transaction[], assertions: [] as Assertion[] }
  let [from, upTo]: [string | null, string | null] = [null, null]
  const written = (stopped: string | null): Written => ({ account, from, upTo, stopped, ...books })
  if (!first?.cash) return written('its first snapshot has no balance')
  from = upTo = first.trading_date
  books.transactions.push(opening(from, names, first.cash, holdings(from)))
  const symbols = new Set(holdings(from).map(({ symbol }) => symbol))
  for (const interval of intervals) {
    const { after, changes } = interval
    const { cash, differences } = compareInterval(interval, rate)
    const between = `between the snapshots of ${upTo} and ${after.trading_date}`
    if (!cash || !after.cash) return written(`cash cannot be followed ${between}`)
    if (differences.length > 0) return written(`fills, positions and cash part ${between}`)
    for (const { symbol, is_contract } of changes) if (!is_contract) symbols.add(symbol)
    books.transactions.push(...transactions(names, interval, cash))
    books.assertions.push(
      ...assertions(after.trading_date, names, after.cash, holdings(after.trading_date), symbols),
    )
    upTo = after.trading_date
  }
  return written(null)
}
