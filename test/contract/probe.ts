// The suite's own way to the service: fetch and nothing else, so that no misreading of ours is shared.

import { createHash, createSign } from 'node:crypto'

export interface Target {
  readonly url: string
  readonly apiKey: string
  readonly apiSecret: string
  /** A one-time password; without it checks of accounts and orders are skipped. */
  readonly otp?: string | undefined
  /** PEM of the RSA key that signs writes; a service that only looks takes any signature. */
  readonly signingKey?: string | undefined
  /** What is signed: the body, or the secret and the body (docs/brokerage-api.md#signatures). */
  readonly signs?: 'body' | 'secret+body'
  /** Milliseconds between two requests: manners towards a real service. */
  readonly pauseMs?: number
}

export interface Told {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; undefined when it is none. */
  readonly body: unknown
}

export type Query = Readonly<Record<string, string | number | boolean>>

export interface Probe {
  readonly target: Target
  get(path: string, query?: Query, headers?: Readonly<Record<string, string>>): Promise<Told>
  /** With a token that was verified with an OTP; `get` has one for market data. */
  trading(path: string, query?: Query): Promise<Told>
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Told>
  write(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Told>
  /** The same value for every check of a run, found out once. */
  once<T>(name: string, find: () => Promise<T>): Promise<T>
  /** Logs in anew: the former session of the key ends. */
  login(otp: boolean): Promise<Told>
  /** The access token in use. */
  token(): string
}

export class Unreachable extends Error {}

export function createProbe(target: Target, fetcher: typeof fetch = fetch): Probe {
  const kept = new Map<string, Promise<unknown>>()
  let token = ''
  let grade: 'none' | 'market' | 'trading' = 'none'
  let last: Promise<unknown> = Promise.resolve()

  const send = async (method: string, path: string, init: RequestInit): Promise<Told> => {
    if (target.pauseMs) {
      const before = last
      last = before.then(() => new Promise((resolve) => setTimeout(resolve, target.pauseMs)))
      await before
    }
    let response: Response
    try {
      response = await fetcher(target.url.replace(/\/$/, '') + path, { method, redirect: 'error', ...init })
    } catch (cause) {
      throw new Unreachable(`${target.url} cannot be reached`, { cause })
    }
    const text = await response.text()
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      body = undefined
    }
    return { status: response.status, headers: response.headers, text, body }
  }
  const json = { 'content-type': 'application/json' }
  const bearer = () => ({ ...json, authorization: `Bearer ${token}` })
  const withQuery = (path: string, query: Query): string => {
    const text = new URLSearchParams(
      Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    ).toString()
    return text ? `${path}?${text}` : path
  }
  const login = async (otp: boolean): Promise<Told> => {
    const { apiKey, apiSecret } = target
    const body = { apiKey, apiSecret, ...(otp ? { otp: target.otp } : {}) }
    const told = await send('POST', '/api/v3/auth/token', { headers: json, body: JSON.stringify(body) })
    const given = (told.body as { accessToken?: unknown } | undefined)?.accessToken
    if (typeof given === 'string') {
      token = given
      grade = otp ? 'trading' : 'market'
    }
    return told
  }
  const ensure = async (wanted: 'market' | 'trading'): Promise<void> => {
    if (grade === 'trading' || grade === wanted) return
    await login(wanted === 'trading' || target.otp !== undefined)
  }
  return {
    target,
    async get(path, query = {}, headers = {}) {
      await ensure('market')
      return await send('GET', withQuery(path, query), { headers: { ...bearer(), ...headers } })
    },
    async trading(path, query = {}) {
      await ensure('trading')
      return await send('GET', withQuery(path, query), { headers: bearer() })
    },
    post: (path, body, headers = {}) =>
      send('POST', path, { headers: { ...json, ...headers }, body: JSON.stringify(body) }),
    async write(method, path, body, headers = {}) {
      await ensure('trading')
      const text = JSON.stringify(body)
      return await send(method, path, {
        headers: { ...bearer(), 'x-signature': signatureOf(target, text), ...headers },
        body: text,
      })
    },
    once<T>(name: string, find: () => Promise<T>) {
      const known = kept.get(name) ?? find()
      kept.set(name, known)
      return known as Promise<T>
    },
    login,
    token: () => token,
  }
}

/** `sha256=` and hex (docs/brokerage-api.md#signatures); without a key something that looks like one. */
function signatureOf({ signingKey, signs, apiSecret }: Target, body: string): string {
  const data = signs === 'body' ? body : apiSecret + body
  if (!signingKey) return `sha256=${createHash('sha256').update(data).digest('hex')}`
  return `sha256=${createSign('sha256').update(data).sign(signingKey, 'hex')}`
}
