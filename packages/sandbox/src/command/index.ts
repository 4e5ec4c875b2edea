/** The command that runs the service, for other programs that have it as one of theirs. */
export { type SandboxFlags, sandboxOptionsOf, withSandboxOptions } from './command-options.js'
export { serveSandbox } from './serve.js'
