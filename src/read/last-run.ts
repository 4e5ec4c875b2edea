import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What every summary of a run has. Instants are ISO 8601, UTC. */
interface Ended {
  readonly job: string
  readonly finishedAt: string
}

/** `logs/last-run.json`; null for a file that is missing, or that a power failure left empty. */
export function readLastRun<Summary = Record<string, unknown>>(home: string): Summary | null {
  return readSummary(home, 'last-run.json')
}

/** What a person wants to know in the morning: how the night ended, and what ran after it. */
export interface LastRuns<Summary> {
  /** The last nightly; null where none has ended. */
  readonly nightly: Summary | null
  /** The last run of another job, where it ended after the nightly; else null. */
  readonly later: Summary | null
}

/** From `logs/last-nightly.json` and `logs/last-run.json`; homes of earlier versions have the second one only. */
export function readLastRuns<Summary extends Ended>(home: string): LastRuns<Summary> {
  const last = readLastRun<Summary>(home)
  if (last?.job === 'nightly') return { nightly: last, later: null }
  return { nightly: readSummary<Summary>(home, 'last-nightly.json'), later: last }
}

function readSummary<Summary>(home: string, name: string): Summary | null {
  const file = join(home, 'logs', name)
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Summary
  } catch {
    return null
  }
}
