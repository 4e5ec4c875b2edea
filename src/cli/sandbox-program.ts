import { Command } from 'commander'
import type { Effects } from '../effects.js'
import { packageVersion } from '../package.js'
import { type SandboxFlags, sandboxOptionsOf, withSandboxOptions } from './sandbox-options.js'
import { serveSandbox } from './serve-sandbox.js'
import type { Terminal } from './terminal.js'

export const SANDBOX_COMMAND = 'candlehouse-sandbox'

/** The command of the package candlehouse-sandbox: what `candlehouse sandbox` does, without the warehouse. */
export function createSandboxProgram(
  edge: { terminal: Terminal; signal: AbortSignal },
  effects: Effects,
): Command {
  return withSandboxOptions(new Command(SANDBOX_COMMAND))
    .description('Run a simulated brokerage service on loopback until Ctrl-C')
    .version(packageVersion)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .action((flags: SandboxFlags) => serveSandbox(sandboxOptionsOf(flags), flags.log, edge, effects))
}
