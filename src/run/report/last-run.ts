import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageError } from '../../errors.js'
import { writeWholeFile } from '../../whole-file.js'
import type { RunSummary } from './summary.js'

const HINT = 'free some space, or move away what is in its place; the rows that the run loaded are stored'

/** `logs/last-run.json`: how the last run ended, so that failed runs show in `status` too. @throws StorageError */
export async function writeLastRun(home: string, summary: RunSummary): Promise<void> {
  const file = join(home, 'logs', 'last-run.json')
  await mkdir(join(home, 'logs'), { recursive: true, mode: 0o700 }).catch((cause: Error) => {
    throw new StorageError(`cannot write ${file}: ${cause.message}`, { hint: HINT, cause })
  })
  await writeWholeFile(file, `${JSON.stringify(summary, null, 2)}\n`, { mode: 0o600, hint: HINT })
}
