import type { Job } from '../run/jobs/job.js'

/** Where printed units run: all paths absolute. */
export interface Place {
  node: string
  main: string
  /** Working folder: .env and candlehouse.toml. */
  folder: string
  home: string
  /** Who runs them: a name or a number of a user. */
  user: string
}

/** Arguments of a job's verb as a scheduler calls it. */
export function jobArguments(job: Job, sessions?: number): string[] {
  const verb = job.name === 'backfill' ? ['backfill', 'all'] : [job.name]
  return [...verb, ...(sessions === undefined ? [] : ['--sessions', String(sessions)])]
}

/** Exit codes of what passes by itself: an outage of the service, another run at work. Schedulers start such a run again. */
export const PASSING: readonly number[] = [5, 75]

/** All others that a run ends with, but 0: starting it again would end it in the same way. */
export const LASTING: readonly number[] = [1, 2, 3, 4, 6, 130, 143]
