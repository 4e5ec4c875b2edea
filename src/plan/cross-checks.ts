import type { Day } from 'candlehouse-foundation/market/day'
import { isIntraday, TIMEFRAMES, type Timeframe } from 'candlehouse-foundation/market/timeframe'
import type { BrokenCandles, Coverage } from './coverage.js'
import type { Goal } from './goal.js'
import type { WindowRequest } from './request.js'

/**
 * Plans cross-checks: a few symbols per session, each with one timeframe that the warehouse derives from shorter bars.
 * Rule 10 compares the bars of the service with the derived ones. Whether it is a symbol's turn on a day depends only on the
 * symbol and the day, so an interrupted night and its repair together request the same cross-checks as a night without
 * errors. Incomplete windows are requested again.
 *
 * @param wanted sessions on which each symbol may have bars
 * @param broken windows that are requested again because they break a rule
 */
export function planCrossChecks(
  { crossChecks, timeframes }: Goal,
  sessions: readonly Day[],
  wanted: ReadonlyMap<string, ReadonlySet<Day>>,
  coverage: Coverage,
  broken: readonly BrokenCandles[] = [],
): WindowRequest[] {
  const derived = TIMEFRAMES.filter((timeframe) => !timeframes.includes(timeframe))
  const fromMinutes = derived.filter(isIntraday)
  if (crossChecks === 0 || derived.length === 0) return []
  // A power of two, so that a new symbol on the lists rarely changes the turns of the others.
  const interval = 2 ** Math.max(0, Math.floor(Math.log2(coverage.listed.length / crossChecks)))
  const requests: WindowRequest[] = []
  for (const [key, days] of wanted)
    for (const day of sessions) {
      if (!days.has(day)) continue
      const draw = turnOf(`${key} ${day}`)
      const drawn =
        draw % interval === 0 ? fromMinutes[Math.floor(draw / interval) % fromMinutes.length] : undefined
      for (const timeframe of derived) {
        const state = coverage.stateOf('ohlc', key, timeframe, day)
        if (state === 'incomplete' || (state === undefined && timeframe === drawn))
          requests.push(crossCheck(key, timeframe, day))
      }
    }
  for (const { symbol: key, timeframe, day } of coverage.unfinished) {
    if (wanted.get(key)?.has(day) || !sessions.includes(day) || !derived.includes(timeframe)) continue
    requests.push(crossCheck(key, timeframe, day))
  }
  for (const { symbol: key, timeframe, day, why } of broken) {
    if (!sessions.includes(day) || !derived.includes(timeframe)) continue
    const isRequested = requests.some(
      (request) => request.key === key && request.timeframe === timeframe && request.from === day,
    )
    if (!isRequested) requests.push({ ...crossCheck(key, timeframe, day), why })
  }
  return requests
}

function crossCheck(key: string, timeframe: Timeframe, day: Day): WindowRequest {
  const source = isIntraday(timeframe) ? '1m' : 'the daily summaries'
  return {
    dataset: 'ohlc',
    key,
    timeframe,
    from: day,
    to: day,
    pages: 1,
    why: `cross-check of bars derived from ${source}`,
  }
}

/** Hash of a text that decides whose turn it is: FNV-1a, 32 bits, the same on every machine. */
export function turnOf(text: string): number {
  let state = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) state = Math.imul(state ^ byte, 0x01000193) >>> 0
  // The low bits of FNV-1a depend mostly on the last letters, so the high bits are mixed in.
  return (state ^ (state >>> 15)) >>> 0
}
