import type { StatedRule } from '../reference.js'
import { get, type Row, view } from './api.js'
import { Command, Failure } from './command.js'
import { DataTable } from './data-table.js'
import { useLoaded } from './loaded.js'
import { NoSuch } from './no-such.js'
import { shownValue } from './rows-table.js'
import { traceAddress } from './trace.js'

const MARKS: Record<string, string> = { break: '✕', soft: '!', pass: '✓', not_evaluable: '·' }

/** A state with its mark: never by colour alone. */
function State({ state }: { state: unknown }) {
  return (
    <span class={`state ${String(state)}`}>
      <span aria-hidden="true">{MARKS[String(state)] ?? '·'}</span> {String(state).replace('_', ' ')}
    </span>
  )
}

export function FindingsPage({ words }: { words: readonly string[] }) {
  const { value, error } = useLoaded(
    async () => await Promise.all([view('findings'), get<StatedRule[]>('/api/rules')]),
    [],
  )
  if (!value) return error ? <Failure error={error} /> : <p class="quiet">Loading…</p>
  const [findings, rules] = value
  const rule = rules.find(({ number }) => String(number) === words[0])
  return (
    <>
      <h1>Findings</h1>
      {rule && <RuleCard rule={rule} />}
      {words[0] && !rule && <NoSuch what="rule" name={words[0]} shown="the findings of all rules" />}
      <section class="card">
        <DataTable
          caption="What is broken or worth a look in the last 20 sessions, then the latest finding of every rule and subject"
          rows={findings}
          empty="No rule was run yet."
          columns={[
            { title: 'state', cell: (row) => <State state={row.state} /> },
            {
              title: 'rule',
              cell: (row) => <a href={`#/findings/${row.rule}`}>{`${row.rule} ${row.title}`}</a>,
            },
            { title: 'subject', cell: (row) => String(row.subject) },
            { title: 'session', cell: (row) => String(row.trading_date) },
            { title: 'severity', cell: (row) => String(row.severity) },
            { title: 'offenders', isNumber: true, cell: (row) => shownValue(row.offenders) },
            { title: 'note', cell: (row) => String(row.accepted ?? row.note ?? '') },
          ]}
        />
      </section>
    </>
  )
}

function RuleCard({ rule }: { rule: StatedRule }) {
  const id = String(rule.number)
  const { value, error } = useLoaded(
    async () => await Promise.all([view('finding_history', { rule: id }), view('offenders', { rule: id })]),
    [id],
  )
  const [history, offenders] = value ?? [[], []]
  const isBroken = history.some(({ state, accepted }) => state === 'break' && accepted === null)
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
      <DataTable
        caption="Rows for which it does not hold"
        rows={offenders}
        empty="It holds for every row that it could check."
        columns={[
          { title: 'session', cell: (row: Row) => String(row.trading_date) },
          { title: 'state', cell: (row) => <State state={row.state} /> },
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
        empty="It was not run yet."
        columns={[
          { title: 'session', cell: (row: Row) => String(row.trading_date) },
          { title: 'subject', cell: (row) => String(row.subject) },
          { title: 'state', cell: (row) => <State state={row.state} /> },
          { title: 'offenders', isNumber: true, cell: (row) => shownValue(row.offenders) },
          { title: 'residual', isNumber: true, cell: (row) => shownValue(row.residual) },
          { title: 'note', cell: (row) => String(row.note ?? '') },
        ]}
      />
    </section>
  )
}
