import { join } from 'node:path'
import { makeFolders, writeWholeFile } from '../../disk-files.js'
import type { Effects } from '../../effects.js'
import { reasonOf } from '../../system-fault.js'
import type { RunSummary } from './summary.js'

/**
 * Writes `logs/last-run.json`: how the last run ended, so that failed runs show in `status` too. A nightly is also kept in
 * `logs/last-nightly.json`: a later import or snapshot must not hide how the night ended. An error is only logged as a
 * warning: a run does not fail because of its log.
 */
export async function writeLastRun(home: string, summary: RunSummary, effects: Effects): Promise<void> {
  if (summary.job === 'nightly') await writeSummary(home, 'last-nightly.json', summary, effects)
  await writeSummary(home, 'last-run.json', summary, effects)
}

async function writeSummary(
  home: string,
  name: string,
  summary: RunSummary,
  effects: Effects,
): Promise<void> {
  const file = join(home, 'logs', name)
  try {
    await makeFolders(join(home, 'logs'), 0o700, effects.disk)
    const text = `${JSON.stringify(summary, null, 2)}\n`
    await writeWholeFile(file, text, { mode: 0o600, hint: 'free some space' }, effects.disk)
  } catch (error) {
    effects.log.warn(`${file} was not written: ${reasonOf(error)}`)
  }
}
