import { InterruptedError, LockedError, WrongClockError } from 'candlehouse-foundation/errors'
import type { Day } from 'candlehouse-foundation/market/day'
import { reasonOf } from 'candlehouse-foundation/system-fault'
import type { WrittenReport } from '../report/write.js'
import type { RunSpec } from '../run/jobs/run-spec.js'
import type { RunIo } from '../run/lifecycle/run-io.js'
import { embeddedMarket } from './embedded-sandbox.js'
import { answerSummary, withNotice } from './notified.js'
import { howToOpen } from './render/conclusion.js'
import { renderPlan } from './render/plan.js'
import type { Call } from './verb.js'

/** Runs a job, or shows its plan. The exit code is the run's. */
export async function execute(spec: RunSpec, dryRun: boolean, call: Call): Promise<void> {
  for (const note of spec.notes ?? []) call.terminal.words(note)
  if (dryRun) {
    const { viewPlan } = await import('../run/jobs/dry-run.js')
    const view = await viewPlan(call.settings, spec, embeddedMarket, call.effects)
    await call.answer(view, (width) => renderPlan(view, width))
    return
  }
  const { requireCallCredentials } = await import('./credentials.js')
  requireCallCredentials(call, 'session')
  call.whenStopped('stopping after the current page')
  await withNotice(call, (io) => runAndReport(spec, io, call))
}

async function runAndReport(spec: RunSpec, io: RunIo, call: Call): Promise<void> {
  const { runJob } = await import('../run/verbs/job.js')
  const summary = await runJob(call.settings, spec, io).catch(async (failure: unknown) => {
    if (spec.name === 'nightly' && hasEnded(failure)) await writeNightlyReport(spec.tradingDate, call)
    throw failure
  })
  const report = spec.name === 'nightly' ? await writeNightlyReport(spec.tradingDate, call) : undefined
  await answerSummary(summary, call)
  if (report) call.terminal.words(howToOpen(report))
}

/**
 * Whether a run failed; one that was stopped goes on later, another one that has the lock is still running, and one with a wrong
 * clock has no day to report of.
 */
function hasEnded(failure: unknown): boolean {
  return ![InterruptedError, LockedError, WrongClockError].some((kind) => failure instanceof kind)
}

/** None before the first publication, which the run has words for. One that cannot be written is a warning: the night is what counts. */
async function writeNightlyReport(day: Day, call: Call): Promise<WrittenReport | undefined> {
  if (call.writesReport === false) return undefined
  const { isPublished } = await import('../read/index.js')
  if (!isPublished(call.settings.home)) return undefined
  try {
    const { writeReport } = await import('../report/write.js')
    return await writeReport(call.settings, { day }, call.effects)
  } catch (error) {
    call.effects.log.warn(`the report of ${day} was not written: ${reasonOf(error)}`)
    return undefined
  }
}
