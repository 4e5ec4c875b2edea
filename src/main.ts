#!/usr/bin/env node
import { reportFailure } from './cli/failure.js'
import { createProgram } from './cli/program.js'
import { createTerminal } from './cli/terminal.js'
import { systemEffects } from './effects.js'
import { InterruptedError } from './errors.js'

/** Time for the current page after the first signal. Pages landed before are loaded by the next run. */
const GRACE_MS = 4_500

const terminal = createTerminal({ stdout: process.stdout, stderr: process.stderr })
const stop = new AbortController()

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(code)
    terminal.words('stopping after the current page; press Ctrl-C again to stop now')
    stop.abort(new InterruptedError(code))
    setTimeout(() => process.exit(code), GRACE_MS).unref()
  })
}
// A reader that closes the pipe early (`| head`) is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

const edge = { terminal, environment: process.env, folder: process.cwd(), signal: stop.signal }
const program = await createProgram(edge, systemEffects, process.argv[2])
try {
  await program.parseAsync(process.argv)
} catch (error) {
  const verb = program.commands.map((command) => command.name()).find((name) => name === process.argv[2])
  const json = process.argv.includes('--json')
  process.exitCode = await reportFailure(error, { json, verb }, terminal)
}
// An open socket must not keep the process alive: all output is written by now.
setTimeout(() => process.exit(), 1_000).unref()
