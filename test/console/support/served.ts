import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Limits } from '../../../src/console/limits.js'
import { type RunningConsole, startConsole } from '../../../src/console/server.js'
import type { StatementKeeping } from '../../../src/console/user-statements.js'
import type { Effects } from '../../../src/effects.js'
import type { PaletteName } from '../../../src/settings/index.js'
import { onEnd } from '../../support/cleanup.js'
import { evening } from '../../support/published.js'

/** What a server of the console answered. */
export interface Reply {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  bytes: Buffer
  text: string
  json: <T = Record<string, unknown>>() => T
}

export interface Asked {
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
  /** @default true */
  withToken?: boolean
  signal?: AbortSignal
}

export interface Served extends RunningConsole {
  origin: string
  ask(path: string, asked?: Asked): Promise<Reply>
}

/** A clock on which no time limit is ever reached. */
export function patientEffects(): Effects {
  return { ...evening(), sleep: untilAborted }
}

async function untilAborted(_: number, signal?: AbortSignal): Promise<void> {
  await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
}

interface ServeOptions {
  keeping?: StatementKeeping
  limits?: Limits
  palette?: PaletteName
  effects?: Effects
}

/** A console on a free port, closed with the test. */
export async function serve(
  home: string,
  { effects = patientEffects(), ...options }: ServeOptions = {},
): Promise<Served> {
  const running = await startConsole({ home, port: 0, ...options }, effects)
  onEnd(() => running.close())
  const { origin } = new URL(running.url)
  return { ...running, origin, ask: (path, asked) => ask(origin + path, running.token, asked) }
}

async function ask(
  url: string,
  token: string,
  { method, headers = {}, body, withToken = true, signal }: Asked = {},
): Promise<Reply> {
  const authorization: Record<string, string> = withToken ? { authorization: `Bearer ${token}` } : {}
  const options = { headers: { ...authorization, ...headers }, ...(signal ? { signal } : {}) }
  return await new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: method ?? (body === undefined ? 'GET' : 'POST'), ...options },
      (response) => {
        buffer(response).then((bytes) => {
          const { statusCode: status = 0, headers: received } = response
          const text = bytes.toString()
          resolve({ status, headers: received, bytes, text, json: () => JSON.parse(text) })
        }, reject)
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
