import { PassThrough } from 'node:stream'
import { reportFailure } from '../../../src/cli/failure.js'
import { createProgram } from '../../../src/cli/program.js'
import { createTerminal, type Terminal } from '../../../src/cli/terminal.js'
import { fakeEffects } from '../../brokerage/support/effects.js'

/** A terminal that nobody watches, and what was written to it so far. */
export function watchedTerminal(): { terminal: Terminal; out: () => string; err: () => string } {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const written = (stream: PassThrough): string => {
    let text = ''
    for (let piece = stream.read(); piece !== null; piece = stream.read()) text += String(piece)
    return text
  }
  return {
    terminal: createTerminal({ stdout, stderr }),
    out: () => written(stdout),
    err: () => written(stderr),
  }
}

export interface Said {
  code: number
  out: string
  err: string
}

/** Saturday noon in Vietnam: the latest session that has closed is 2025-03-14. */
export const NOW = Date.parse('2025-03-15T12:00:00+07:00')

/** Runs a verb that sends nothing, in this process, on a clock of its own. */
export async function say(args: readonly string[], folder: string): Promise<Said> {
  const { terminal, out, err } = watchedTerminal()
  const edge = { terminal, environment: {}, folder, signal: new AbortController().signal }
  const program = await createProgram(edge, fakeEffects(NOW), args[0])
  const call = { json: args.includes('--json'), verb: args[0] }
  const code = await program.parseAsync(['node', 'candlehouse', ...args]).then(
    () => 0,
    (error: unknown) => reportFailure(error, call, terminal),
  )
  return { code, out: out(), err: err() }
}
