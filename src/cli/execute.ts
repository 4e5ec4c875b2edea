import { type Errand, runErrand } from '../run/errand.js'
import { viewPlan } from '../run/plan.js'
import { viewSession } from '../run/session.js'
import { requireCredentials } from '../settings/index.js'
import { renderPlan } from './render/plan.js'
import { renderSummary } from './render/summary.js'
import type { Call } from './verb.js'

/** Runs an errand, or shows the plan it would obey. The exit code is the run's. */
export async function execute(errand: Errand, dryRun: boolean, call: Call): Promise<void> {
  if (dryRun) {
    const view = await viewPlan(call.settings, errand)
    await call.answer(view, () => renderPlan(view))
    return
  }
  // A kept session needs no key as long as it lives.
  if (!viewSession(call.settings)) requireCredentials(call.settings)
  const summary = await runErrand(call.settings, errand, call)
  await call.answer(summary, () => renderSummary(summary))
  process.exitCode = summary.exitCode
}
