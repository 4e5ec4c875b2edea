import type { AccountsAnswer } from '../../account-page.js'
import type { Row } from '../api.js'
import { DataTable } from '../data-table.js'
import { gainTone, signedAmount, stepWords, wholeVnd } from './account-words.js'
import { knownNumber } from './period.js'
import { accountColumn } from './shared-columns.js'

/** Cash now, and what arrives and leaves on which day. Steps on which nothing moves are left out. */
export function CashSteps({ page }: { page: AccountsAnswer<Row> }) {
  const rows = (page.tables.account_forecast ?? []).filter(
    ({ step, amount }) => step === 'now' || amount === null || Number(amount) !== 0,
  )
  return (
    <section class="card" aria-labelledby="cash">
      <h2 id="cash">Cash by settlement date</h2>
      <DataTable
        caption="VND; orders that are not matched, advances and payments of the owner are not in it"
        isBlocks
        rows={rows}
        empty="No complete snapshot is stored."
        columns={[
          ...accountColumn(page),
          { title: 'day', cell: ({ settles_on }: Row) => String(settles_on ?? 'not known') },
          { title: 'what', cell: ({ step }: Row) => stepWords(step) },
          {
            title: 'arrives or leaves',
            isNumber: true,
            cell: (row: Row) => {
              if (row.step === 'now') return ''
              const amount = knownNumber(row, 'amount')
              return <span class={gainTone(amount)}>{signedAmount(amount) || 'not known'}</span>
            },
          },
          {
            title: 'balance',
            isNumber: true,
            cell: (row: Row) => wholeVnd(knownNumber(row, 'balance')) || 'not known',
          },
        ]}
      />
    </section>
  )
}
