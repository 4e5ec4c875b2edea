#!/usr/bin/env node
import { reportFailure } from 'candlehouse-foundation/command-line/failure'
import { createTerminal } from 'candlehouse-foundation/command-line/terminal'
import { systemEffects } from 'candlehouse-foundation/effects'
import { createSandboxProgram, SANDBOX_COMMAND } from './command/program.js'

const terminal = createTerminal({ stdout: process.stdout, stderr: process.stderr })
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

try {
  await createSandboxProgram({ terminal, signal: stop.signal }, systemEffects).parseAsync(process.argv)
} catch (error) {
  const call = { json: false, verb: 'sandbox', command: SANDBOX_COMMAND }
  process.exitCode = await reportFailure(error, call, terminal)
}
