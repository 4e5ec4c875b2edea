import { systemEffects } from 'candlehouse-foundation/effects'
import { checkOptions } from './checked-options.js'
import type { RunningSandbox, SandboxOptions } from './options.js'
import { startWithEffects as startWith } from './start.js'

/** Entry of the package candlehouse-sandbox: the service for the tests of other programs. README.md is its guide. */
export { CandlehouseError, UsageError } from 'candlehouse-foundation/errors'
export type { Day } from 'candlehouse-foundation/market/day'
export type { DateFormat, Restatement, RunningSandbox, SandboxOptions } from './options.js'
export type { Fault, FaultPlan } from './planned-faults.js'

/**
 * Starts the service on loopback, in this process, on a free port unless `options.port` names one. It listens when
 * the promise resolves; `close()` ends it.
 *
 * @throws UsageError if the port is taken, or an option is not what it can be
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  checkOptions(options)
  return startWith(options, systemEffects)
}
