import type { Effects } from '../effects.js'
import { reportFailure } from './failure.js'
import { createProgram } from './program.js'
import type { Edge } from './verb.js'

/**
 * Runs one command line. It never throws: failures are reported on the terminal.
 *
 * @param args words after the name of the program
 * @returns exit code
 */
export async function invoke(
  args: readonly string[],
  edge: Omit<Edge, 'endWith'>,
  effects: Effects,
): Promise<number> {
  let code = 0
  const endWith = (exitCode: number): void => {
    code = exitCode
  }
  let verbs: readonly string[] = []
  try {
    const program = await createProgram({ ...edge, endWith }, effects, args[0])
    verbs = program.commands.map((command) => command.name())
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    const verb = verbs.find((name) => name === args[0])
    return await reportFailure(error, { json: args.includes('--json'), verb }, edge.terminal)
  }
}
