import { type AccountsAnswer, ALL_ACCOUNTS } from '../../account-page.js'
import type { Row } from '../api.js'
import { chartAddress } from '../chart/chart-address.js'
import type { TableColumn } from '../data-table.js'

/** A symbol, which leads to its chart. */
export function symbolColumn(title = 'symbol'): TableColumn<Row> {
  return {
    title,
    cell: ({ symbol }) => <a href={chartAddress({ symbol: String(symbol) })}>{String(symbol)}</a>,
  }
}

export const ACCOUNT: TableColumn<Row> = { title: 'account', cell: ({ account_no }) => String(account_no) }

/** A column with the account, where several are shown. */
export function accountColumn({ account }: Pick<AccountsAnswer<Row>, 'account'>): TableColumn<Row>[] {
  return account === ALL_ACCOUNTS ? [ACCOUNT] : []
}
