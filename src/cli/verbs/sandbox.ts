import {
  type SandboxFlags,
  sandboxOptionsOf,
  serveSandbox,
  withSandboxOptions,
} from 'candlehouse-sandbox/command'
import type { Command } from 'commander'
import type { NewVerb } from '../verb.js'

export function sandboxVerb(verb: NewVerb): Command {
  const sandbox = verb('sandbox', 'Run a simulated brokerage service on loopback until Ctrl-C')
  withSandboxOptions(sandbox)
  return sandbox.reads(async (call, options: SandboxFlags) => {
    await serveSandbox(await sandboxOptionsOf(options), options.log, call, call.effects)
  })
}
