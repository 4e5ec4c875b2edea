import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunSummary } from './summary.js'

/** `logs/last-run.json`: how the last run ended, so that failed runs show in `status` too. */
export async function writeLastRun(home: string, summary: RunSummary): Promise<void> {
  const folder = join(home, 'logs')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const temp = join(folder, `last-run.json.${process.pid}.tmp`)
  await writeFile(temp, `${JSON.stringify(summary, null, 2)}\n`, { mode: 0o600 })
  await rename(temp, join(folder, 'last-run.json'))
}
