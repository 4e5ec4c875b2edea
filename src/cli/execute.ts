import { viewPlan } from '../run/jobs/dry-run.js'
import type { RunSpec } from '../run/jobs/run-spec.js'
import { runJob } from '../run/verbs/job.js'
import { checkCredentials } from './credentials.js'
import { renderPlan } from './render/plan.js'
import { renderSummary } from './render/summary.js'
import type { Call } from './verb.js'

/** Runs a job, or shows its plan. The exit code is the run's. */
export async function execute(spec: RunSpec, dryRun: boolean, call: Call): Promise<void> {
  for (const note of spec.notes ?? []) call.terminal.words(note)
  if (dryRun) {
    const view = await viewPlan(call.settings, spec)
    await call.answer(view, () => renderPlan(view))
    return
  }
  checkCredentials(call, 'session')
  const summary = await runJob(call.settings, spec, call)
  await call.answer(summary, () => renderSummary(summary))
  call.endWith(summary.exitCode)
}
