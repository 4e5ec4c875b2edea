import { type Day, dayOf, instantOf } from 'candlehouse-foundation/market/day'
import type { Timeline } from './world/timeline.js'

/** The clock of the market, and what is visible at its time. */
export interface MarketClock {
  /** The current instant, epoch milliseconds. */
  now(): number
  today(): Day
  /** Number of the latest session with trading data. */
  lastTraded(): number
  /** Number of the latest session with published limits. They are published before the opening. */
  lastPriced(): number
  /** The current minute of the day during a session: only earlier bars are visible. Undefined for other sessions. */
  until(session: number): number | undefined
  /** Moves a stopped clock forward. @returns false for a running clock and for an earlier instant */
  moveTo(instant: number): boolean
}

const LIMITS_OUT = 8 * 60
const OPENING = 8 * 60 + 45
const CLOSING = 15 * 60

/** @param stoppedAt instant of a stopped clock; undefined for a clock that runs with `running` */
export function marketClock(
  stoppedAt: number | undefined,
  running: () => number,
  time: Timeline,
): MarketClock {
  let stoppedNow = stoppedAt
  const now = () => stoppedNow ?? running()
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
      if (stoppedNow === undefined || !(instant >= stoppedNow)) return false
      stoppedNow = instant
      return true
    },
  }
}
