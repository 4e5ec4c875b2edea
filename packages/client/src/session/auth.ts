import type { Effects } from 'candlehouse-foundation/effects'
import type { Secrets } from 'candlehouse-foundation/secrets'
import type { Grade, Tokens } from '../contract.js'
import { excerpt, excerptOfBody } from '../excerpt.js'
import { Fault, type FaultKind } from '../fault.js'
import { member } from '../page/envelope.js'
import { errorBody, isPassing, statusOfCode } from '../page/error-body.js'
import type { SendRules } from '../retries.js'
import type { Sender } from '../sender.js'
import { serverClock } from '../throttle/retry-after.js'
import type { HttpRequest, HttpResponse } from '../transport/transport.js'
import { readTokens } from './tokens.js'

/** Proof of the second factor at a login (docs/market-facts.md#smart-otp). */
export type Proof = { readonly otp: string } | { readonly transactionId: string }

/** An answer of the authentication endpoints that is not a token. `code` as text, else the HTTP status. */
export interface Denied {
  readonly status: number
  readonly code: string
  readonly message: string
}

export type Granted = { readonly tokens: Tokens; readonly denied?: undefined }
export type Refused = { readonly tokens?: undefined; readonly denied: Denied }

/** The three authentication endpoints (docs/brokerage-api.md#signing-in), without policy. */
export interface Auth {
  token(proof: Proof | undefined, signal?: AbortSignal): Promise<Granted | Refused>
  refresh(former: Tokens, signal?: AbortSignal): Promise<Granted | Refused>
  requestOtp(signal?: AbortSignal): Promise<{ message: string; transactionId: string } | Refused>
}

/**
 * A refresh whose answer was lost may have happened, and using a refresh token twice revokes the session
 * (docs/market-facts.md#one-session-per-key): after these it is not sent again.
 */
const UNSAFE_TO_REPEAT: ReadonlySet<FaultKind> = new Set(['reset', 'timeout', 'content'])

/** Without a token nothing can be read. */
const SIGN_IN: SendRules = { reach: 'service' }

export function createAuth(
  sender: Sender,
  credentials: { apiKey: string; apiSecret: string },
  secrets: Secrets,
  effects: Effects,
): Auth {
  const granted = (response: HttpResponse, grade: Grade, former?: Tokens): Granted | Refused => {
    const value = jsonOf(response)
    const clock = { now: effects.now(), server: serverClock({ ...response, date: response.headers.date }) }
    const tokens = response.status < 300 ? readTokens(value, clock, grade, former) : undefined
    if (tokens) {
      secrets.add(tokens.accessToken)
      secrets.add(tokens.refreshToken)
      return { tokens }
    }
    return { denied: deniedBy(response, value) }
  }

  return {
    async token(proof, signal) {
      const body = { ...credentials, ...proof }
      const grade = proof ? 'trading' : 'market'
      const sent = await sender.send(
        async () => post('/api/v3/auth/token', body),
        (response) => granted(response, grade),
        signal,
        SIGN_IN,
      )
      return sent.value
    },

    async refresh(former, signal) {
      const sent = await sender.send(
        async () => post('/api/v3/auth/refresh', { refreshToken: former.refreshToken }),
        (response) => granted(response, former.grade, former),
        signal,
        { ...SIGN_IN, never: UNSAFE_TO_REPEAT },
      )
      return sent.value
    },

    async requestOtp(signal) {
      const sent = await sender.send(
        async () => post('/api/v3/auth/requestOtp', credentials),
        (response) => {
          const value = jsonOf(response)
          const transactionId =
            member(value, 'transactionId') ?? member(member(value, 'data'), 'transactionId')
          if (response.status >= 300 || (typeof transactionId !== 'string' && errorBody(value)))
            return { denied: deniedBy(response, value) }
          const message = member(value, 'message')
          return {
            message: typeof message === 'string' ? excerpt(message) : '',
            transactionId: typeof transactionId === 'string' ? transactionId : '',
          }
        },
        signal,
        SIGN_IN,
      )
      return sent.value
    },
  }
}

function post(path: string, body: unknown): HttpRequest {
  return { method: 'POST', path, query: {}, bearer: undefined, body: JSON.stringify(body) }
}

/** Why there is no token. @throws Fault when another attempt may succeed */
function deniedBy(response: HttpResponse, value: unknown): Denied {
  const error = errorBody(value)
  const status = response.status
  const codeStatus = error && statusOfCode(error.code)
  const passing = isPassing(status)
    ? status
    : codeStatus !== undefined && isPassing(codeStatus)
      ? codeStatus
      : 0
  const text = error ? `${error.code} ${error.message}`.trim() : excerptOfBody(response.body)
  if (passing) throw new Fault('status', `HTTP ${status}: ${text}`, { status: passing })
  if (status === 404 || status === 405) throw new Fault('final', `HTTP ${status}: ${text}`, { status })
  if (error) return { status, ...error }
  // A 400 in plain words is an answer to these credentials; a page in HTML is of something in between.
  const isAnswer = value !== undefined || !text.trimStart().startsWith('<')
  if (status === 401 || status === 403 || (status === 400 && isAnswer))
    return { status, code: String(status), message: text }
  if (status >= 400) throw new Fault('final', `HTTP ${status}: ${text}`, { status })
  throw new Fault(
    'content',
    `HTTP ${status} without a token: ${value === undefined ? text : 'unknown shape'}`,
  )
}

function jsonOf(response: HttpResponse): unknown {
  try {
    return JSON.parse(
      Buffer.from(response.body)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    ) as unknown
  } catch {
    return undefined
  }
}
