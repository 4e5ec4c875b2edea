import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from 'candlehouse-foundation/system-fault'
import type { Effects } from '../effects.js'
import { writeWholeFile } from './files.js'

/** A file below `logs/` of a home. */
export function logFile(home: string, name: string): string {
  return join(home, 'logs', name)
}

/** What a file below `logs/` has; null where it is missing, and where a power failure left it empty. */
export function readLogFile<Content>(home: string, name: string): Content | null {
  try {
    return JSON.parse(readFileSync(logFile(home, name), 'utf8')) as Content
  } catch {
    return null
  }
}

/**
 * Writes a file below `logs/` as JSON that people can read too. An error is only a warning: a run does not fail because of
 * its log.
 */
export async function writeLogFile(
  home: string,
  name: string,
  content: object,
  { disk, log }: Effects,
): Promise<void> {
  const file = logFile(home, name)
  try {
    const text = `${JSON.stringify(content, null, 2)}\n`
    await writeWholeFile(file, text, { mode: 0o600, folderMode: 0o700, hint: 'free some space' }, disk)
  } catch (error) {
    log.warn(`${file} was not written: ${reasonOf(error)}`)
  }
}
