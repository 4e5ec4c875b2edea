#!/usr/bin/env node
import { reportFailure } from './cli/failure.js'
import { createSandboxProgram, SANDBOX_COMMAND } from './cli/sandbox-program.js'
import { createTerminal } from './cli/terminal.js'
import { systemEffects } from './effects.js'

const terminal = createTerminal({ stdout: process.stdout, stderr: process.stderr })
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

try {
  await createSandboxProgram({ terminal, signal: stop.signal }, systemEffects).parseAsync(process.argv)
} catch (error) {
  const call = { json: false, verb: 'sandbox', command: SANDBOX_COMMAND }
  process.exitCode = await reportFailure(error, call, terminal)
}
