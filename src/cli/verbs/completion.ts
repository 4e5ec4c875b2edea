import { Argument, type Command } from 'commander'
import type { NewVerb } from '../verb.js'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** @param program every command, as the command line has them */
export function completionVerb(verb: NewVerb, program: () => Promise<Command>): Command {
  return verb('completion', 'Print the completion of verbs, options and names for a shell')
    .addArgument(new Argument('<shell>', 'shell to print for').choices(SHELLS))
    .reads(async (call, shell: Shell) => {
      const { shapeOf } = await import('../grammar.js')
      const shape = shapeOf(await program())
      const scripts = {
        bash: async () => (await import('../shell/bash.js')).bashCompletion(shape),
        zsh: async () => (await import('../shell/zsh.js')).zshCompletion(shape),
        fish: async () => (await import('../shell/fish.js')).fishCompletion(shape),
      }
      const text = await scripts[shell]()
      await call.print({ shell, text }, text)
    })
}
