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
