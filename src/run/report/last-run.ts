import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageError } from '../../errors.js'
import type { RunSummary } from './summary.js'

/** `logs/last-run.json`: how the last run ended, so that failed runs show in `status` too. */
export async function writeLastRun(home: string, summary: RunSummary): Promise<void> {
  const folder = join(home, 'logs')
  const temp = join(folder, `last-run.json.${process.pid}.tmp`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(temp, `${JSON.stringify(summary, null, 2)}\n`, { mode: 0o600 })
    await rename(temp, join(folder, 'last-run.json'))
  } catch (cause) {
    throw new StorageError(`cannot write ${join(folder, 'last-run.json')}: ${(cause as Error).message}`, {
      hint: 'free some space, or move away what stands there; what the run loaded is kept',
      cause,
    })
  }
}
