import { Argument, type Command } from 'commander'
import type { Effects } from '../../effects.js'
import { type CommonOptions, type Edge, prepareReading, verb } from '../verb.js'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** @param program every command, as the command line has them */
export function completionVerb(edge: Edge, effects: Effects, program: () => Promise<Command>): Command {
  return verb('completion', 'Print the completion of verbs, options and names for a shell')
    .addArgument(new Argument('<shell>', 'shell to print for').choices(SHELLS))
    .action(async (shell: Shell, options: CommonOptions) => {
      const call = prepareReading(options, edge, effects)
      const { shapeOf } = await import('../grammar.js')
      const shape = shapeOf(await program())
      const text = {
        bash: async () => (await import('../shell/bash.js')).bashCompletion(shape),
        zsh: async () => (await import('../shell/zsh.js')).zshCompletion(shape),
        fish: async () => (await import('../shell/fish.js')).fishCompletion(shape),
      }
      const script = await text[shell]()
      await call.terminal.data(call.json ? `${JSON.stringify({ shell, text: script })}\n` : script)
    })
}
