import { counted } from 'candlehouse-foundation/number-text'
import type { StatedRule } from '../reference.js'
import { type Row, view } from './api.js'
import { Command, Failure } from './command.js'
import { DataTable } from './data-table.js'
import { type FindingView, findingAddress } from './finding-list.js'
import { FindingState } from './finding-state.js'
import { useLoaded } from './loaded.js'
import { Pager } from './pager.js'
import { shownValue } from './rows-table.js'
import { traceAddress } from './trace.js'

/** Rows that `sql/console/offenders.sql` and `finding_history.sql` give at once. */
const AT_ONCE = 250

/** A rule: what it is about, which symbols it is about, their rows, and how it went session by session. */
export function RuleCard({ rule, shown }: { rule: StatedRule; shown: FindingView }) {
  const id = String(rule.number)
  const first = String((shown.page - 1) * AT_ONCE)
  const { value, error } = useLoaded(
    async () =>
      await Promise.all([
        view('finding_symbols', { rule: id }),
        view('finding_history', { rule: id, first }),
        view('offenders', { rule: id, name: shown.find, first }),
      ]),
    [id, first, shown.find],
  )
  const [symbols, history, offenders] = value ?? [[], [], []]
  const isBroken = history.some(({ state, accepted }) => state === 'break' && accepted === null)
  const total = Math.max(...[...history, ...offenders].map((row) => Number(row.total)), 0)
  const ofName = shown.find === '' ? '' : ` of ${shown.find}`
  return (
    <section class="card" aria-labelledby="rule">
      <h2 id="rule">
        Rule {rule.number}: {rule.title}
      </h2>
      <p>{rule.why}</p>
      <p class="quiet">
        Needs {rule.needs}. Tolerance: {rule.tolerance}. Severity {rule.severity}, about {rule.about}.
      </p>
      {isBroken && (
        <>
          <Command text="candlehouse repair" />
          <Command text={`candlehouse publish --accept ${rule.number} --because "…"`} />
        </>
      )}
      {error && <Failure error={error} />}
      {symbols.length > 1 && <Symbols rows={symbols} shown={shown} />}
      <DataTable
        caption={`Rows${ofName} for which it does not hold`}
        rows={offenders}
        empty={value ? `It holds for every row${ofName} that it could check.` : 'Loading…'}
        columns={[
          { title: 'session', cell: (row: Row) => String(row.trading_date) },
          { title: 'state', cell: (row) => <FindingState state={row.state} /> },
          {
            title: 'row',
            cell: (row) => (
              <a href={traceAddress(String(row.relation), row.key)}>{`${row.relation} ${row.key}`}</a>
            ),
          },
          { title: 'expected', cell: (row) => String(row.expected ?? '') },
          { title: 'actual', cell: (row) => String(row.actual ?? '') },
          { title: 'residual', isNumber: true, cell: (row) => shownValue(row.residual) },
        ]}
      />
      <DataTable
        caption="Its history"
        rows={history}
        empty={value ? 'It was not run yet.' : 'Loading…'}
        columns={[
          { title: 'session', cell: (row: Row) => String(row.trading_date) },
          { title: 'subject', cell: (row) => String(row.subject) },
          { title: 'state', cell: (row) => <FindingState state={row.state} /> },
          { title: 'offenders', isNumber: true, cell: (row) => shownValue(row.offenders) },
          { title: 'residual', isNumber: true, cell: (row) => shownValue(row.residual) },
          { title: 'note', cell: (row) => String(row.note ?? '') },
        ]}
      />
      <Pager
        page={shown.page}
        pages={Math.ceil(total / AT_ONCE)}
        addressOf={(page) => findingAddress({ ...shown, page })}
        label="Pages of rows and history"
      />
    </section>
  )
}

function Symbols({ rows, shown }: { rows: readonly Row[]; shown: FindingView }) {
  return (
    <details open={rows.length <= 12}>
      <summary>By symbol: {counted(rows.length, 'name')}</summary>
      {shown.find !== '' && (
        <p>
          <a href={findingAddress({ ...shown, find: '', page: 1 })}>All symbols</a>
        </p>
      )}
      <DataTable
        caption="Symbols, indexes, accounts or subjects for which it does not hold, the newest first"
        hideCaption
        rows={rows}
        columns={[
          {
            title: 'name',
            cell: (row: Row) => (
              <a href={findingAddress({ ...shown, find: String(row.name), page: 1 })}>{String(row.name)}</a>
            ),
          },
          { title: 'worst state', cell: (row) => <FindingState state={row.state} /> },
          { title: 'rows', isNumber: true, cell: (row) => shownValue(row.offenders) },
          { title: 'sessions', isNumber: true, cell: (row) => shownValue(row.sessions) },
          { title: 'first', cell: (row) => String(row.first_date) },
          { title: 'last', cell: (row) => String(row.last_date) },
        ]}
      />
    </details>
  )
}
