import {
  type SandboxFlags,
  sandboxOptionsOf,
  serveSandbox,
  withSandboxOptions,
} from 'candlehouse-sandbox/command'
import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { type CommonOptions, type Edge, prepareReading, verb } from '../verb.js'

export function sandboxVerb(edge: Edge, effects: Effects): Command {
  return withSandboxOptions(
    verb('sandbox', 'Run a simulated brokerage service on loopback until Ctrl-C'),
  ).action(async (options: CommonOptions & SandboxFlags) => {
    const call = prepareReading(options, edge, effects)
    await serveSandbox(sandboxOptionsOf(options), options.log, call, call.effects)
  })
}
