import type { Row } from '../api.js'
import { DataTable, type TableColumn } from '../data-table.js'
import { grouped, rounded } from '../words.js'
import { wholeVnd } from './account-words.js'
import { knownNumber } from './period.js'
import { symbolColumn } from './shared-columns.js'

interface Props {
  rows: readonly Row[]
  /** A column with the account, where several are shown. */
  account: readonly TableColumn<Row>[]
}

/** Futures contracts: what is open, at which prices, and what they stand for. */
export function Contracts({ rows, account }: Props) {
  if (rows.length === 0) return null
  const count = (title: string, name = title): TableColumn<Row> => ({
    title,
    isNumber: true,
    cell: (row) => grouped(row[name]),
  })
  const points = (title: string, name: string): TableColumn<Row> => ({
    title,
    isNumber: true,
    cell: (row) => rounded(knownNumber(row, name), 2),
  })
  const amount = (title: string, name: string): TableColumn<Row> => ({
    title,
    isNumber: true,
    cell: (row) => wholeVnd(knownNumber(row, name)),
  })
  return (
    <section class="card" aria-labelledby="contracts">
      <h2 id="contracts">Contracts</h2>
      <DataTable
        caption="As the service states them; prices in index points, profit and loss and what they stand for in VND"
        isBlocks
        rows={rows}
        empty="No contract is held."
        columns={[
          ...account,
          symbolColumn('contract'),
          count('long'),
          count('short'),
          count('net'),
          points('average bought', 'average_bought'),
          points('average sold', 'average_sold'),
          points('valued at', 'trade_price'),
          count('closed', 'closed_quantity'),
          amount('closed profit or loss', 'trading_pl'),
          amount('open profit or loss', 'floating_pl'),
          amount('stand for', 'contract_value'),
          { title: 'session', cell: ({ trading_date }: Row) => String(trading_date) },
        ]}
      />
    </section>
  )
}
