import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { type SandboxFlags, sandboxOptionsOf, withSandboxOptions } from '../sandbox-options.js'
import { serveSandbox } from '../serve-sandbox.js'
import { type CommonOptions, type Edge, prepareReading, verb } from '../verb.js'

export function sandboxVerb(edge: Edge, effects: Effects): Command {
  return withSandboxOptions(
    verb('sandbox', 'Run a simulated brokerage service on loopback until Ctrl-C'),
  ).action(async (options: CommonOptions & SandboxFlags) => {
    const call = prepareReading(options, edge, effects)
    await serveSandbox(sandboxOptionsOf(options), options.log, call, call.effects)
  })
}
