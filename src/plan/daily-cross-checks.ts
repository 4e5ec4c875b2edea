import { addDays, type Day, dayCount } from 'candlehouse-foundation/market/day'
import type { Coverage } from './coverage.js'
import { turnOf } from './cross-checks.js'
import type { Goal } from './goal.js'
import type { WindowRequest } from './request.js'

/** Weekdays from one turn of a symbol to its next: a full market then costs 1 % more requests. */
const ROTATION = 128

/** Two rotations, so that the next turn also covers one on a holiday or in a night that did not run. All of it is one page. */
const LOOK_BACK_DAYS = Math.ceil((2 * ROTATION * 7) / 5)

/** The first day of which a turn on `day` requests bars. */
export function firstCompared(day: Day): Day {
  return addDays(day, -LOOK_BACK_DAYS)
}

/**
 * The latest of some sessions on which a symbol's daily bars are fetched; undefined where it is its turn on none. It depends on the symbol
 * and the day only.
 *
 * @param sessions ascending
 */
export function latestTurns(sessions: readonly Day[]): (symbol: string) => Day | undefined {
  const byTurn = new Map(sessions.map((day) => [weekdayNumber(day) % ROTATION, day]))
  return (symbol) => byTurn.get(turnOf(symbol) % ROTATION)
}

/**
 * Plans the daily bars that cross-check the derived ones. `1d` bars are derived from the daily summaries. When it is a
 * symbol's turn, the service's own `1d` bars are requested in one page, for all sessions for which they never were. Rules 7
 * and 8 compare them with the summaries, rule 9 with the 1m bars.
 */
export function planDailyCrossChecks(
  { crossChecks, timeframes }: Goal,
  sessions: readonly Day[],
  wanted: ReadonlyMap<string, ReadonlySet<Day>>,
  coverage: Coverage,
): WindowRequest[] {
  if (crossChecks === 0 || timeframes.includes('1d')) return []
  const requests: WindowRequest[] = []
  const turnOfKey = latestTurns(sessions)
  for (const [key, days] of wanted) {
    const turn = turnOfKey(key)
    if (turn === undefined) continue
    const unrequested = [...days, ...(coverage.uncompared.get(key) ?? [])]
      .filter((day) => day >= firstCompared(turn) && day <= turn)
      .filter((day) => coverage.stateOf('ohlc', key, '1d', day) === undefined)
      .sort()
    const [from, to = from] = [unrequested[0], unrequested.at(-1)]
    if (from === undefined || to === undefined) continue
    requests.push({
      dataset: 'ohlc',
      key,
      timeframe: '1d',
      from,
      to,
      pages: 1,
      why: 'cross-check of daily bars derived from the daily summaries',
    })
  }
  return requests
}

/** Weekdays since Monday 29 December 1969; a weekend has the number of its Friday. */
function weekdayNumber(day: Day): number {
  const days = dayCount('1969-12-29', day) - 1
  return Math.floor(days / 7) * 5 + Math.min(days % 7, 4)
}
