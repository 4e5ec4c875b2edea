import type { Day } from 'candlehouse-foundation/market/day'
import type { LastRuns } from '../../night/last-run.js'
import type { RunSummary } from '../../night/summary.js'
import type { Ask } from '../questions.js'

/** What a run did to one dataset. Null where only the summary of that run in `logs/` would have it. */
export interface RunDataset {
  readonly dataset: string
  readonly windows: number | null
  readonly requests: number
  readonly rows: number
  readonly changed: number | null
  readonly rejected: number | null
}

/** The run that the report is about. */
export interface RunFigures extends Omit<Night, 'day' | 'windows'> {
  readonly job: string
  /** Bytes received; null where the run's pages were not published. */
  readonly bytes: number | null
  readonly datasets: readonly RunDataset[]
  /** `dataset window: reason` of windows that are not complete; null where only the ledger is known. */
  readonly missing: readonly string[] | null
  readonly notes: readonly string[]
}

/** A nightly of the ledger. */
export interface Night {
  readonly runId: string
  readonly day: Day
  readonly startedAt: string
  readonly finishedAt: string
  readonly exitCode: number
  readonly seconds: number
  readonly windows: number
  readonly requests: number
  readonly rows: number
  readonly changed: number
  readonly rejected: number
}

interface PagesRow {
  dataset: string
  requests: number
  rows: number
  bytes: number
}

/**
 * The run of the day: the last nightly where it worked for that day, since failed ones are in no publication; else the
 * day's latest nightly of the ledger; else the last run of another job for that day. Null where there is none of them.
 */
export async function runModel(
  day: Day,
  nights: readonly Night[],
  { nightly, later }: LastRuns,
  askOf: (run: string) => Ask,
): Promise<RunFigures | null> {
  const night = nights.find((each) => each.day === day)
  const pagesOf = async (run: string): Promise<readonly PagesRow[]> => await askOf(run)<PagesRow>('pages')
  if (nightly?.tradingDate === day && (!night || nightly.finishedAt >= night.startedAt))
    return ofSummary(nightly, await pagesOf(nightly.runId))
  if (night) return ofLedger(night, await pagesOf(night.runId))
  return later?.tradingDate === day ? ofSummary(later, await pagesOf(later.runId)) : null
}

function ofSummary(last: RunSummary, pages: readonly PagesRow[]): RunFigures {
  const sumOf = (figure: 'requests' | 'rows' | 'changed' | 'rejected'): number =>
    last.datasets.reduce((total, dataset) => total + dataset[figure], 0)
  return {
    job: last.job,
    runId: last.runId,
    exitCode: last.exitCode,
    startedAt: last.startedAt,
    finishedAt: last.finishedAt,
    seconds: (Date.parse(last.finishedAt) - Date.parse(last.startedAt)) / 1000,
    requests: sumOf('requests'),
    rows: sumOf('rows'),
    changed: sumOf('changed'),
    rejected: sumOf('rejected'),
    bytes: bytesOf(pages),
    datasets: last.datasets,
    missing: last.datasets.flatMap(({ dataset, missing }) => missing.map((line) => `${dataset} ${line}`)),
    notes: last.notes,
  }
}

function ofLedger(night: Night, pages: readonly PagesRow[]): RunFigures {
  return {
    job: 'nightly',
    ...night,
    bytes: bytesOf(pages),
    datasets: pages.map(({ dataset, requests, rows }) => ({
      dataset,
      requests,
      rows,
      windows: null,
      changed: null,
      rejected: null,
    })),
    missing: null,
    notes: [],
  }
}

function bytesOf(pages: readonly PagesRow[]): number | null {
  return pages.length === 0 ? null : pages.reduce((total, { bytes }) => total + bytes, 0)
}
