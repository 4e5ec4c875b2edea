import type { Effects } from 'candlehouse-foundation/effects'
import { createSecrets, type Secrets } from 'candlehouse-foundation/secrets'
import { PLAIN_ADVICE } from './advice.js'
import type { Endpoint, Tokens } from './contract.js'
import type { RetryOptions } from './retries.js'
import { createSender, type Sender } from './sender.js'
import { createAuth } from './session/auth.js'
import type { SharedSession } from './session/session-view.js'
import { createSession } from './session/shared-session.js'
import { PauseNotice } from './throttle/pause-notice.js'
import { readHttpDate } from './throttle/retry-after.js'
import { createThrottle, type Throttle } from './throttle/throttle.js'
import { createTransport, type Transport } from './transport/transport.js'

export interface ClientOptions extends RetryOptions {
  /** `BROKER_BASE_URL`. */
  readonly baseUrl: string
  /** `BROKER_API_KEY`; undefined when a kept session is all there is. */
  readonly apiKey: string | undefined
  /** `BROKER_API_SECRET`. */
  readonly apiSecret: string | undefined
  /** What messages call key and secret. @default `BROKER_API_KEY`, `BROKER_API_SECRET` */
  readonly credentialNames?: { readonly apiKey: string; readonly apiSecret: string }
  /** `BROKER_OTP`: one-time password of the first login; undefined logs in for market data only. */
  readonly otp?: string | undefined
  /** A session kept by an earlier run. */
  readonly tokens?: Tokens | undefined
  /** Stores tokens; awaited before their first use. @default nowhere */
  readonly onTokens?: (tokens: Tokens) => Promise<void> | void
  /** `BROKER_MAX_RPS`, requests per second. @default 10, like the operator's own client; Infinity for no limit */
  readonly maxRps?: number
  /** Shared with other clients of the same service: together they are as fast as one. @default one of its own */
  readonly throttle?: Throttle
  /** `BROKER_LANGUAGE`, sent as Accept-Language. @default `en` (docs/brokerage-api.md#conventions) */
  readonly language?: string
  /** Requests in flight and connections kept. @default 8 */
  readonly connections?: number
  /** Milliseconds for one attempt, connecting included. @default 60_000; pages of 1,000 rows take seconds */
  readonly deadlineMs?: number
  /** Bytes of a decoded body. @default 67_108_864; a page of 1,000 records is 500 kB */
  readonly maxBodyBytes?: number
  /** Rows per page to begin with, as `pageSizeFor` of an earlier client returned. @default 1000, smaller after refusals */
  readonly pageSizes?: Readonly<Partial<Record<Endpoint, number>>>
  /**
   * Called with the service's clock and this machine's, in epoch milliseconds, for every response that has a readable `Date`.
   * What it throws ends the request: nothing of the response is used.
   */
  readonly onServiceTime?: ((serviceTime: number, receivedAt: number) => void) | undefined
}

/** What all facets of one client share: one throttle, one session, one list of secrets. */
export interface Connection {
  readonly transport: Transport
  readonly throttle: Throttle
  readonly sender: Sender
  readonly session: SharedSession
  readonly secrets: Secrets
}

/** @throws SettingsError when the base address is not an http or https address */
export function connect(options: ClientOptions, effects: Effects): Connection {
  const secrets = createSecrets()
  for (const secret of [
    options.apiKey,
    options.apiSecret,
    options.otp,
    options.tokens?.accessToken,
    options.tokens?.refreshToken,
  ])
    secrets.add(secret)
  const plainTransport = createTransport(
    {
      baseUrl: options.baseUrl,
      language: options.language ?? 'en',
      connections: options.connections ?? 8,
      deadlineMs: options.deadlineMs ?? 60_000,
      maxBodyBytes: options.maxBodyBytes ?? 64 * 1024 * 1024,
    },
    effects,
  )
  const { onServiceTime } = options
  const transport = onServiceTime ? withServiceTime(plainTransport, onServiceTime) : plainTransport
  const notice = new PauseNotice(effects)
  const throttle = options.throttle ?? createThrottle({ maxRps: options.maxRps ?? 10 }, effects, notice)
  const sender = createSender({ transport, throttle, notice, secrets }, options, effects)
  const credentials = { apiKey: options.apiKey ?? '', apiSecret: options.apiSecret ?? '' }
  const session = createSession(
    createAuth(sender, credentials, secrets, effects),
    {
      hasKey: Boolean(options.apiKey && options.apiSecret),
      names: options.credentialNames ?? { apiKey: 'BROKER_API_KEY', apiSecret: 'BROKER_API_SECRET' },
      otp: options.otp,
      kept: options.tokens,
      onTokens: options.onTokens ?? (() => undefined),
      advice: options.advice ?? PLAIN_ADVICE,
    },
    secrets,
    effects,
  )
  return { transport, throttle, sender, session, secrets }
}

function withServiceTime(
  transport: Transport,
  onServiceTime: NonNullable<ClientOptions['onServiceTime']>,
): Transport {
  return {
    host: transport.host,
    async exchange(request, signal) {
      const response = await transport.exchange(request, signal)
      const serviceTime = readHttpDate(response.headers.date)
      if (serviceTime !== undefined) onServiceTime(serviceTime, response.receivedAt)
      return response
    },
    close: () => transport.close(),
  }
}
