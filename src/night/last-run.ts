import type { Effects } from '../effects.js'
import { readLogFile, writeLogFile } from '../home/log-files.js'
import type { RunSummary } from './summary.js'

const LAST_RUN = 'last-run.json'
const LAST_NIGHTLY = 'last-nightly.json'

/** What a person wants to know in the morning: how the night ended, and what ran after it. */
export interface LastRuns {
  /** The last nightly; null where none has ended. */
  readonly nightly: RunSummary | null
  /** The last run of another job, where it ended after the nightly; else null. */
  readonly later: RunSummary | null
}

/**
 * Writes `logs/last-run.json`: how the last run ended, so that failed runs show in `status` too. A nightly is also kept in
 * `logs/last-nightly.json`: a later import or snapshot must not hide how the night ended.
 */
export async function writeLastRun(home: string, summary: RunSummary, effects: Effects): Promise<void> {
  if (summary.job === 'nightly') await writeLogFile(home, LAST_NIGHTLY, summary, effects)
  await writeLogFile(home, LAST_RUN, summary, effects)
}

/** Null before the first run. */
export function readLastRun(home: string): RunSummary | null {
  return readLogFile(home, LAST_RUN)
}

/** Homes of earlier versions have `logs/last-run.json` only. */
export function readLastRuns(home: string): LastRuns {
  const last = readLastRun(home)
  if (last?.job === 'nightly') return { nightly: last, later: null }
  return { nightly: readLogFile(home, LAST_NIGHTLY), later: last }
}
