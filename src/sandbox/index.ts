export { startEmbeddedSandbox } from './embedded.js'
export type { RunningSandbox, SandboxOptions } from './options.js'
export type { Fault, FaultPlan } from './planned-faults.js'
export { startSandbox } from './start.js'
