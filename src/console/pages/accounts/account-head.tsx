import type { ComponentChildren } from 'preact'
import { type AccountsAnswer, type AccountsQuery, ALL_ACCOUNTS } from '../../account-page.js'
import type { Row } from '../api.js'
import { changeWords } from '../chart/legend.js'
import { SymbolBox } from '../chart/symbol-box.js'
import { useSymbols } from '../chart/symbol-list.js'
import { DataTable } from '../data-table.js'
import { gainTone, gainWords, percentWords, signedAmount, wholeVnd } from './account-words.js'
import { accountsAddress, usualPeriods } from './accounts-address.js'
import { GrowthLines } from './growth-lines.js'
import { benchmarkColumn, type Day, dayOf, knownNumber, type Period, periodOf } from './period.js'

interface Props {
  page: AccountsAnswer<Row>
  state: AccountsQuery
}

/** The total, its day, its period, and how it fell: of the account that is shown. */
export function Head({ page, state }: Props) {
  const isOf = ({ account_no }: Row): boolean => account_no === page.account
  const [latest, known] = [page.latest.find(isOf), page.known.find(isOf)]
  const period = periodOf(page.growth, state.benchmark)
  const day = known && dayOf(known)
  return (
    <>
      <section class="card" aria-labelledby="total">
        <h2 id="total">{page.account === ALL_ACCOUNTS ? 'All accounts' : `Account ${page.account}`}</h2>
        {latest && latest !== known && latest.trading_date !== known?.trading_date && (
          <p>
            Nothing newer is known: {String(latest.trading_date)}: {String(latest.reason)}.
          </p>
        )}
        <dl class="tiles">
          <Tile
            name="Net asset value"
            value={day?.equity === undefined ? 'not known' : `${wholeVnd(day.equity)} VND`}
          >
            {day && `at the close of ${day.day}`}
          </Tile>
          <DayTile day={day} />
          <PeriodTile period={period} state={state} rows={page.growth} />
          <MoneyTile period={page.periods.find(isOf)} />
          <DrawdownTile period={period} />
        </dl>
        {period.reason !== undefined && <Broken period={period} state={state} />}
      </section>
      <Growth page={page} state={state} />
      {page.account === ALL_ACCOUNTS && page.accounts.length > 1 && (
        <AccountTable page={page} state={state} />
      )}
    </>
  )
}

interface TileProps {
  name: string
  value: ComponentChildren
  children?: ComponentChildren
}

function Tile({ name, value, children }: TileProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value}
        {children && <small>{children}</small>}
      </dd>
    </div>
  )
}

function Toned({ of, children }: { of: number | undefined; children: ComponentChildren }) {
  return <span class={gainTone(of)}>{children}</span>
}

function DayTile({ day }: { day: Day | undefined }) {
  if (day?.gain === undefined)
    return (
      <Tile name="Change of the day" value="not known">
        {day?.reason}
      </Tile>
    )
  return (
    <Tile name="Change of the day" value={<DayGain day={day} />}>
      since {day.before}, without what was paid in or out{day.flow ? `: ${signedAmount(day.flow)}` : ''}
    </Tile>
  )
}

/** The gain, and its percentage, which is never broken over two lines. */
function DayGain({ day: { gain, part } }: { day: Day }) {
  const words = part === undefined ? '' : changeWords(part)
  return (
    <Toned of={gain}>
      {signedAmount(gain)} {words && <span class="whole">({words})</span>}
    </Toned>
  )
}

function PeriodTile({ period, state, rows }: { period: Period; state: AccountsQuery; rows: readonly Row[] }) {
  const name = period.from ? `Return since ${period.from}` : 'Return'
  if (period.timeWeighted === undefined)
    return (
      <Tile name={name} value="not known">
        {period.reason}
      </Tile>
    )
  const beside = period.benchmark === undefined ? 'not known' : changeWords(period.benchmark)
  const isStored = rows.some((row) => row[benchmarkColumn(state.benchmark)] !== null)
  return (
    <Tile name={name} value={<Toned of={period.timeWeighted}>{changeWords(period.timeWeighted)}</Toned>}>
      {signedAmount(period.gain)} VND{period.flow ? `, paid in less out ${signedAmount(period.flow)}` : ''};{' '}
      {isStored ? (
        <span class="whole">
          {state.benchmark} {beside}
        </span>
      ) : (
        `no value of ${state.benchmark} is stored`
      )}
    </Tile>
  )
}

/** The return of the owner's money, beside that of the holdings. */
function MoneyTile({ period }: { period: Row | undefined }) {
  const value = knownNumber(period, 'money_weighted')
  const reason = period?.reason ?? 'nothing was there that could earn a return'
  return (
    <Tile
      name="Money-weighted return"
      value={value === undefined ? 'not known' : <Toned of={value}>{changeWords(value)}</Toned>}
    >
      {value === undefined
        ? String(reason)
        : 'the gain over the money that was there, each payment for as long as it was'}
    </Tile>
  )
}

function DrawdownTile({ period: { drawdown, lowest } }: { period: Period }) {
  if (drawdown === undefined) return <Tile name="Drawdown" value="not known" />
  return (
    <Tile name="Drawdown" value={<Toned of={drawdown}>{changeWords(drawdown)}</Toned>}>
      from its highest value; at worst <span class="whole">{changeWords(lowest ?? 0)}</span>
    </Tile>
  )
}

/** Nothing is compounded over a session that is not reconciled: the page says so, and where to begin instead. */
function Broken({ period, state }: { period: Period; state: AccountsQuery }) {
  return (
    <p>
      {period.restart !== undefined && (
        <>
          The return is not known over this session.{' '}
          <a href={accountsAddress({ ...state, since: period.restart })}>Show it since {period.restart}</a>.{' '}
        </>
      )}
      <a href={accountsAddress({ ...state, tab: 'sessions' })}>Sessions</a> has every reason.
    </p>
  )
}

function Growth({ page, state }: Props) {
  const rows = page.growth.filter(({ equity }) => equity !== null)
  const name = page.account === ALL_ACCOUNTS ? 'all accounts' : page.account
  return (
    <section class="card" aria-labelledby="growth">
      <h2 id="growth">Return beside {state.benchmark}</h2>
      <PeriodForm page={page} state={state} />
      {rows.length > 1 ? (
        <>
          <GrowthLines rows={rows} account={name} benchmark={state.benchmark} />
          <details class="inner">
            <summary>Values as a table</summary>
            <GrowthTable rows={rows} benchmark={state.benchmark} />
          </details>
        </>
      ) : (
        <p class="quiet">Returns are shown from the second session on.</p>
      )}
    </section>
  )
}

function PeriodForm({ page, state }: Props) {
  const { symbols, load } = useSymbols()
  const go = (change: Partial<AccountsQuery>) => {
    location.hash = accountsAddress({ ...state, ...change })
  }
  const first = page.first ?? ''
  const last = String(page.growth.at(-1)?.trading_date ?? '')
  return (
    <div class="toolbar">
      <label class="field">
        Since
        <input
          type="date"
          value={state.since || first}
          onChange={({ currentTarget: { value } }) => go({ since: value })}
        />
      </label>
      <SymbolBox
        label="Beside"
        value={state.benchmark}
        symbols={symbols}
        onFocus={load}
        onPick={(benchmark) => benchmark && go({ benchmark })}
      />
      <nav aria-label="Periods">
        {usualPeriods(first, last).map(({ name, since }) => (
          <a
            key={name}
            href={accountsAddress({ ...state, since })}
            aria-current={since === state.since ? 'true' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
    </div>
  )
}

function GrowthTable({ rows, benchmark }: { rows: readonly Row[]; benchmark: string }) {
  const part = (name: string, digits = 2) => ({
    isNumber: true,
    cell: (row: Row) => percentWords(knownNumber(row, name), digits),
  })
  return (
    <DataTable
      caption={`Since ${String(rows[0]?.from_session)}, the latest session first`}
      isBlocks
      columns={[
        { title: 'session', cell: (row: Row) => String(row.trading_date) },
        {
          title: 'net asset value',
          isNumber: true,
          cell: (row: Row) => wholeVnd(knownNumber(row, 'equity')),
        },
        { title: 'return', ...part('time_weighted') },
        { title: benchmark, ...part(benchmarkColumn(benchmark)) },
        { title: 'drawdown', ...part('drawdown') },
        { title: 'reason', cell: (row: Row) => String(row.reason ?? '') },
      ]}
      rows={[...rows].reverse()}
    />
  )
}

/** One row per account, so that their parts of the total are seen together. */
function AccountTable({ page, state }: Props) {
  const of = (rows: readonly Row[], account: Row): Row | undefined =>
    rows.find(({ account_no }) => account_no === account.account_no)
  const day = (account: Row): Day | undefined => {
    const known = of(page.known, account)
    return known && dayOf(known)
  }
  const period = (account: Row) => of(page.periods, account)
  const reason = (account: Row): string =>
    String(period(account)?.reason ?? day(account)?.reason ?? of(page.latest, account)?.reason ?? '')
  return (
    <section class="card" aria-labelledby="each">
      <h2 id="each">Each account</h2>
      <DataTable
        caption="Values in VND"
        isBlocks
        columns={[
          {
            title: 'account',
            cell: ({ account_no }: Row) => (
              <a href={accountsAddress({ ...state, account: String(account_no) })}>{String(account_no)}</a>
            ),
          },
          { title: 'type', cell: ({ account_type }: Row) => String(account_type ?? '') },
          { title: 'net asset value', isNumber: true, cell: (row: Row) => wholeVnd(day(row)?.equity) },
          { title: 'session', cell: (row: Row) => day(row)?.day ?? '' },
          {
            title: 'change of the day',
            isNumber: true,
            cell: (row: Row) => (
              <Toned of={day(row)?.gain}>{gainWords(day(row)?.gain, day(row)?.part)}</Toned>
            ),
          },
          {
            title: 'return',
            isNumber: true,
            cell: (row: Row) => percentWords(knownNumber(period(row), 'time_weighted'), 2),
          },
          {
            title: 'money-weighted',
            isNumber: true,
            cell: (row: Row) => percentWords(knownNumber(period(row), 'money_weighted'), 2),
          },
          {
            title: 'at worst',
            isNumber: true,
            cell: (row: Row) => percentWords(knownNumber(period(row), 'max_drawdown'), 2),
          },
          { title: 'not known because', cell: reason },
        ]}
        rows={page.accounts}
      />
    </section>
  )
}
