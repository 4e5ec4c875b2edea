import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolders, writeWholeFile } from '../disk-files.js'
import type { Effects } from '../effects.js'
import type { Day } from '../market/day.js'
import { reasonOf } from '../system-fault.js'
import type { Conclusion } from './conclusion.js'

/** Where the latest conclusion is, and those of the nights: `logs/conclusion.json`, `logs/conclusions/DATE.json`. */
function fileOf(home: string, day: Day | undefined): string {
  return day === undefined
    ? join(home, 'logs', 'conclusion.json')
    : join(home, 'logs', 'conclusions', `${day}.json`)
}

/**
 * Writes the latest conclusion, and keeps it as that of its night until the next one: a repair in the morning belongs to the
 * night before. An error is only a warning: a run does not fail because of its log.
 */
export async function writeConclusion(home: string, conclusion: Conclusion, effects: Effects): Promise<void> {
  const text = `${JSON.stringify(conclusion, null, 2)}\n`
  const { tradingDate } = conclusion.night ?? conclusion.run
  // A replay of journals without a page has no trading date.
  const ofNight = tradingDate === '' ? [] : [fileOf(home, tradingDate)]
  for (const file of [...ofNight, fileOf(home, undefined)]) {
    try {
      await makeFolders(join(home, 'logs', 'conclusions'), 0o700, effects.disk)
      await writeWholeFile(file, text, { mode: 0o600, hint: 'free some space' }, effects.disk)
    } catch (error) {
      effects.log.warn(`${file} was not written: ${reasonOf(error)}`)
    }
  }
}

/**
 * The conclusion of a night, or the latest one; null before the first run, of a day without one, and for a file that a power
 * failure left empty.
 */
export function readConclusion(home: string, day?: Day): Conclusion | null {
  const file = fileOf(home, day)
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Conclusion
  } catch {
    return null
  }
}
