import type { Calendar } from 'candlehouse-foundation/market/calendar'
import { type Day, shownInstant } from 'candlehouse-foundation/market/day'
import type { Effects } from '../effects.js'
import type { Job } from '../run/jobs/job.js'
import { inExchangeTime, missedSessions, nextDue } from './next.js'

/** Time until a jump of the clock (a laptop that slept) is noticed. */
const LONGEST_SLEEP_MS = 60_000

export interface Schedule {
  readonly jobs: readonly Job[]
  /** As known now. */
  calendar(): Calendar
  /** Runs a job to its end. `sessions`: how far back its window must reach, when that is more than its own. */
  execute(job: Job, sessions: number | undefined): Promise<void>
  /** Trading date of the last nightly that ended; undefined before the first one. */
  lastDone(): Promise<Day | undefined>
  show(line: string): void
}

/**
 * Runs jobs on their schedules until the signal aborts, one after another. A job that was due several times meanwhile
 * (downtime, a long backfill) runs once, and reaches back over every session that was missed.
 */
export async function runSchedule(schedule: Schedule, signal: AbortSignal, effects: Effects): Promise<void> {
  const due = new Map<Job, number>()
  for (const job of schedule.jobs) due.set(job, nextDue(job, effects.now()))
  for (const job of schedule.jobs) if (bySessions(job)) await catchUp(job)
  for (const [job, at] of due) schedule.show(`next ${job.name}: ${shownInstant(inExchangeTime(at))}`)
  while (!signal.aborted) {
    const [job, at] = [...due].sort((a, b) => a[1] - b[1])[0] ?? []
    if (!job || at === undefined) return
    const wait = at - effects.now()
    if (wait > 0) {
      await effects.sleep(Math.min(wait, LONGEST_SLEEP_MS), signal).catch(() => undefined)
      continue
    }
    if (bySessions(job)) await catchUp(job)
    else await schedule.execute(job, undefined)
    due.set(job, nextDue(job, effects.now()))
    schedule.show(`next ${job.name}: ${shownInstant(inExchangeTime(due.get(job) ?? at))}`)
  }

  async function catchUp(job: Job): Promise<void> {
    if (signal.aborted) return
    const missed = missedSessions(job, await schedule.lastDone(), schedule.calendar(), effects.now())
    const [first] = missed
    const last = missed.at(-1)
    if (!first || !last) {
      schedule.show(`${job.name}: no session since its last run`)
      return
    }
    schedule.show(
      `${job.name} for ${first === last ? first : `${missed.length} sessions, ${first} to ${last}`}`,
    )
    await schedule.execute(job, missed.length > (job.window?.count ?? 0) ? missed.length : undefined)
  }
}

/** Jobs whose window is in sessions catch up on what they missed; the others only run when they are due. */
function bySessions({ window }: Job): boolean {
  return window?.of === 'sessions'
}
