import type { Explanation } from '../../../read/explain/index.js'
import { type AccountsAnswer, ALL_ACCOUNTS } from '../../account-page.js'
import type { Row } from '../api.js'
import { Command } from '../command.js'
import { RowsTable } from '../rows-table.js'
import { FirstDifference } from './first-difference.js'
import { Waterfall } from './waterfall.js'

/** For an auditor: shares and cash between two snapshots, and the first event at which they differ from the orders. */
export function Reconciliation({ page }: { page: AccountsAnswer<Row, Explanation> }) {
  const { reconciliation, account } = page
  const asOf = page.accounts.find(({ account_no }) => account_no === account)?.as_of
  return (
    <section class="card" aria-labelledby="reconciliation">
      <h2 id="reconciliation">Reconciliation</h2>
      {account === ALL_ACCOUNTS && <p>Choose an account above: each is compared by itself.</p>}
      {account !== ALL_ACCOUNTS && !reconciliation && <p>No complete snapshot of it is stored.</p>}
      {reconciliation && <Compared {...reconciliation} />}
      {account === ALL_ACCOUNTS ? (
        <Command text="candlehouse reconcile" />
      ) : (
        <Command text={`candlehouse reconcile --date ${String(asOf)}`} />
      )}
    </section>
  )
}

function Compared({
  cash,
  shares,
  explanation,
}: NonNullable<AccountsAnswer<Row, Explanation>['reconciliation']>) {
  return (
    <>
      {cash && !cash.unknown && <Waterfall cash={cash} />}
      {cash?.unknown && <p>Cash cannot be compared: {String(cash.unknown)}</p>}
      <RowsTable
        caption="Shares between two snapshots"
        isBlocks
        columns="symbol | quantity_before bought sold from_dividends expected_quantity quantity residual"
        rows={shares}
        empty="There are no two complete snapshots to compare yet."
      />
      <FirstDifference explanation={explanation} />
    </>
  )
}
