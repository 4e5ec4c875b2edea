import type { Calendar } from 'candlehouse-foundation/market/calendar'
import { addDays, type Day, EXCHANGE_OFFSET_MS, instantOf } from 'candlehouse-foundation/market/day'
import { Cron } from 'croner'
import type { Job } from '../run/jobs/job.js'

export interface JobStatus {
  name: Job['name']
  /** ISO 8601 with the zone's offset. */
  next: string
  zone: string
}

/** The first instant at which the job is due after `after`; both in epoch milliseconds. */
export function nextDue(job: Job, after: number): number {
  const next = new Cron(job.schedule, { timezone: job.zone, paused: true }).nextRun(new Date(after))
  if (!next) throw new RangeError(`the schedule '${job.schedule}' of ${job.name} has no next time`)
  return next.getTime()
}

export function jobStatus(job: Job, now: number): JobStatus {
  return { name: job.name, next: inExchangeTime(nextDue(job, now)), zone: job.zone }
}

/** `2025-03-14T18:30+07:00`. Every schedule is in Vietnam's zone, which keeps UTC+7 the whole year. */
export function inExchangeTime(instant: number): string {
  return `${new Date(instant + EXCHANGE_OFFSET_MS).toISOString().slice(0, 16)}+07:00`
}

/**
 * Sessions for which the nightly should have run by now and did not: from the one after its last run up to the last one
 * whose scheduled time has passed. Before its first run only that last one.
 */
export function missedSessions(job: Job, lastDone: Day | undefined, calendar: Calendar, now: number): Day[] {
  const latest = calendar.latestClosedSession(now)
  const due = (day: Day): boolean => nextDue(job, instantOf(day) - 1) <= now
  const last = due(latest) ? latest : calendar.previousSession(latest)
  if (lastDone === undefined) return [last]
  return lastDone < last ? calendar.sessionsBetween(addDays(lastDone, 1), last) : []
}
