import type { Terminal } from 'candlehouse-foundation/command-line/terminal'
import type { Effects } from 'candlehouse-foundation/effects'
import { packageVersion } from 'candlehouse-foundation/package'
import { Command } from 'commander'
import { type SandboxFlags, sandboxOptionsOf, withSandboxOptions } from './command-options.js'
import { serveSandbox } from './serve.js'

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
    .action(async (flags: SandboxFlags) => {
      await serveSandbox(await sandboxOptionsOf(flags), flags.log, edge, effects)
    })
}
