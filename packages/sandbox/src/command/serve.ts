import { once } from 'node:events'
import type { Terminal } from 'candlehouse-foundation/command-line/terminal'
import type { Effects } from 'candlehouse-foundation/effects'
import type { SandboxOptions } from '../options.js'
import { openRequestLog } from './request-log.js'

/** Runs the sandbox until `signal` aborts; prints its address and credentials as one line of JSON. */
export async function serveSandbox(
  options: SandboxOptions,
  /** File of the request log; true for stderr. */
  logFile: string | true | undefined,
  { terminal, signal }: { terminal: Terminal; signal: AbortSignal },
  effects: Effects,
): Promise<void> {
  const showPassword = (otp: string): void =>
    terminal.words(`one-time password of the sandbox's customer: ${otp}`)
  // Loaded only here: an HTTP server costs every other verb a quarter of a second.
  const { startWithEffects } = await import('../start.js')
  const log =
    logFile === undefined ? undefined : openRequestLog(logFile === true ? undefined : logFile, terminal)
  const sandbox = await startWithEffects(
    { ...options, onOtp: showPassword, ...(log ? { log: log.write } : {}) },
    effects,
  )
  const { url, apiKey, apiSecret, otp, keys } = sandbox
  const further = keys.length > 1 ? { keys } : {}
  await terminal.data(
    `${JSON.stringify({ url, apiKey, apiSecret, otp, ...further, openapi: `${url}/openapi.json` })}\n`,
  )
  terminal.words('the sandbox is listening; press Ctrl-C to stop it')
  if (!signal.aborted) await once(signal, 'abort')
  await sandbox.close()
  log?.close()
}
