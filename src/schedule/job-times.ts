import type { Job } from '../run/jobs/job.js'

/** Jobs run at one time of day, or every hour, on some weekdays; the units have no form for anything else. */
export function timesOf(job: Job): { minute: string; hour: string; weekdays: string } {
  const [, minute, hour, weekdays] = /^(\d+) (\d+|\*) \* \* (\d(?:-\d)?)$/.exec(job.schedule) ?? []
  if (!minute || !hour || !weekdays)
    throw new RangeError(`${job.name}: units have no form for the schedule '${job.schedule}'`)
  return { minute: minute.padStart(2, '0'), hour: hour === '*' ? hour : hour.padStart(2, '0'), weekdays }
}

/** `1-5` as its days; 0 is Sunday. */
export function weekdaysOf(weekdays: string): number[] {
  const [first = 0, last = first] = weekdays.split('-').map(Number)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
