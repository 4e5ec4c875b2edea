import { join } from 'node:path'

/** Name below the home of the file that shows what a run does now; there is none while no run is under way. */
export const PROGRESS_FILE = join('logs', 'progress.json')

/** What a run under way has done so far: the content of `PROGRESS_FILE`. Instants are ISO 8601, UTC. */
export interface RunProgress {
  readonly pid: number
  readonly job: string
  readonly tradingDate: string
  readonly startedAt: string
  readonly phases: readonly RunPhase[]
}

/** A phase of a run under way or done. */
export interface RunPhase {
  name: string
  done: number
  total: number | null
  unit: string
  note: string
  startedAt: string
  finishedAt: string | null
}
