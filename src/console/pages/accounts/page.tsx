import { type Row, view } from '../api.js'
import { Command, Failure } from '../command.js'
import { useLoaded } from '../loaded.js'
import { NoSuch } from '../no-such.js'
import { RowsTable } from '../rows-table.js'
import { FirstDifference } from './first-difference.js'
import { EquityLines } from './lines.js'
import { CONDITIONAL_STATUSES, ORDER_STATUSES } from './statuses.js'
import { Waterfall } from './waterfall.js'

const PARTS = [
  'account_equity',
  'account_positions',
  'account_orders',
  'account_order_history',
  'account_conditional',
  'account_events',
] as const

export function AccountsPage({ words }: { words: readonly string[] }) {
  const { value, error } = useLoaded(() => view('accounts'), [])
  if (!value) return error ? <Failure error={error} /> : <p class="quiet">Loading…</p>
  // The name of the key is worth a word where there are several.
  const namesKeys = new Set(value.map(({ key_name }) => key_name)).size > 1
  const named = value.find(({ account_no }) => account_no === words[0])
  const account = named ?? value[0]
  return (
    <>
      <h1>Accounts</h1>
      {account ? (
        <>
          {words[0] && !named && <NoSuch what="account" name={words[0]} shown="those that are stored" />}
          <nav class="tabs" aria-label="Accounts">
            {value.map(({ account_no, account_type, key_name }) => (
              <a
                key={String(account_no)}
                href={`#/accounts/${encodeURIComponent(String(account_no))}`}
                aria-current={account_no === account.account_no ? 'true' : undefined}
              >
                {String(account_no)}{' '}
                <span class="quiet">
                  {String(account_type ?? '')}
                  {namesKeys ? `, key ${String(key_name)}` : ''}
                </span>
              </a>
            ))}
          </nav>
          <Account account={account} />
        </>
      ) : (
        <>
          <p>No snapshot of an account is stored: accounts need a login with a one-time password.</p>
          <Command text="candlehouse login" />
          <Command text="candlehouse snapshot" />
        </>
      )}
    </>
  )
}

function Account({ account }: { account: Row }) {
  const name = String(account.account_no)
  const { value, error } = useLoaded(async () => {
    const dated = { account: name, day: String(account.as_of) }
    return await Promise.all([
      view('account_cash', dated),
      view('account_shares', dated),
      ...PARTS.map((part) => view(part, { account: name })),
    ])
  }, [name])
  if (!value) return error ? <Failure error={error} /> : <p class="quiet">Loading…</p>
  const [
    cash = [],
    shares = [],
    equity = [],
    positions = [],
    orders = [],
    history = [],
    conditional = [],
    events = [],
  ] = value
  return (
    <>
      <p>
        Snapshot of {String(account.as_of)}: {String(account.state)}
        {account.missing ? `, missing ${String(account.missing)}` : ''}.
      </p>
      <StaleClose latest={equity.at(-1)} />
      <Equity rows={equity} />
      <Reconciliation account={account} cash={cash[0]} shares={shares} />
      <section class="card">
        <h2>Positions</h2>
        <RowsTable
          caption="Positions of the latest complete snapshot"
          columns="symbol priced_on | quantity dividend_quantity average_price price market_value"
          rows={positions}
          empty="It holds nothing."
        />
      </section>
      <Orders orders={orders} history={history} />
      <ConditionalOrders orders={conditional} events={events} />
    </>
  )
}

/** Values that rest on the closes of an earlier session say so. */
function StaleClose({ latest }: { latest: Row | undefined }) {
  if (!latest?.priced_on || String(latest.priced_on) >= String(latest.trading_date)) return null
  return (
    <p>
      Positions are valued at the close of {String(latest.priced_on)}: the closes of{' '}
      {String(latest.trading_date)} are not all known, so no change is shown.
    </p>
  )
}

function Equity({ rows }: { rows: readonly Row[] }) {
  return (
    <section class="card">
      <h2>Equity</h2>
      {rows.length > 1 && <EquityLines rows={rows} />}
      <RowsTable
        caption="Value per session, VND"
        columns="trading_date priced_on | net_cash position_value net_asset_value total_equity difference change"
        rows={[...rows].reverse()}
        empty="No complete snapshot is stored."
      />
    </section>
  )
}

/** @param cash the comparison of the account's cash, where there is one */
function Reconciliation({
  account,
  cash,
  shares,
}: {
  account: Row
  cash: Row | undefined
  shares: readonly Row[]
}) {
  return (
    <section class="card">
      <h2>Reconciliation</h2>
      {cash && !cash.unknown && <Waterfall cash={cash} />}
      {cash?.unknown && <p>Cash cannot be compared: {String(cash.unknown)}</p>}
      <RowsTable
        caption="Shares between two snapshots"
        columns="symbol | quantity_before bought sold from_dividends expected_quantity quantity residual"
        rows={shares}
        empty="There are no two complete snapshots to compare yet."
      />
      <FirstDifference account={String(account.account_no)} />
      <Command text={`candlehouse reconcile --date ${String(account.as_of)}`} />
    </section>
  )
}

function Orders({ orders, history }: { orders: readonly Row[]; history: readonly Row[] }) {
  return (
    <section class="card">
      <h2>Orders</h2>
      <RowsTable
        caption="Orders, the latest first"
        columns="input_at order_id symbol side order_type order_status message | price quantity filled_qty cancel_qty avg_price"
        meanings={{ order_status: ORDER_STATUSES }}
        rows={orders}
        empty="No order is stored."
      />
      <RowsTable
        caption="Their histories: each snapshot that changed one"
        columns="order_id snapshot_id order_status modified_at | filled_qty cancel_qty avg_price"
        meanings={{ order_status: ORDER_STATUSES }}
        rows={history}
        empty=""
      />
    </section>
  )
}

function ConditionalOrders({ orders, events }: { orders: readonly Row[]; events: readonly Row[] }) {
  return (
    <section class="card">
      <h2>Conditional orders</h2>
      <RowsTable
        caption="Conditional orders"
        columns="fco_id symbol type side status from_at to_at | price active_price quantity matched_quantity"
        meanings={{ status: CONDITIONAL_STATUSES }}
        rows={orders}
        empty="No conditional order is stored."
      />
      <RowsTable
        caption="Their events"
        columns="fco_id ordinal state occurred_at code detail"
        meanings={{ state: CONDITIONAL_STATUSES }}
        rows={events}
        empty=""
      />
    </section>
  )
}
