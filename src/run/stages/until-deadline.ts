import { DeadlineReached } from '../lifecycle/deadline.js'
import type { Run } from '../lifecycle/run.js'

/** Parts of a run that are not finished yet, in words: `candles of 2025-03-13 to 2025-03-14`, `accounts`. */
export type Unfinished = Set<string>

/**
 * Runs `work` up to the run's deadline, and reports what it did not reach. The run then goes on to check and publish what it
 * has: it ends with 4.
 *
 * @throws what `work` throws, but for the deadline
 */
export async function untilDeadline(
  run: Run,
  unfinished: Unfinished,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof DeadlineReached)) throw error
    const lines = [
      `stopped at its deadline of ${run.deadline.hours} h (CANDLEHOUSE_MAX_HOURS)`,
      ...unfetchedLines(error),
      ...(unfinished.size > 0 ? [`not finished because of the deadline: ${[...unfinished].join(', ')}`] : []),
    ]
    run.report.addProblems(lines, { kind: 'deadline' })
    run.io.effects.log.info('the run has reached its deadline', { hours: run.deadline.hours })
  }
}

/** One line per dataset. */
function unfetchedLines({ unfetched }: DeadlineReached): string[] {
  return [...new Set(unfetched.map(({ dataset }) => dataset))].map((name) => {
    const windows = unfetched.filter(({ dataset }) => dataset === name)
    const days = windows.flatMap(({ from, to }) => [from, to]).sort()
    return `not fetched because of the deadline: ${name}, ${windows.length} windows of ${days[0]} to ${days.at(-1)}`
  })
}
