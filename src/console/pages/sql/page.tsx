import { counted } from 'candlehouse-foundation/number-text'
import { useState } from 'preact/hooks'
import type { ResultView } from '../../result-cache.js'
import type { ApiError } from '../api.js'
import { Failure } from '../command.js'
import { duration } from '../words.js'
import { DownloadButtons } from './download-buttons.js'
import { Editor } from './editor.js'
import { Grid } from './grid.js'
import { ResultChart } from './result-chart.js'
import { ResultRows } from './result-rows.js'
import { StatementLists } from './statement-lists.js'
import { useResult } from './use-result.js'

const FIRST = `select symbol, trading_date, close, total_match
from market.daily_summary
order by trading_date desc, total_match desc
limit 1000`

/** Of this tab only. */
const TYPED_AS = 'candlehouse-sql'

/** The address of the page with a statement in it, which nobody runs but the person who presses Run. */
function addressOf(sql: string): string {
  return `#/sql?q=${encodeURIComponent(sql)}`
}

export function SqlPage({ words }: { words: readonly string[] }) {
  const [given, setGiven] = useState({ text: words[0] || sessionStorage.getItem(TYPED_AS) || FIRST })
  const [text, setText] = useState(given.text)
  const { view, ran, error, isRunning, run, cancel } = useResult(given.text)
  const [said, say] = useState('')
  const change = (sql: string) => {
    setText(sql)
    sessionStorage.setItem(TYPED_AS, sql)
  }
  const start = () => {
    say('')
    // The address then leads to what is shown, also after the page was loaded again.
    history.replaceState(null, '', addressOf(text))
    void run(text)
  }
  const copyLink = async () => {
    await navigator.clipboard.writeText(`${location.origin}/${addressOf(text)}`)
    say('Link copied. It works in this browser while this console runs.')
  }
  const failed = view?.state === 'failed' ? Object.assign(new Error(view.error), { hint: view.hint }) : error
  return (
    <>
      <h1>SQL</h1>
      <Editor given={given} onChange={change} onRun={start} />
      <div class="toolbar">
        <button type="button" class="main" onClick={start} aria-keyshortcuts="Control+Enter">
          Run
        </button>
        <button type="button" onClick={() => void cancel()} disabled={!isRunning}>
          Cancel
        </button>
        <StatementLists
          text={text}
          onChoose={(sql) => {
            change(sql)
            setGiven({ text: sql })
          }}
        />
        <button type="button" onClick={() => void copyLink()}>
          Copy link
        </button>
        <span class="quiet">Ctrl+Enter runs. The catalog is read-only.</span>
      </div>
      {failed && <Failure error={failed as ApiError} />}
      <p aria-live="polite" class="quiet">
        {isRunning && !view ? 'Running…' : view && view.state !== 'failed' ? summaryOf(view) : ''} {said}
      </p>
      {view && view.columns.length > 0 && view.state !== 'failed' && (
        <Result key={view.id} view={view} sql={ran} onWords={say} />
      )}
    </>
  )
}

interface ResultProps {
  view: NonNullable<ReturnType<typeof useResult>['view']>
  sql: string
  onWords(words: string): void
}

function Result({ view, sql, onWords }: ResultProps) {
  const [isChart, setChart] = useState(false)
  const { id, columns, rows, head, state } = view
  // In the order of the statement, whatever the grid is sorted by.
  const [stored] = useState(() => new ResultRows(id, state === 'done' ? head : [], () => undefined))
  return (
    <section class="result" aria-label="Result">
      <div class="toolbar">
        <button type="button" aria-pressed={isChart} onClick={() => setChart(!isChart)}>
          Chart
        </button>
        <DownloadButtons sql={sql} />
      </div>
      {isChart && state === 'done' && <ResultChart rows={stored} columns={columns} count={rows} />}
      <Grid id={id} columns={columns} count={rows} head={head} isDone={state === 'done'} onWords={onWords} />
      <p class="quiet">
        Click a title to sort. Shift with the arrows or the mouse chooses cells; Ctrl+C copies them with every
        digit.
      </p>
    </section>
  )
}

function summaryOf({ rows, state, truncated, ms }: ResultView): string {
  const so = state === 'running' ? ' so far' : ''
  return `${counted(rows, 'row')}${so} in ${ms < 1000 ? `${ms} ms` : duration(ms)}${truncated ? '; there are more, which a download has' : ''}.`
}
