export { startEmbeddedSandbox } from './embedded.js'
export type { Fault, FaultPlan } from './faults.js'
export type { RunningSandbox, SandboxOptions } from './options.js'
export { startSandbox } from './start.js'
