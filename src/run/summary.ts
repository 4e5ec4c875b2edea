/** What a run did to one dataset. */
export interface DatasetSummary {
  dataset: string
  windows: number
  requests: number
  rows: number
  changed: number
  rejected: number
  /** Windows that are not complete, with the reason. */
  missing: string[]
}

/** How a run ended, as printed, as `--json`, and as `logs/last-run.json`. Instants are ISO 8601, UTC. */
export interface RunSummary {
  job: string
  runId: string
  tradingDate: string
  exitCode: number
  startedAt: string
  finishedAt: string
  datasets: DatasetSummary[]
  notes: string[]
  /** Commands to type next. */
  next: string[]
}
