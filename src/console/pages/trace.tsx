import { shellWord } from 'candlehouse-foundation/command-line/shell-word'
import type { Trace } from '../../read/trace/trace.js'
import { get, type Row } from './api.js'
import { Command, Failure } from './command.js'
import { useLoaded } from './loaded.js'
import { RowsTable } from './rows-table.js'
import { shownInstant } from './words.js'

type TraceAsSent = Omit<Trace, 'revisions' | 'findings'> & Record<'revisions' | 'findings', Row[]>

/** The address of the trace of a row. */
export function traceAddress(relation: string, key: unknown): string {
  const text = typeof key === 'string' ? key : JSON.stringify(key)
  return `#/trace/${encodeURIComponent(relation)}/${encodeURIComponent(text)}`
}

/** Where a row came from: its page, the record as it was received, its run, earlier values, rules that name it. */
export function TracePage({ words }: { words: readonly string[] }) {
  const [relation = '', key = ''] = words
  const { value, error } = useLoaded(() => get<TraceAsSent>('/api/trace', { relation, key }), [relation, key])
  return (
    <>
      <h1>
        Trace <span class="quiet">{relation}</span>
      </h1>
      <Command text={`candlehouse trace ${relation} ${shellWord(key)}`} />
      {error && <Failure error={error} />}
      {value ? <Traced trace={value} /> : !error && <p class="quiet">Loading…</p>}
    </>
  )
}

function Traced({ trace }: { trace: TraceAsSent }) {
  const { row, page, raw, record, body, run, revisions, findings } = trace
  const source = record?.text ?? body
  return (
    <>
      <Fields title="The row" values={row} />
      <section class="card">
        <h2>The record as it was received</h2>
        {source ? (
          <pre tabIndex={0}>{source.slice(0, 20_000)}</pre>
        ) : (
          <p class="quiet">It did not come in one record of a page.</p>
        )}
        {raw && (
          <p class="quiet">
            {raw.file}: {raw.state}
          </p>
        )}
      </section>
      {page && <Fields title="Its page" values={page} />}
      {run && <Fields title="Its run" values={run} />}
      <section class="card">
        <h2>Earlier values</h2>
        <RowsTable
          caption="Earlier values"
          columns="column old new observed_at"
          rows={revisions}
          empty="It was never restated."
        />
      </section>
      <section class="card">
        <h2>Rules that name it</h2>
        <RowsTable
          caption="Findings"
          columns="rule title state expected actual | residual"
          rows={findings}
          empty="No rule names it."
        />
      </section>
    </>
  )
}

function Fields({ title, values }: { title: string; values: Record<string, unknown> }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <dl class="fields">
        {Object.entries(values)
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{typeof value === 'object' ? JSON.stringify(value) : shownInstant(String(value))}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}
