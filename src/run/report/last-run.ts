import type { Effects } from '../../effects.js'
import { writeLogFile } from '../../log-files.js'
import type { RunSummary } from './summary.js'

/**
 * Writes `logs/last-run.json`: how the last run ended, so that failed runs show in `status` too. A nightly is also kept in
 * `logs/last-nightly.json`: a later import or snapshot must not hide how the night ended.
 */
export async function writeLastRun(home: string, summary: RunSummary, effects: Effects): Promise<void> {
  if (summary.job === 'nightly') await writeLogFile(home, 'last-nightly.json', summary, effects)
  await writeLogFile(home, 'last-run.json', summary, effects)
}
