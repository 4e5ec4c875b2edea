import { StorageError, UsageError } from 'candlehouse-foundation/errors'
import { isDay } from 'candlehouse-foundation/market/day'
import type { Reader } from '../duckdb/reader.js'
import { literal, sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import { type Explanation, explain } from '../read/explain/explain.js'
import { hasMargins } from '../read/has-margins.js'
import type { LiveCatalog } from '../read/live-catalog.js'
import { asking, latestPublication, objectsOf } from '../read/query.js'
import {
  ACCOUNT_TABS,
  type AccountsAnswer,
  type AccountsQuery,
  type AccountTab,
  ALL_ACCOUNTS,
  TAB_STATEMENTS,
} from './account-page.js'

type Row = Record<string, unknown>

/** Statements that those of the page include. */
const LATEST_SNAPSHOT = 'night/latest_snapshots.sql'
export const CONDITIONAL_ORDER = 'console/conditional_orders.sql'

/** Answers of one publication that are kept: those to the last questions. */
const KEPT = 50

/** Asks a statement of `sql/console`. */
type AskStatement = (name: string, parts?: Readonly<Record<string, string>>) => Promise<Row[]>

/**
 * The page Accounts: one request, answered from one publication. To plan and compute what all accounts returned takes most of its time,
 * and another account or tab asks for the same: answers are kept until the next publication.
 */
export class AccountsView {
  private known: { publication: number; answers: Map<string, Row[]> } | undefined

  constructor(private readonly catalog: LiveCatalog) {}

  /** @throws UsageError for a day or a tab that does not exist */
  async read(asked: AccountsQuery): Promise<AccountsAnswer<Row, Explanation>> {
    return await this.catalog.use(async (reader) => {
      const publication = (await latestPublication(asking(reader))) ?? null
      const ask = this.askerOf(reader, publication?.id ?? 0)
      return { publication, ...(await pageOf(ask, reader, asked)) }
    })
  }

  /** `account_margins`; none where no account has a margin. */
  async margins(): Promise<Row[]> {
    return await this.catalog.use(async (reader) => {
      const publication = await latestPublication(asking(reader))
      return await marginsOf(this.askerOf(reader, publication?.id ?? 0), reader)
    })
  }

  private askerOf(reader: Reader, publication: number): AskStatement {
    if (this.known?.publication !== publication) this.known = { publication, answers: new Map() }
    const { answers } = this.known
    return async (name, parts = {}) => {
      const sql = sqlTemplate(`console/${name}.sql`, parts)
      const rows = answers.get(sql) ?? (await objectsOf<Row>(reader, sql).catch(rejectEarlierCatalog))
      // The latest question comes last; the first one goes.
      answers.delete(sql)
      answers.set(sql, rows)
      const [oldest] = answers.keys()
      if (answers.size > KEPT && oldest !== undefined) answers.delete(oldest)
      return rows
    }
  }
}

/** @throws StorageError in place of DuckDB's words about a view that an earlier version of candlehouse did not publish */
function rejectEarlierCatalog(cause: Error): never {
  const view = /^Catalog Error: .* with name (\w+) does not exist/.exec(cause.message)?.[1]
  if (view === undefined) throw cause
  throw new StorageError(`an earlier version published the catalog: it has no mart.${view}`, {
    hint: 'candlehouse publish',
    cause,
  })
}

/** @throws UsageError for a day or a tab that does not exist */
export function accountsQueryOf(query: URLSearchParams): AccountsQuery {
  const given = (name: string): string => query.get(name) ?? ''
  const [since, tab] = [given('since'), given('tab') || 'overview']
  if (since && !isDay(since))
    throw new UsageError(`${since} is not a day`, { hint: 'write it as 2025-03-14' })
  if (!isTab(tab)) throw new UsageError(`there is no tab ${tab}`, { hint: `use ${ACCOUNT_TABS.join(', ')}` })
  return { account: given('account') || ALL_ACCOUNTS, since, benchmark: given('benchmark'), tab }
}

function isTab(name: string): name is AccountTab {
  return (ACCOUNT_TABS as readonly string[]).includes(name)
}

async function pageOf(
  ask: AskStatement,
  reader: Reader,
  { account: wanted, since, benchmark, tab }: AccountsQuery,
): Promise<Omit<AccountsAnswer<Row, Explanation>, 'publication'>> {
  const accounts = await ask('accounts', { latest_snapshot: sqlFile(LATEST_SNAPSHOT) })
  const chosen = accounts.find(({ account_no }) => account_no === wanted)
  const account = chosen ? wanted : ALL_ACCOUNTS
  const isShown = ({ account_no }: Row): boolean => account === ALL_ACCOUNTS || account_no === account
  const parts = await ask('account_sessions', {
    first: literal(since || '0001-01-01'),
    benchmark: benchmark ? literal(benchmark) : 'NULL',
  })
  const rowsOf = (name: string): Row[] => parts.filter(({ part }) => part === name)
  const [sessions, growth] = [rowsOf('session'), rowsOf('growth')]
  const isRead = (number: string): boolean =>
    sessions.some(({ account_no, state }) => account_no === number && state === 'complete')
  const tables = await tablesOf(ask, account, tab)
  const known = sessions.filter(({ equity }) => equity !== null)
  const first = known.find(({ account_no }) => account_no === account)
  return {
    account,
    accounts,
    latest: lastRows(sessions),
    known: lastRows(known),
    first: first ? String(first.trading_date) : null,
    growth: growth.filter(({ account_no }) => account_no === account),
    periods: rowsOf('period'),
    margins: (await marginsOf(ask, reader)).filter(isShown),
    tables,
    ...(tab === 'sessions' ? { sessions: await sessionsOf(ask, account, sessions) } : {}),
    ...(tab === 'reconciliation' && chosen && isRead(account)
      ? { reconciliation: await reconciliationOf(ask, reader, chosen) }
      : {}),
  }
}

/** The account's sessions, with what its equity is made of; all accounts together have no such parts. */
async function sessionsOf(ask: AskStatement, account: string, sessions: readonly Row[]): Promise<Row[]> {
  const curve = await ask('account_curve', { account: literal(account) })
  const partsByDay = new Map(curve.map((row) => [row.trading_date, row]))
  return sessions
    .filter(({ account_no }) => account_no === account)
    .map((row) => ({ ...partsByDay.get(row.trading_date), ...row }))
}

async function marginsOf(ask: AskStatement, reader: Reader): Promise<Row[]> {
  return (await hasMargins(asking(reader))) ? await ask('account_margins') : []
}

async function tablesOf(
  ask: AskStatement,
  account: string,
  tab: AccountTab,
): Promise<AccountsAnswer<Row>['tables']> {
  const tables: AccountsAnswer<Row>['tables'] = {}
  for (const name of TAB_STATEMENTS[tab]) {
    const parts = { account: literal(account) }
    const included = name === 'account_conditional' ? { conditional_order: sqlFile(CONDITIONAL_ORDER) } : {}
    tables[name] = await ask(name, { ...parts, ...included })
  }
  return tables
}

/** The account's shares and cash between its last two complete snapshots, and the first event at which they differ from its orders. */
async function reconciliationOf(
  ask: AskStatement,
  reader: Reader,
  { account_no, as_of }: Row,
): Promise<NonNullable<AccountsAnswer<Row, Explanation>['reconciliation']>> {
  const parts = { account: literal(String(account_no)), day: literal(String(as_of)) }
  const [cash] = await ask('account_cash', parts)
  const shares = await ask('account_shares', parts)
  return { cash, shares, explanation: await explain(asking(reader), String(account_no)) }
}

/** The last row of each account; rows are in the order of their sessions. */
function lastRows(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.account_no, row])).values()]
}
