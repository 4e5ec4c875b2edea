import type { Explanation } from '../../../read/explain/index.js'
import { ACCOUNT_TABS, type AccountsAnswer, type AccountsQuery, ALL_ACCOUNTS } from '../../account-page.js'
import { get, type Row } from '../api.js'
import { Command, Failure } from '../command.js'
import { useLoaded } from '../loaded.js'
import { NoSuch } from '../no-such.js'
import { NotLoaded } from '../not-loaded.js'
import { Head } from './account-head.js'
import { Sessions } from './account-sessions.js'
import { accountsAddress, accountsParameters, accountsStateOf } from './accounts-address.js'
import { CashSteps } from './cash-steps.js'
import { Dividends } from './dividends.js'
import { Exposure } from './exposure.js'
import { Margins } from './margins.js'
import { Orders } from './orders.js'
import { Positions } from './positions.js'
import { Quantities } from './quantities.js'
import { Reconciliation } from './reconciliation.js'

type Answer = AccountsAnswer<Row, Explanation>

/** All of one answer: what is drawn is of one publication, and belongs to the state that it was asked for. */
interface Shown {
  page: Answer
  state: AccountsQuery
}

async function load(state: AccountsQuery): Promise<Shown> {
  return { page: await get<Answer>('/api/accounts', accountsParameters(state)), state }
}

export function AccountsPage({ words }: { words: readonly string[] }) {
  const wanted = accountsStateOf(words)
  const { value, error } = useLoaded(() => load(wanted), Object.values(wanted))
  if (!value) return <NotLoaded title="Accounts" error={error} />
  const { page } = value
  const state = { ...value.state, account: page.account }
  return (
    <>
      <h1>Accounts</h1>
      {error && <Failure error={error} />}
      {page.accounts.length === 0 ? (
        <>
          <p>No snapshot of an account is stored: accounts need a login with a one-time password.</p>
          <Command text="candlehouse login" />
          <Command text="candlehouse snapshot" />
        </>
      ) : (
        <>
          {value.state.account !== page.account && (
            <NoSuch what="account" name={value.state.account} shown="all accounts" />
          )}
          <AccountLinks page={page} state={state} />
          <SnapshotState page={page} />
          <Head page={page} state={state} />
          <Tabs state={state} />
          <Tab page={page} state={state} />
        </>
      )}
    </>
  )
}

function AccountLinks({ page, state }: Shown) {
  // The name of the key is worth a word where there are several.
  const namesKeys = new Set(page.accounts.map(({ key_name }) => key_name)).size > 1
  const current = (account: string) => (account === page.account ? 'true' : undefined)
  return (
    <nav class="tabs" aria-label="Accounts">
      <a href={accountsAddress({ ...state, account: ALL_ACCOUNTS })} aria-current={current(ALL_ACCOUNTS)}>
        All
      </a>
      {page.accounts.map(({ account_no, account_type, key_name }) => (
        <a
          key={String(account_no)}
          href={accountsAddress({ ...state, account: String(account_no) })}
          aria-current={current(String(account_no))}
        >
          {String(account_no)}{' '}
          <span class="quiet">
            {String(account_type ?? '')}
            {namesKeys ? `, key ${String(key_name)}` : ''}
          </span>
        </a>
      ))}
    </nav>
  )
}

/** The last snapshot of the account, or of those whose last one is not complete. */
function SnapshotState({ page }: { page: Answer }) {
  const shown =
    page.account === ALL_ACCOUNTS
      ? page.accounts.filter(({ state }) => state !== 'complete')
      : page.accounts.filter(({ account_no }) => account_no === page.account)
  return (
    <>
      {shown.map(({ account_no, as_of, state, missing }) => (
        <p key={String(account_no)} class="quiet">
          Snapshot of {String(account_no)} for {String(as_of)}: {String(state)}
          {missing ? `, missing ${String(missing)}` : ''}.
        </p>
      ))}
    </>
  )
}

const TITLES = {
  overview: 'Positions, margin, cash',
  exposure: 'Sectors, beta',
  orders: 'Orders',
  sessions: 'Sessions',
  reconciliation: 'Reconciliation',
} as const

function Tabs({ state }: { state: AccountsQuery }) {
  return (
    <nav class="tabs" aria-label="Parts of the page">
      {ACCOUNT_TABS.map((tab) => (
        <a
          key={tab}
          href={accountsAddress({ ...state, tab })}
          aria-current={tab === state.tab ? 'true' : undefined}
        >
          {TITLES[tab]}
        </a>
      ))}
    </nav>
  )
}

function Tab({ page, state: { tab } }: Shown) {
  if (tab === 'exposure') return <Exposure page={page} />
  if (tab === 'orders') return <Orders page={page} />
  if (tab === 'sessions') return <Sessions page={page} />
  if (tab === 'reconciliation') return <Reconciliation page={page} />
  return (
    <>
      <Positions page={page} />
      <Margins rows={page.margins} />
      <Quantities page={page} />
      <CashSteps page={page} />
      <Dividends page={page} />
    </>
  )
}
