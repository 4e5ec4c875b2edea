import { reportFailure } from 'candlehouse-foundation/command-line/failure'
import { createTerminal } from 'candlehouse-foundation/command-line/terminal'
import { InterruptedError } from 'candlehouse-foundation/errors'
import { systemEffects } from '../effects.js'
import { invoke } from './program.js'

/** Time for the current page after the first signal. Pages landed before are loaded by the next run. */
const GRACE_MS = 4_500

const terminal = createTerminal({ stdout: process.stdout, stderr: process.stderr })
const stop = new AbortController()
/** What the verb finishes before it ends, for the person who presses Ctrl-C. */
let stopping = 'stopping'
/** Takes Ctrl-C instead of ending the program: a prompt cancels its statement. */
let onInterrupt: (() => void) | undefined

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => {
    if (signal === 'SIGINT' && onInterrupt) {
      onInterrupt()
      return
    }
    if (stop.signal.aborted) process.exit(code)
    terminal.words(`${stopping}; press Ctrl-C again to stop now`)
    stop.abort(new InterruptedError(code))
    setTimeout(() => process.exit(code), GRACE_MS).unref()
  })
}
/** 128 + SIGPIPE, with which other tools end. */
const READER_IS_GONE = 141
// A reader that closes the pipe early (`| head`) has what it wants, without words. The rest is lost, so it is not a success.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(READER_IS_GONE)
  void fail(error)
})
// Nobody reads messages any more: that is not a failure either.
process.stderr.on('error', () => undefined)
process.on('uncaughtException', (error) => void fail(error))

/** What no verb has caught: a full disk behind stdout, a working folder that is gone. Ends the process. */
async function fail(error: unknown): Promise<never> {
  const code = await reportFailure(error, { json: false, verb: undefined }, terminal).catch(() => 1)
  process.exit(code)
}

try {
  process.exitCode = await invoke(
    process.argv.slice(2),
    {
      terminal,
      environment: process.env,
      folder: process.cwd(),
      stdin: process.stdin,
      signal: stop.signal,
      whenStopped(words) {
        stopping = words
      },
      takeInterrupts(handler) {
        onInterrupt = handler
      },
    },
    systemEffects,
  )
} catch (error) {
  await fail(error)
}
// An open socket must not keep the process alive: all output is written by now.
setTimeout(() => process.exit(), 1_000).unref()
