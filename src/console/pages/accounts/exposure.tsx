import type { AccountsAnswer } from '../../account-page.js'
import type { Row } from '../api.js'
import { DataTable, type TableColumn } from '../data-table.js'
import { rounded } from '../words.js'
import { betaWords, percentWords, sectorWords, wholeVnd } from './account-words.js'
import { Contracts } from './contracts.js'
import { knownNumber } from './period.js'
import { accountColumn } from './shared-columns.js'

/** What the positions depend on: their industries, and how they move with the indexes. */
export function Exposure({ page }: { page: AccountsAnswer<Row> }) {
  const account = accountColumn(page)
  return (
    <>
      <Contracts rows={page.tables.account_contracts ?? []} account={account} />
      <Sectors rows={page.tables.account_sectors ?? []} account={account} />
      <Betas rows={page.tables.account_betas ?? []} account={account} />
    </>
  )
}

interface Props {
  rows: readonly Row[]
  /** A column with the account, where several are shown. */
  account: readonly TableColumn<Row>[]
}

function Sectors({ rows, account }: Props) {
  return (
    <section class="card" aria-labelledby="sectors">
      <h2 id="sectors">Sectors</h2>
      <DataTable
        caption="Values in VND, of contracts what they stand for; weight is the part of all positions of the account, without cash"
        isBlocks
        rows={rows}
        empty="Nothing is held."
        columns={[
          ...account,
          { title: 'sector (ICB)', cell: sectorWords },
          { title: 'positions', isNumber: true, cell: ({ positions }: Row) => String(positions) },
          {
            title: 'value',
            isNumber: true,
            cell: (row: Row) => wholeVnd(knownNumber(row, 'market_value')) || 'a price is not known',
          },
          {
            title: 'weight',
            isNumber: true,
            cell: (row: Row) => percentWords(knownNumber(row, 'weight')) || 'not known',
          },
          { title: 'session', cell: ({ trading_date }: Row) => String(trading_date) },
        ]}
      />
    </section>
  )
}

function Betas({ rows, account }: Props) {
  const beta = (title: string, name: string): TableColumn<Row> => ({
    title,
    isNumber: true,
    cell: (row) => rounded(knownNumber(row, name), 2) || 'not known',
  })
  return (
    <section class="card" aria-labelledby="beta">
      <h2 id="beta">Beta</h2>
      <p class="quiet">
        Of 1.2: where the index moves by 1 %, the value moved by 1.2 % on average, by daily returns of 120
        sessions. The beta of the positions is their average by value; the beta of the equity counts cash and
        debt too.
      </p>
      <DataTable
        caption="mart.account_beta, from mart.beta_correlation"
        isBlocks
        rows={rows}
        empty="Nothing is held."
        columns={[
          ...account,
          { title: 'index', cell: ({ index_code }: Row) => String(index_code) },
          beta('beta of the positions', 'beta_of_positions'),
          beta('beta of the equity', 'beta_of_equity'),
          { title: 'computed from', cell: betaWords },
          { title: 'session', cell: ({ trading_date }: Row) => String(trading_date) },
        ]}
      />
    </section>
  )
}
