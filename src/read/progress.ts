import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a run under way has done so far, from `logs/progress.json`. Instants are ISO 8601, UTC. */
export interface RunProgress {
  pid: number
  job: string
  tradingDate: string
  startedAt: string
  phases: {
    name: string
    done: number
    total: number | null
    unit: string
    note: string
    startedAt: string
    finishedAt: string | null
  }[]
}

/** The progress of the run under way; null while there is none, also where one was killed. */
export function readProgress(home: string): RunProgress | null {
  try {
    const progress = JSON.parse(readFileSync(join(home, 'logs', 'progress.json'), 'utf8')) as RunProgress
    return isAlive(progress.pid) ? progress : null
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
