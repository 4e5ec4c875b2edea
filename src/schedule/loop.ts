import type { Effects } from '../effects.js'
import type { Calendar } from '../market/calendar.js'
import type { Day } from '../market/day.js'
import type { Job } from '../run/jobs/job.js'
import { inExchangeTime, missedSessions, nextDue } from './next.js'

/** A clock that jumps (a laptop that slept) is noticed after this long. */
const LONGEST_SLEEP_MS = 60_000

export interface Keeping {
  readonly jobs: readonly Job[]
  readonly calendar: Calendar
  /** Runs a job to its end. `sessions`: how many its window must reach back, when that is more than its own. */
  execute(job: Job, sessions: number | undefined): Promise<void>
  /** Trading date of the last nightly that ended; undefined before the first. */
  lastDone(): Promise<Day | undefined>
  say(line: string): void
}

/**
 * Keeps jobs going on their schedules until the signal aborts. They run one after another, so none overlaps
 * another; what came due several times while nobody ran (downtime, a long backfill) runs once, and reaches
 * back over every session that was missed.
 */
export async function keepSchedule(keeping: Keeping, signal: AbortSignal, effects: Effects): Promise<void> {
  const due = new Map<Job, number>()
  for (const job of keeping.jobs) due.set(job, nextDue(job, effects.now()))
  for (const job of keeping.jobs) if (bySessions(job)) await catchUp(job)
  for (const [job, at] of due) keeping.say(`next ${job.name}: ${inExchangeTime(at)}`)
  while (!signal.aborted) {
    const [job, at] = [...due].sort((a, b) => a[1] - b[1])[0] ?? []
    if (!job || at === undefined) return
    const wait = at - effects.now()
    if (wait > 0) {
      await effects.sleep(Math.min(wait, LONGEST_SLEEP_MS), signal).catch(() => undefined)
      continue
    }
    if (bySessions(job)) await catchUp(job)
    else await keeping.execute(job, undefined)
    due.set(job, nextDue(job, effects.now()))
    keeping.say(`next ${job.name}: ${inExchangeTime(due.get(job) ?? at)}`)
  }

  async function catchUp(job: Job): Promise<void> {
    if (signal.aborted) return
    const missed = missedSessions(job, await keeping.lastDone(), keeping.calendar, effects.now())
    const [first] = missed
    const last = missed.at(-1)
    if (!first || !last) {
      keeping.say(`${job.name}: no session since its last run`)
      return
    }
    keeping.say(
      `${job.name} for ${first === last ? first : `${missed.length} sessions, ${first} to ${last}`}`,
    )
    await keeping.execute(job, missed.length > (job.window?.count ?? 0) ? missed.length : undefined)
  }
}

/** Jobs of sessions make good what they missed; the others just run when they are due. */
function bySessions({ window }: Job): boolean {
  return window?.of === 'sessions'
}
