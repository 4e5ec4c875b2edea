import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Effects } from 'candlehouse-foundation/effects'
import { type FakeEffects, fakeEffects } from '../../../foundation/test/fake-effects.js'
import type { Client } from '../../src/reading.js'
import { type ClientOptions, createClient } from '../../src/reading.js'

export interface Seen {
  readonly method: string
  readonly path: string
  readonly query: Record<string, string>
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The body as it came over the wire. */
  readonly bytes: Buffer
}

/** What the stand-in says: a status, a body (objects become JSON) and headers; `hang` says nothing at all. */
export interface Said {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly reset?: true
  readonly hang?: true
}

export type Script = (request: Seen, nth: number) => Said

export interface Service {
  readonly url: string
  readonly seen: Seen[]
  /** Requests to paths that end so. */
  asked(path: string): Seen[]
  close(): Promise<void>
}

/** A literal service on loopback; it shares no code with the client and knows nothing of the sandbox. */
export async function serve(script: Script): Promise<Service> {
  const seen: Seen[] = []
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://stand-in')
      const bytes = Buffer.concat(chunks)
      const one: Seen = {
        method: request.method ?? '',
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        body: bytes.toString('utf8'),
        bytes,
      }
      seen.push(one)
      const said = script(one, seen.filter((other) => other.path === one.path).length)
      if (said.hang) return
      if (said.reset) return void request.socket.resetAndDestroy()
      const raw = Buffer.isBuffer(said.body) || typeof said.body === 'string'
      const body =
        said.body === undefined ? '' : raw ? (said.body as string | Buffer) : JSON.stringify(said.body)
      // No Date of its own: tests must not depend on the day they run.
      response.sendDate = false
      response.writeHead(said.status ?? 200, {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        ...said.headers,
      })
      response.end(body)
    })
  }
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    asked: (path) => seen.filter((one) => one.path.endsWith(path)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const KEY = 'key-0123456789'
export const SECRET = 'secret-abcdefgh'

/**
 * The specification's Token object; epoch seconds as live deployments send them
 * (docs/market-facts.md#token-expiry).
 */
export function token(n = 1, expiresAt = Date.UTC(2025, 0, 2, 18) / 1000): Record<string, unknown> {
  return {
    tokenType: 'Bearer',
    accessToken: `access-token-${n}`,
    refreshToken: `refresh-token-${n}`,
    expiresAt,
    refreshExpiresAt: expiresAt + 86_400,
  }
}

/** Logs in whoever asks, and leaves data to `data`. */
export function withLogin(data: Script): Script {
  return (request, nth) => (request.path.endsWith('/auth/token') ? { body: token(nth) } : data(request, nth))
}

export interface Stage {
  readonly service: Service
  readonly client: Client
  readonly effects: FakeEffects
}

/** A stand-in, a client of it and a fake clock, closed after the test. */
export async function stage<T>(
  script: Script,
  act: (stage: Stage) => Promise<T>,
  options: Partial<ClientOptions> = {},
  more: Partial<Effects> = {},
): Promise<T> {
  const service = await serve(script)
  const effects = { ...fakeEffects(), ...more }
  const client = createClient(
    { baseUrl: service.url, apiKey: KEY, apiSecret: SECRET, maxRps: Number.POSITIVE_INFINITY, ...options },
    effects,
  )
  try {
    return await act({ service, client, effects })
  } finally {
    await client.close()
    await service.close()
  }
}
