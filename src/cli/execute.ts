import { viewPlan } from '../run/jobs/dry-run.js'
import type { RunSpec } from '../run/jobs/run-spec.js'
import { viewSession } from '../run/session/login.js'
import { runJob } from '../run/verbs/job.js'
import { requireCredentials } from '../settings/index.js'
import { renderPlan } from './render/plan.js'
import { renderSummary } from './render/summary.js'
import type { Call } from './verb.js'

/** Runs a job, or shows its plan. The exit code is the run's. */
export async function execute(spec: RunSpec, dryRun: boolean, call: Call): Promise<void> {
  if (dryRun) {
    const view = await viewPlan(call.settings, spec)
    await call.answer(view, () => renderPlan(view))
    return
  }
  // A stored session needs no API key until it expires.
  if (!viewSession(call.settings)) requireCredentials(call.settings)
  const summary = await runJob(call.settings, spec, call)
  await call.answer(summary, () => renderSummary(summary))
  call.endWith(summary.exitCode)
}
