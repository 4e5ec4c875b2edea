import type { Calendar } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import { backfill } from '../../../jobs/backfill.js'
import { nightly } from '../../../jobs/nightly.js'
import { backfillGoals, nightlyGoal } from '../../run/jobs/goals.js'
import type { RunSpec } from '../../run/jobs/run-spec.js'
import { againOf } from '../again.js'
import type { PlannedFaults, Story } from './story.js'

/** One run of a demo, and when it begins. */
export interface DemoRun {
  readonly spec: RunSpec
  /** Exchange time, `HH:mm`, on the day after the trading date for a repair. */
  readonly day: Day
  readonly time: string
  /** How it ends. */
  readonly exitCode: 0 | 4
  readonly faults: PlannedFaults
  /** Whether its report is written: it takes a quarter of a night, and `candlehouse report` writes the others. */
  readonly writesReport: boolean
}

/**
 * The cross-check of daily bars reads 1d candles of all sessions that are stored, so that the rules are run on all of them again: half
 * of the demo's time, on data that the nights before have checked.
 */
const NIGHT = { ...nightly, crossChecks: 0 } as const

/** The runs that make a home of the story: a backfill, then the nights, and the repair of the troubled one on the next morning. */
export function demoRuns({ before, nights, troubled, faults }: Story, calendar: Calendar): DemoRun[] {
  return [
    backfillOf(before, calendar),
    ...nights.flatMap((night) => {
      const isTroubled = night === troubled
      const run = nightOf(night, calendar)
      const writesReport = isTroubled || night === nights.at(-1)
      if (!isTroubled) return [{ ...run, spec: { ...run.spec, publishes: writesReport }, writesReport }]
      return [{ ...run, faults, exitCode: 4 as const, writesReport }, repairOf(night, calendar)]
    }),
  ]
}

const GOOD = { exitCode: 0, faults: [], writesReport: false } as const

function backfillOf(sessions: readonly Day[], calendar: Calendar): DemoRun {
  const [from = '', to = from] = [sessions[0], sessions.at(-1)]
  const options = { from, to, date: to }
  const range = { dataset: 'all', from, to, timeframe: undefined, symbols: undefined } as const
  return {
    ...GOOD,
    day: to,
    time: '18:00',
    spec: {
      name: 'backfill',
      tradingDate: to,
      goals: backfillGoals(backfill, to, range, calendar),
      accounts: 'none',
      again: againOf(['backfill', 'all'], options),
    },
  }
}

function nightOf(night: Day, calendar: Calendar): DemoRun {
  const options = { tradingDate: night, sessions: 1, symbols: undefined }
  return {
    ...GOOD,
    day: night,
    time: '18:30',
    spec: {
      name: 'nightly',
      tradingDate: night,
      goals: [nightlyGoal(NIGHT, options, calendar)],
      accounts: 'beside',
      again: againOf(['nightly'], { date: night, sessions: 1 }),
    },
  }
}

function repairOf(night: Day, calendar: Calendar): DemoRun {
  return {
    ...GOOD,
    day: calendar.nextSession(night),
    time: '07:15',
    spec: {
      name: 'repair',
      tradingDate: night,
      goals: [],
      accounts: 'none',
      repair: true,
      again: againOf(['repair'], { date: night }),
    },
  }
}
