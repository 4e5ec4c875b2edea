import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `logs/last-run.json`; null for a file that is missing, or that a power failure left empty. */
export function readLastRun<Summary = Record<string, unknown>>(home: string): Summary | null {
  const file = join(home, 'logs', 'last-run.json')
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Summary
  } catch {
    return null
  }
}
