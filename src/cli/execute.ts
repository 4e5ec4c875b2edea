import type { RunSpec } from '../run/jobs/run-spec.js'
import { renderPlan } from './render/plan.js'
import { renderSummary } from './render/summary.js'
import type { Call } from './verb.js'

/** Runs a job, or shows its plan. The exit code is the run's. */
export async function execute(spec: RunSpec, dryRun: boolean, call: Call): Promise<void> {
  for (const note of spec.notes ?? []) call.terminal.words(note)
  if (dryRun) {
    const { viewPlan } = await import('../run/jobs/dry-run.js')
    const view = await viewPlan(call.settings, spec)
    await call.answer(view, () => renderPlan(view))
    return
  }
  const { checkCredentials } = await import('./credentials.js')
  checkCredentials(call, 'session')
  const { runJob } = await import('../run/verbs/job.js')
  const summary = await runJob(call.settings, spec, call)
  await call.answer(summary, () => renderSummary(summary))
  call.endWith(summary.exitCode)
}
