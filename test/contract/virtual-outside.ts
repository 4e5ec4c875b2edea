import type { RunningSandbox, SandboxOptions } from 'candlehouse-sandbox'
import { startWithEffects } from '../../packages/sandbox/src/start.js'
import { systemEffects } from '../../src/effects.js'
import type { Outside } from './outside.js'
import type { Target } from './probe.js'

/** A sandbox and a suite with one clock, which waits move: no test waits. */
export interface Bench {
  readonly sandbox: RunningSandbox
  readonly outside: Outside
  /** Milliseconds that were waited in all. */
  waited(): number
  /** Its one-time password works once. */
  target(change?: Partial<Target>): Target
  /** Sends with another program's hands. */
  post(path: string, body: unknown): Promise<Record<string, unknown>>
}

/** Mid-morning of a day that has everything: orders, conditional orders, positions, contracts. */
export async function openBench(options: SandboxOptions = {}): Promise<Bench> {
  let waitedMs = 0
  const now = (): number => systemEffects.now() + waitedMs
  const sandbox = await startWithEffects(
    { date: '2025-11-20', trade: '11:00', drive: true, singleUseOtp: true, ...options },
    { ...systemEffects, now },
  )
  const { url, apiKey, apiSecret, otp } = sandbox
  const outside: Outside = {
    fetch: (input, init) => fetch(input, init),
    now,
    sleep(ms) {
      waitedMs += ms
      return Promise.resolve()
    },
    deadline: () => new AbortController().signal,
  }
  const post = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as Record<string, unknown>
  }
  return {
    sandbox,
    outside,
    waited: () => waitedMs,
    target: (change = {}) => ({
      url,
      apiKey,
      apiSecret,
      signIn: { by: 'otp', otp },
      // The market's clock stands until somebody moves it.
      onPass: async (byMs) => {
        await post('/sandbox/clock', { byMs })
      },
      ...change,
    }),
    post,
  }
}
