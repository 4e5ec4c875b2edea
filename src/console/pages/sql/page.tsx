import { useEffect, useState } from 'preact/hooks'
import type { ResultView } from '../../result-cache.js'
import type { Tonight } from '../../tonight.js'
import { type ApiError, get, post } from '../api.js'
import { Failure } from '../command.js'
import { counted, duration } from '../words.js'
import { Editor } from './editor.js'
import { Grid } from './grid.js'
import { pythonOf } from './python.js'
import { ResultChart } from './result-chart.js'

const FIRST = `select symbol, trading_date, close, total_match
from market.daily_summary
order by trading_date desc, total_match desc
limit 1000`

/** Of this tab only. */
const KEPT_AS = 'candlehouse-sql'

const POLL_MS = 400

/** A statement under way or done: its view is asked for again until it has ended. */
function useResult() {
  const [view, setView] = useState<ResultView>()
  const [isStarting, setStarting] = useState(false)
  const [error, setError] = useState<Error>()
  const isRunning = isStarting || view?.state === 'running'
  useEffect(() => {
    if (view?.state !== 'running') return
    const timer = setTimeout(
      () => get<ResultView>(`/api/results/${view.id}`).then(setView, setError),
      POLL_MS,
    )
    return () => clearTimeout(timer)
  }, [view])
  const run = async (sql: string) => {
    setStarting(true)
    setError(undefined)
    setView(undefined)
    try {
      setView(await post<ResultView>('/api/results', { sql }))
    } catch (cause) {
      setError(cause as Error)
    }
    setStarting(false)
  }
  /** Also before its first rows, when its number is not known here. */
  const cancel = async () => {
    await post('/api/results/cancel').catch(setError)
  }
  return { view, error, isRunning, run, cancel }
}

export function SqlPage({ words }: { words: readonly string[] }) {
  const [text, setText] = useState(words[0] || sessionStorage.getItem(KEPT_AS) || FIRST)
  const { view, error, isRunning, run, cancel } = useResult()
  const [ran, setRan] = useState('')
  const [isChart, setChart] = useState(false)
  const change = (sql: string) => {
    setText(sql)
    sessionStorage.setItem(KEPT_AS, sql)
  }
  const start = () => {
    setRan(text)
    void run(text)
  }
  const failed = view?.state === 'failed' ? Object.assign(new Error(view.error), { hint: view.hint }) : error
  return (
    <>
      <h1>SQL</h1>
      <Editor initial={text} onChange={change} onRun={start} />
      <div class="toolbar">
        <button type="button" class="main" onClick={start} aria-keyshortcuts="Control+Enter">
          Run
        </button>
        <button type="button" onClick={() => void cancel()} disabled={!isRunning}>
          Cancel
        </button>
        <span class="quiet">Ctrl+Enter runs. The catalog is read-only.</span>
      </div>
      {failed && <Failure error={failed as ApiError} />}
      <p aria-live="polite" class="quiet">
        {isRunning && !view ? 'Running…' : view && view.state !== 'failed' ? summaryOf(view) : ''}
      </p>
      {view && view.columns.length > 0 && view.state !== 'failed' && (
        <section class="result" aria-label="Result">
          <div class="toolbar">
            <button type="button" aria-pressed={isChart} onClick={() => setChart(!isChart)}>
              Chart
            </button>
            <Downloads sql={ran} />
          </div>
          {isChart && view.state === 'done' && (
            <ResultChart id={view.id} columns={view.columns} count={view.rows} />
          )}
          <Grid id={view.id} columns={view.columns} count={view.rows} />
        </section>
      )}
    </>
  )
}

function summaryOf({ rows, state, truncated, ms }: ResultView): string {
  const so = state === 'running' ? ' so far' : ''
  return `${counted(rows, 'row')}${so} in ${duration(ms)}${truncated ? '; there are more, which a download has' : ''}`
}

/** Formats of a download, with their names on the buttons. */
const DOWNLOADS = { csv: 'CSV', xlsx: 'Excel', parquet: 'Parquet', arrow: 'Arrow' }

function Downloads({ sql }: { sql: string }) {
  const [state, setState] = useState('')
  const download = async (format: string) => {
    setState(`Writing ${format}…`)
    try {
      const { id, rows } = await post<{ id: number; rows: number }>('/api/downloads', { sql, format })
      const link = document.createElement('a')
      link.href = `/api/downloads/${id}`
      link.click()
      setState(`${counted(rows, 'row')} as ${format}`)
    } catch (error) {
      setState((error as Error).message)
    }
  }
  const copyPython = async () => {
    const { home } = await get<Tonight>('/api/tonight')
    await navigator.clipboard.writeText(pythonOf(sql, home))
    setState('Python copied')
  }
  return (
    <>
      {Object.entries(DOWNLOADS).map(([format, name]) => (
        <button key={format} type="button" onClick={() => void download(format)}>
          {name}
        </button>
      ))}
      <button type="button" onClick={() => void copyPython()}>
        Copy as Python
      </button>
      <span class="quiet" role="status">
        {state}
      </span>
    </>
  )
}
