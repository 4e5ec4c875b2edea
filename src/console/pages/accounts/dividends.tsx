import type { AccountsAnswer } from '../../account-page.js'
import type { Row } from '../api.js'
import { DataTable } from '../data-table.js'
import { grouped } from '../words.js'
import { wholeVnd } from './account-words.js'
import { knownNumber } from './period.js'
import { accountColumn, symbolColumn } from './shared-columns.js'

/** Cash dividends that are not paid; also those of symbols that were sold after their ex-date. */
export function Dividends({ page }: { page: AccountsAnswer<Row> }) {
  const amount = (title: string) => ({
    title,
    isNumber: true,
    cell: (row: Row) => wholeVnd(knownNumber(row, title)),
  })
  return (
    <section class="card" aria-labelledby="dividends">
      <h2 id="dividends">Dividends to come</h2>
      <DataTable
        caption="Cash, VND; no source has the day of payment"
        isBlocks
        rows={page.tables.account_dividends ?? []}
        empty="No cash dividend is to come."
        columns={[
          symbolColumn(),
          ...accountColumn(page),
          { title: 'ex-date', cell: ({ ex_date }: Row) => String(ex_date) },
          { title: 'shares', isNumber: true, cell: (row: Row) => grouped(row.shares_entitled) },
          amount('gross'),
          amount('tax'),
          amount('net'),
          { title: 'state', cell: ({ state }: Row) => String(state) },
          { title: 'known from', cell: ({ source }: Row) => String(source) },
        ]}
      />
    </section>
  )
}
