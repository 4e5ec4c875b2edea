export { startEmbeddedSandbox } from './embedded.js'
export type { Fault, FaultPlan, PlannedFault } from './faults.js'
export type { DateFormat, Restatement, RunningSandbox, SandboxOptions } from './options.js'
export { startSandbox } from './start.js'
