import type { AccountsAnswer } from '../../account-page.js'
import type { Row } from '../api.js'
import { DataTable, type TableColumn } from '../data-table.js'
import { RowsTable } from '../rows-table.js'
import { exchangeTime, grouped } from '../words.js'
import { ACCOUNT, symbolColumn } from './shared-columns.js'
import { CONDITIONAL_STATUSES, ORDER_STATUSES } from './statuses.js'
import { distanceWords, sentWords, triggerWords } from './trigger-words.js'

/** Conditional orders with what triggers them, then orders; below each their histories. */
export function Orders({ page }: { page: AccountsAnswer<Row> }) {
  const { account_conditional: conditional = [], account_events: events = [] } = page.tables
  const { account_orders: orders = [], account_order_history: history = [] } = page.tables
  const ended = conditional.filter(({ is_waiting }) => is_waiting !== true)
  return (
    <>
      <section class="card" aria-labelledby="conditional">
        <h2 id="conditional">Conditional orders</h2>
        <DataTable
          caption="Those that wait, with the price that triggers each"
          isBlocks
          rows={conditional.filter(({ is_waiting }) => is_waiting === true)}
          empty="No conditional order waits."
          columns={CONDITIONAL}
        />
        {ended.length > 0 && (
          <details class="inner">
            <summary>Those that have ended: {grouped(ended.length)}</summary>
            <DataTable
              caption="Conditional orders that have ended"
              isBlocks
              rows={ended}
              columns={CONDITIONAL.filter(({ title }) => title !== DISTANCE)}
            />
            <RowsTable
              caption="Events of all conditional orders"
              isBlocks
              columns="account_no fco_id ordinal state occurred_at code detail"
              meanings={{ state: CONDITIONAL_STATUSES }}
              rows={events}
              empty=""
            />
          </details>
        )}
      </section>
      <section class="card" aria-labelledby="orders">
        <h2 id="orders">Orders</h2>
        <RowsTable
          caption="Orders, the latest first"
          isBlocks
          columns="input_at account_no order_id symbol side order_type order_status message | price quantity filled_qty cancel_qty avg_price"
          meanings={{ order_status: ORDER_STATUSES }}
          rows={orders}
          empty="No order is stored."
        />
        {history.length > 0 && (
          <details class="inner">
            <summary>Their histories</summary>
            <RowsTable
              caption="Each snapshot that changed an order"
              isBlocks
              columns="account_no order_id snapshot_id order_status modified_at | filled_qty cancel_qty avg_price"
              meanings={{ order_status: ORDER_STATUSES }}
              rows={history}
              empty=""
            />
          </details>
        )}
      </section>
    </>
  )
}

const DISTANCE = 'distance'

const time = (value: unknown): string => (value ? exchangeTime(String(value)) : '')

const CONDITIONAL: readonly TableColumn<Row>[] = [
  symbolColumn(),
  ACCOUNT,
  { title: 'type', cell: ({ type }) => String(type ?? '') },
  { title: 'side', cell: ({ side }) => String(side ?? '') },
  { title: 'quantity', isNumber: true, cell: ({ quantity }) => grouped(quantity) },
  { title: 'matched', isNumber: true, cell: ({ matched_quantity }) => grouped(matched_quantity) },
  { title: 'trigger', cell: triggerWords },
  { title: DISTANCE, isNumber: true, cell: distanceWords },
  { title: 'then at', cell: sentWords },
  { title: 'status', cell: ({ status }) => CONDITIONAL_STATUSES[String(status)] ?? String(status ?? '') },
  { title: 'from', cell: ({ from_at }) => time(from_at) },
  { title: 'to', cell: ({ to_at }) => time(to_at) },
  { title: 'order', cell: ({ fco_id }) => String(fco_id) },
]
