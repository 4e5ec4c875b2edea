import type { Day } from '../market/day.js'
import { TIMEFRAMES } from '../market/timeframe.js'
import type { Coverage } from './coverage.js'
import type { Goal } from './goal.js'
import type { WindowRequest } from './request.js'

/**
 * A few symbols of each session, each with one timeframe that the goal derives: the service's own longer bars are compared
 * with ours (rule 10). Symbol and day alone decide whose turn it is. So a night that saw half of the market, once
 * repaired, ends with the same cross-checks as a calm one. Incomplete windows are asked for again.
 *
 * @param wanted sessions on which each symbol may have printed bars
 */
export function planCrossChecks(
  { crossChecks, timeframes }: Goal,
  sessions: readonly Day[],
  wanted: ReadonlyMap<string, ReadonlySet<Day>>,
  coverage: Coverage,
): WindowRequest[] {
  const derived = TIMEFRAMES.filter((timeframe) => !timeframes.includes(timeframe))
  if (crossChecks === 0 || derived.length === 0) return []
  // A power of two: a symbol more or less on the lists changes nobody's turn, but for the few that double the market.
  const oneOf = 2 ** Math.max(0, Math.floor(Math.log2(coverage.listed.length / crossChecks)))
  const requests: WindowRequest[] = []
  for (const [key, days] of wanted)
    for (const day of sessions) {
      if (!days.has(day)) continue
      const drawn = hash(`${key} ${day}`)
      for (const [at, timeframe] of derived.entries()) {
        const state = coverage.stateOf('ohlc', key, timeframe, day)
        const hasTurn = drawn % oneOf === 0 && Math.floor(drawn / oneOf) % derived.length === at
        if (state !== 'incomplete' && (state !== undefined || !hasTurn)) continue
        requests.push({
          ...{ dataset: 'ohlc', key, timeframe, from: day, to: day, pages: 1 },
          why: 'a witness of what is derived from 1m',
        })
      }
    }
  return requests
}

/** FNV-1a, 32 bits: the same on every machine. */
function hash(text: string): number {
  let mixed = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) mixed = Math.imul(mixed ^ byte, 0x01000193) >>> 0
  // Low bits of FNV follow the last letters: the high ones are folded in.
  return (mixed ^ (mixed >>> 15)) >>> 0
}
