import { type Effects, systemEffects } from 'candlehouse-foundation/effects'
import type { RunningSandbox, SandboxOptions } from '../src/index.js'
import { startWithEffects } from '../src/start.js'

export type Row = Record<string, string | null>

interface Called {
  status: number
  headers: Headers
  text: string
  /** The body as JSON; `data` and friends are read by the tests as the specification writes them. */
  body: Record<string, unknown> & { data: Row[] }
  /** The body as an array of records. */
  list: Row[]
}

export interface Caller {
  sandbox: RunningSandbox
  token: string
  get(path: string, query?: Record<string, string>, headers?: Record<string, string>): Promise<Called>
  post(path: string, body: unknown): Promise<Called>
  /** A write with the session's token and a signature. */
  send(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<Called>
  close(): Promise<void>
}

/** A running sandbox and a client that knows nothing but the specification's words. */
export async function caller(
  options: SandboxOptions = {},
  { otp = false, effects = systemEffects }: { otp?: boolean; effects?: Effects } = {},
): Promise<Caller> {
  const sandbox = await startWithEffects({ date: '2025-11-20', ...options }, effects)
  const read = async (response: Response): Promise<Called> => {
    const text = await response.text()
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      body = undefined
    }
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: body as Called['body'],
      list: body as Row[],
    }
  }
  const post: Caller['post'] = async (path, body) =>
    read(
      await fetch(sandbox.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
  const login = await post('/api/v3/auth/token', {
    apiKey: sandbox.apiKey,
    apiSecret: sandbox.apiSecret,
    ...(otp ? { otp: sandbox.otp } : {}),
  })
  const token = String(login.body?.accessToken)
  return {
    sandbox,
    token,
    post,
    get: async (path, query = {}, headers = {}) =>
      read(
        await fetch(`${sandbox.url}${path}?${new URLSearchParams(query)}`, {
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
        }),
      ),
    send: async (method, path, body, headers = {}) =>
      read(
        await fetch(sandbox.url + path, {
          method,
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${token}`,
            'x-signature': 'sha256=00ff',
            ...headers,
          },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      ),
    close: () => sandbox.close(),
  }
}
