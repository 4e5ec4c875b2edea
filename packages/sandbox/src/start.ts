import type { AddressInfo } from 'node:net'
import type { Effects } from 'candlehouse-foundation/effects'
import { UsageError } from 'candlehouse-foundation/errors'
import type { FastifyInstance } from 'fastify'
import {
  DEMO_API_KEY,
  DEMO_API_SECRET,
  DEMO_OTP,
  type RunningSandbox,
  type SandboxOptions,
} from './options.js'
import { buildServer } from './service/server.js'
import { keysOf } from './service/signin/keys.js'

/** Listens on loopback only: the credentials are public. */
export async function listen(
  app: FastifyInstance,
  options: SandboxOptions,
): Promise<Omit<RunningSandbox, 'close' | 'requests'>> {
  const { port = 0 } = options
  try {
    await app.listen({ host: '127.0.0.1', port })
  } catch (cause) {
    await app.close()
    throw new UsageError(`port ${port} cannot be listened on`, {
      cause,
      hint: 'choose another one: candlehouse sandbox --port 0',
    })
  }
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    apiKey: DEMO_API_KEY,
    apiSecret: DEMO_API_SECRET,
    otp: DEMO_OTP,
    keys: keysOf(options).map(({ apiKey, apiSecret }) => ({ apiKey, apiSecret })),
  }
}

/** Starts the service in this thread. */
export async function startWithEffects(options: SandboxOptions, effects: Effects): Promise<RunningSandbox> {
  let received = 0
  const app = await buildServer(options, effects, () => {
    received++
  })
  return { ...(await listen(app, options)), close: () => app.close(), requests: () => received }
}
