import { join } from 'node:path'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Effects } from '../effects.js'
import { readLogFile, writeLogFile } from '../home/log-files.js'
import type { Conclusion } from './conclusion.js'

/** The latest conclusion, or that of a night, below `logs/`. */
function nameOf(day: Day | undefined): string {
  return day === undefined ? 'conclusion.json' : join('conclusions', `${day}.json`)
}

/**
 * Writes the latest conclusion, and keeps it as that of its night until the next one: a repair in the morning belongs to the
 * night before.
 */
export async function writeConclusion(home: string, conclusion: Conclusion, effects: Effects): Promise<void> {
  const { tradingDate } = conclusion.night ?? conclusion.run
  // A replay of journals without a page has no trading date.
  const ofNight = tradingDate === '' ? [] : [nameOf(tradingDate)]
  for (const name of [...ofNight, nameOf(undefined)]) await writeLogFile(home, name, conclusion, effects)
}

/** The conclusion of a night, or the latest one; null before the first run, and of a day without one. */
export function readConclusion(home: string, day?: Day): Conclusion | null {
  return readLogFile(home, nameOf(day))
}
