import type { Calendar } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Coverage } from './coverage.js'
import type { Stage } from './datasets.js'
import type { Goal } from './goal.js'
import type { WindowRequest } from './request.js'
import { type Plan, planStage } from './stage-plan.js'

/** What a plan follows from: what is stored now, and the calendar with what the answers so far say of it. */
export interface Known {
  readonly coverage: Coverage
  readonly calendar: Calendar
}

/** The market in one request, one symbol as a probe, all symbols. */
const ROUNDS = 3

/**
 * The rounds of a stage of a goal, each planned from what the one before it brought. The first has the stage's plan. Daily data
 * may need more: index summaries of days that the calendar had as closed and that have data; and, of a service that does not
 * answer for the whole market in one request, summaries symbol by symbol.
 */
export class StageRounds {
  private round = 0
  /** Sessions that a former round requested. */
  private sessions = new Set<Day>()
  private wantsMarket = false

  constructor(
    readonly stage: Stage,
    private readonly goal: Goal,
  ) {}

  /** The plan of the next round; without requests where the stage is done. */
  next(known: Known): Plan {
    this.round += 1
    const plan = this.round === 1 ? this.first(known) : this.following(known)
    this.sessions = new Set(known.calendar.sessionsBetween(this.goal.from, this.goal.to))
    return plan
  }

  private first({ coverage, calendar }: Known): Plan {
    const plan = planStage(this.stage, this.goal, coverage, calendar)
    this.wantsMarket = plan.requests.some(
      ({ dataset, key }) => dataset === 'securitiesSummary' && key === '*',
    )
    return plan
  }

  private following(known: Known): Plan {
    const requests =
      this.stage === 'daily' && this.round <= ROUNDS
        ? [...this.ofLearnedSessions(known), ...this.bySymbol(known)]
        : []
    return { stage: this.stage, requests, skipped: [] }
  }

  private ofLearnedSessions({ coverage, calendar }: Known): readonly WindowRequest[] {
    const { goal, sessions } = this
    if (!goal.datasets.includes('indexSummary')) return []
    const learned = calendar.sessionsBetween(goal.from, goal.to).filter((day) => !sessions.has(day))
    return learned.flatMap((day) => {
      const ofDay: Goal = { ...goal, from: day, to: day, datasets: ['indexSummary'] }
      return planStage('daily', ofDay, coverage, calendar).requests
    })
  }

  private bySymbol({ coverage, calendar }: Known): readonly WindowRequest[] {
    if (!this.wantsMarket) return []
    const remaining: Goal = { ...this.goal, datasets: ['securitiesSummary'], refresh: false }
    return planStage('daily', remaining, coverage, calendar).requests.filter(({ key }) => key !== '*')
  }
}
