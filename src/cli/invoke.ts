import { reportFailure } from 'candlehouse-foundation/command-line/failure'
import type { Command } from 'commander'
import type { Effects } from '../effects.js'
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
  let program: Command | undefined
  try {
    program = await createProgram({ ...edge, endWith }, effects, args[0])
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    const verb = (program && namesOf(program, args).join(' ')) || undefined
    return await reportFailure(error, { json: args.includes('--json'), verb }, edge.terminal)
  }
}

/** The verb that was called, and the command below it: `schedule print`. */
function namesOf(parent: Command, [first, ...rest]: readonly string[]): string[] {
  const command = parent.commands.find((each) => each.name() === first)
  return command ? [command.name(), ...namesOf(command, rest)] : []
}
