import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import type { SandboxOptions } from 'candlehouse-sandbox'

/** Faults as the sandbox takes them. */
export type PlannedFaults = NonNullable<SandboxOptions['faults']>

/** What happens in a demo home, night by night. */
export interface Story {
  /** Sessions before the first night, ascending: one backfill fetches them. */
  readonly before: readonly Day[]
  /** Trading dates with a nightly each, ascending. */
  readonly nights: readonly Day[]
  /** The night on which the service fails; the next morning repairs it. */
  readonly troubled: Day
  /** What goes wrong then. */
  readonly faults: PlannedFaults
  /** The market, and the accounts of the demo client. */
  readonly world: Pick<SandboxOptions, 'limitDays' | 'splits' | 'marginLoan' | 'marginRatios'>
}

/** What the pages and statements that the demo shows are about. */
export const SPLIT = { symbol: 'FPT', day: '2025-11-25', ratio: 2 } as const
export const LAST_NIGHT: Day = '2025-12-18'
/** On that night the candles of one symbol are never answered, and another symbol has a high below its low. */
export const TROUBLED = { day: '2025-12-09', unanswered: 'HPG', wrong: 'VNM' } as const

const SESSIONS = 60
const NIGHTS = 20

/**
 * Days are fixed, so that the demo is the same on every machine and every day. They are chosen for what the sandbox's market has on
 * them: cash dividends of VNM (ex-date 2025-11-26, paid on the 19th night) and HPG (ex-date 2025-12-01, paid after the last night), a
 * stock that leaves, the expiry of futures contracts.
 */
export function demoStory(): Story {
  const sessions = loadCalendar().sessionsBetween('2025-06-02', LAST_NIGHT).slice(-SESSIONS)
  return {
    before: sessions.slice(0, -NIGHTS),
    nights: sessions.slice(-NIGHTS),
    troubled: TROUBLED.day,
    faults: [
      {
        route: '/ohlc',
        nth: 'every',
        query: { symbol: TROUBLED.unanswered },
        fault: { kind: 'status', status: 503 },
      },
      {
        route: '/securitiesSummary',
        nth: 'every',
        fault: {
          kind: 'mutate',
          symbol: TROUBLED.wrong,
          tradingDate: TROUBLED.day.replaceAll('-', '/'),
          field: 'high',
          value: '1000',
        },
      },
    ],
    world: {
      limitDays: [LAST_NIGHT],
      splits: [SPLIT],
      // With it the margin account is called on one night, and stands just above the level of a call on the last one.
      marginLoan: 270_000_000,
      marginRatios: { call: 51.1, sell: 40 },
    },
  }
}
