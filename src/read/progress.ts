import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../home.js'
import { PROGRESS_FILE, type RunProgress } from '../run-progress.js'

/** The progress of the run under way; null while there is none, also where one was killed. */
export function readProgress(home: string): RunProgress | null {
  try {
    const progress = JSON.parse(readFileSync(join(home, PROGRESS_FILE), 'utf8')) as RunProgress
    return isAlive(progress.pid) ? progress : null
  } catch {
    return null
  }
}
