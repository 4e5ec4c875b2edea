import { useEffect, useState } from 'preact/hooks'
import type { FirstView, ResultView } from '../../result-cache.js'
import { get, post } from '../api.js'

/** This page in this tab: its statements stop those that it started before, and no other tab's. */
const PAGE = crypto.randomUUID()

const POLL_MS = 150

/** What the page shows when it is opened again with the same statement: the server still has it. */
let latest: { view: FirstView; sql: string } | undefined

/** A statement under way or done: its view is asked for again until it has ended. */
export function useResult(typed: string) {
  const [view, setView] = useState(latest?.sql === typed ? latest.view : undefined)
  const [ran, setRan] = useState(typed)
  const [isStarting, setStarting] = useState(false)
  const [error, setError] = useState<Error>()
  const isRunning = isStarting || view?.state === 'running'
  const show = (next: FirstView, sql: string) => {
    latest = { view: next, sql }
    setView(next)
  }
  useEffect(() => {
    if (view?.state !== 'running') return
    const again = () =>
      get<ResultView>(`/api/results/${view.id}`).then(
        (next) => show({ ...next, head: view.head }, ran),
        setError,
      )
    const timer = setTimeout(again, POLL_MS)
    return () => clearTimeout(timer)
  }, [view])
  const run = async (sql: string) => {
    setStarting(true)
    setError(undefined)
    setView(undefined)
    setRan(sql)
    try {
      show(await post<FirstView>('/api/results', { sql, page: PAGE }), sql)
    } catch (cause) {
      setError(cause as Error)
    }
    setStarting(false)
  }
  /** Also before its first rows, when its number is not known here. */
  const cancel = async () => {
    await post('/api/results/cancel', { page: PAGE }).catch(setError)
  }
  return { view, ran, error, isRunning, run, cancel }
}
