/** What the page Accounts shows below its head. */
export const ACCOUNT_TABS = ['overview', 'exposure', 'orders', 'sessions', 'reconciliation'] as const

export type AccountTab = (typeof ACCOUNT_TABS)[number]

/** All accounts together, as `mart.account_return` names them. */
export const ALL_ACCOUNTS = 'ALL'

/** What the page asks for, as its address says it. */
export interface AccountsQuery {
  /** Its number; empty or `ALL`: all together. */
  account: string
  /** First day of the period; empty: the first session that is stored. */
  since: string
  /** An index or a symbol; empty: none besides VNINDEX and VN30. */
  benchmark: string
  tab: AccountTab
}

/** Statements whose rows each tab shows. Statements of one account are of all where all are asked for. */
export const TAB_STATEMENTS = {
  overview: ['account_positions', 'account_quantities', 'account_forecast', 'account_dividends'],
  exposure: ['account_contracts', 'account_sectors', 'account_betas'],
  orders: ['account_conditional', 'account_events', 'account_orders', 'account_order_history'],
  sessions: [],
  reconciliation: [],
} as const satisfies Record<AccountTab, readonly string[]>

export type TabStatement = (typeof TAB_STATEMENTS)[AccountTab][number]

/** All that the page draws in one answer, of one publication. Rows have the columns of their statements in `sql/console`. */
export interface AccountsAnswer<Row = Record<string, unknown>, Explanation = unknown> {
  publication: { id: number; publishedAt: string } | null
  /** The account that is shown: that of the query, `ALL` where no such one is stored. */
  account: string
  /** `accounts`: each account with a snapshot. */
  accounts: Row[]
  /** `account_sessions`, part `session`: the last session of each account, and of all together. */
  latest: Row[]
  /** Of these the last one whose equity is known; the same where that of `latest` is. */
  known: Row[]
  /** The first session of the account that is shown whose equity is known; null where there is none. */
  first: string | null
  /** `account_sessions`, part `growth`: of the account that is shown. */
  growth: Row[]
  /** `account_sessions`, part `period`: of each account, up to its last session whose equity is known. */
  periods: Row[]
  /** `account_margins` of the accounts that are shown. */
  margins: Row[]
  tables: Partial<Record<TabStatement, Row[]>>
  /** `account_sessions` of the account, with `account_curve`; on the tab `sessions`. */
  sessions?: Row[]
  /** On the tab `reconciliation`, of one account with a complete snapshot. */
  reconciliation?: { cash: Row | undefined; shares: Row[]; explanation: Explanation }
}
