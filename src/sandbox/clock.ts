import { type Day, dayOf, instantOf } from '../market/day.js'
import type { Timeline } from './world/timeline.js'

/** What the market's clock lets a request see. */
export interface MarketClock {
  /** Epoch milliseconds: where the clock stands. */
  now(): number
  today(): Day
  /** Number of the latest session with trading data. */
  lastTraded(): number
  /** Number of the latest session whose limits are out: they are published before the opening. */
  lastPriced(): number
  /** Minute of the day before which bars have begun, for the session that is still running. */
  until(session: number): number | undefined
  /** Moves a clock that stands, forward only. @returns false for one that runs, and for an earlier instant */
  moveTo(instant: number): boolean
}

const LIMITS_OUT = 8 * 60
const OPENING = 8 * 60 + 45
const CLOSING = 15 * 60

/** @param stands where it stands until it is moved; undefined for one that runs with `running` */
export function marketClock(stands: number | undefined, running: () => number, time: Timeline): MarketClock {
  let standing = stands
  const now = () => standing ?? running()
  const minuteNow = (day: Day) => Math.floor((now() - instantOf(day)) / 60_000)
  const latest = (sinceMinute: number): number => {
    const today = dayOf(now())
    const session = time.at(today)
    return time.days[session] === today && minuteNow(today) < sinceMinute ? session - 1 : session
  }
  return {
    now,
    today: () => dayOf(now()),
    lastTraded: () => latest(OPENING),
    lastPriced: () => latest(LIMITS_OUT),
    until(session) {
      const day = time.days[session] ?? ''
      if (day !== dayOf(now())) return undefined
      const minute = minuteNow(day)
      return minute < CLOSING ? minute : undefined
    },
    moveTo(instant) {
      if (standing === undefined || !(instant >= standing)) return false
      standing = instant
      return true
    },
  }
}
