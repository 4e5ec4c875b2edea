import { type Calendar, type CalendarDay, doubtsWith } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../../duckdb/open.js'
import type { Goal } from '../../plan/goal.js'
import { groupsBy } from '../../plan/groups.js'
import { learnedDays } from '../../warehouse/read-coverage.js'

/** The calendar by which a goal is planned, with the user's days in it. */
export interface PlanningDays {
  readonly planningCalendar: Calendar
  readonly userDays: readonly CalendarDay[]
}

/**
 * Planned sessions of which no calendar and no answer says whether the exchanges trade: one line per cause.
 *
 * @param warehouse undefined before the first run
 */
export async function doubtNotes(
  { from, to }: Pick<Goal, 'from' | 'to'>,
  { planningCalendar, userDays }: PlanningDays,
  warehouse: Database | undefined,
): Promise<string[]> {
  const doubtOf = doubtsWith(userDays)
  const doubts = planningCalendar.sessionsBetween(from, to).flatMap((day) => {
    const why = doubtOf(day)
    return why === undefined ? [] : [{ day, why }]
  })
  if (doubts.length === 0) return []
  const { learnedClosed, learnedOpen } = warehouse
    ? await learnedDays(warehouse, from, to)
    : { learnedClosed: [], learnedOpen: [] }
  const decided = new Set([...learnedClosed, ...learnedOpen])
  const undecided = doubts.filter(({ day }) => !decided.has(day))
  return [...groupsBy(undecided, ({ why }) => why)].map(
    ([why, planned]) =>
      `planned ${rangeOf(planned.map(({ day }) => day))}, although ${why}: a day of which the whole market has no data is taken as a holiday`,
  )
}

function rangeOf(days: readonly Day[]): string {
  return days.length === 1 ? `${days[0]}` : `${days.length} sessions from ${days[0]} to ${days.at(-1)}`
}
