import { type AccountsAnswer, ALL_ACCOUNTS } from '../../account-page.js'
import type { Row } from '../api.js'
import { DataTable, type TableColumn } from '../data-table.js'
import { percentWords, signedAmount, wholeVnd } from './account-words.js'
import { knownNumber } from './period.js'

/**
 * Every session of the account: what it was worth, what changed, and why a return is not known. What the service states, and what the
 * value is made of, is of one account.
 */
export function Sessions({ page }: { page: AccountsAnswer<Row> }) {
  const isOfAll = page.account === ALL_ACCOUNTS
  return (
    <section class="card" aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <DataTable
        caption={`VND, the latest session first${isOfAll ? '' : '; ours is the net asset value by closes, theirs what the service states'}`}
        isBlocks
        rows={[...(page.sessions ?? [])].reverse()}
        empty="No snapshot is stored."
        columns={columnsOf(isOfAll)}
      />
    </section>
  )
}

const amount = (title: string, name: string, write = wholeVnd): TableColumn<Row> => ({
  title,
  isNumber: true,
  cell: (row) => write(knownNumber(row, name)),
})

/** Costs of a session that has a session before it: one fee that is not reported leaves their sum unknown. */
const costWords = (row: Row): string =>
  wholeVnd(knownNumber(row, 'costs')) || (row.before_of === null ? '' : 'not all known')

const columnsOf = (isOfAll: boolean): readonly TableColumn<Row>[] => [
  { title: 'session', cell: ({ trading_date }) => String(trading_date) },
  { title: 'snapshot', cell: ({ state }) => String(state) },
  ...(isOfAll ? [] : [amount('cash', 'net_cash'), amount('positions', 'position_value')]),
  amount(isOfAll ? 'net asset value' : 'ours', 'equity'),
  ...(isOfAll ? [] : [amount('theirs', 'total_equity'), amount('difference', 'difference', signedAmount)]),
  amount('change', 'change', signedAmount),
  amount('paid in or out', 'flow', signedAmount),
  { title: 'costs', isNumber: true, cell: costWords },
  amount('dividends', 'dividends'),
  amount('left over', 'residual', signedAmount),
  { title: 'return', isNumber: true, cell: (row) => percentWords(knownNumber(row, 'time_weighted'), 2) },
  { title: 'compared with', cell: ({ before_of }) => String(before_of ?? '') },
  { title: 'reason', cell: ({ reason }) => String(reason ?? '') },
]
