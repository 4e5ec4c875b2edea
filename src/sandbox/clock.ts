import { type Day, dayOf, instantOf } from '../market/day.js'
import type { Timeline } from './world/timeline.js'

/** What the market's clock lets a request see. */
export interface MarketClock {
  today(): Day
  /** Number of the latest session with trading data. */
  lastTraded(): number
  /** Number of the latest session whose limits are out: they are published before the opening. */
  lastPriced(): number
  /** Minute of the day before which bars have begun, for the session that is still running. */
  until(session: number): number | undefined
}

const LIMITS_OUT = 8 * 60
const OPENING = 8 * 60 + 45
const CLOSING = 15 * 60

export function marketClock(now: () => number, time: Timeline): MarketClock {
  const minuteNow = (day: Day) => Math.floor((now() - instantOf(day)) / 60_000)
  const latest = (sinceMinute: number): number => {
    const today = dayOf(now())
    const session = time.at(today)
    return time.days[session] === today && minuteNow(today) < sinceMinute ? session - 1 : session
  }
  return {
    today: () => dayOf(now()),
    lastTraded: () => latest(OPENING),
    lastPriced: () => latest(LIMITS_OUT),
    until(session) {
      const day = time.days[session] ?? ''
      if (day !== dayOf(now())) return undefined
      const minute = minuteNow(day)
      return minute < CLOSING ? minute : undefined
    },
  }
}
