import type { AccountsAnswer } from '../../account-page.js'
import type { Row } from '../api.js'
import { DataTable } from '../data-table.js'
import { grouped } from '../words.js'
import { wholeVnd } from './account-words.js'
import { knownNumber } from './period.js'
import { accountColumn, symbolColumn } from './shared-columns.js'

/** How much of each symbol the service lets an account buy and sell. */
export function Quantities({ page }: { page: AccountsAnswer<Row> }) {
  const rows = page.tables.account_quantities ?? []
  if (rows.length === 0) return null
  const count = (title: string, name: string) => ({
    title,
    isNumber: true,
    cell: (row: Row) => grouped(row[name]),
  })
  const amount = (title: string, name: string) => ({
    title,
    isNumber: true,
    cell: (row: Row) => wholeVnd(knownNumber(row, name)),
  })
  return (
    <section class="card" aria-labelledby="quantities">
      <h2 id="quantities">What can be bought and sold</h2>
      <DataTable
        caption="As the service states it at the latest close; of contracts, the value is what they stand for"
        isBlocks
        rows={rows}
        empty="No quantities were read."
        columns={[
          symbolColumn(),
          ...accountColumn(page),
          count('can be bought', 'max_buy_qty'),
          amount('for, VND', 'max_buy_value'),
          count('can be sold', 'max_sell_qty'),
          amount('purchasing power, VND', 'purchasing_power'),
          { title: 'margin ratio', isNumber: true, cell: (row: Row) => String(row.margin_ratio ?? '') },
          { title: 'session', cell: ({ trading_date }: Row) => String(trading_date) },
        ]}
      />
    </section>
  )
}
