// The one session a key may have.

import { createHash } from 'node:crypto'
import { type Answer, invalid, Refusal, serve } from './answer.js'
import type { StandInOptions } from './options.js'

interface Session {
  access: string
  refresh: string
  otp: boolean
  accessEnds: number
  refreshEnds: number
}

type Body = Record<string, unknown>

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export class Tokens {
  #session: Session | undefined
  #spent = new Set<string>()
  #issued = 0
  #polls = new Map<string, number>()

  constructor(private readonly options: StandInOptions) {}

  /** Ends the session as another login elsewhere would. */
  revoke(): void {
    this.#session = undefined
  }

  /** The access token counts as expired; the refresh token still works. */
  expire(): void {
    if (this.#session) this.#session.accessEnds = 0
  }

  /** 'otp' or 'plain' for the session in force. */
  check(authorization: string | undefined): 'otp' | 'plain' {
    const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1]
    const session = this.#session
    if (!token || !session || token !== session.access) throw new Refusal(401, '401', 'Unauthorized')
    if (this.options.now() >= session.accessEnds) throw new Refusal(401, '401', 'Token expired')
    return session.otp ? 'otp' : 'plain'
  }

  login(body: Body): Answer {
    this.#key(body, false)
    const { otp, transactionId } = body
    if (otp !== undefined && otp !== '' && otp !== this.options.otp)
      throw new Refusal(401, '401', 'Invalid otp')
    if (typeof transactionId === 'string' && transactionId && !otp) {
      const polls = this.#polls.get(transactionId)
      if (polls === undefined) throw new Refusal(401, '401113', 'Unknown transactionId')
      this.#polls.set(transactionId, polls + 1)
      if (polls < this.options.smartOtpPending) throw new Refusal(202, '401114', 'Waiting for approval', true)
      return this.#issue(true)
    }
    return this.#issue(Boolean(otp))
  }

  requestOtp(body: Body): Answer {
    this.#key(body, true)
    const transactionId = `standin-transaction-${this.#polls.size + 1}`
    this.#polls.set(transactionId, 0)
    return serve({ message: 'OTP sent', transactionId })
  }

  refresh(body: Body): Answer {
    if (this.options.refreshShape === 'refused') throw invalid()
    const token = body.refreshToken
    if (typeof token !== 'string' || token === '') throw invalid()
    const session = this.#session
    if (this.#spent.has(token)) this.#session = undefined
    if (!session || token !== session.refresh || this.options.now() >= session.refreshEnds) {
      throw new Refusal(401, '401', 'Invalid refresh token')
    }
    this.#spent.add(token)
    return this.#issue(session.otp)
  }

  #key({ apiKey, apiSecret }: Body, numeric: boolean): void {
    for (const [name, value] of Object.entries({ apiKey, apiSecret })) {
      if (typeof value === 'string' && value !== '') continue
      throw new Refusal(400, '400', numeric ? `${name} is required` : 'Invalid request', numeric)
    }
    if (apiKey !== this.options.apiKey || apiSecret !== this.options.apiSecret) {
      throw new Refusal(401, '401', 'Invalid apiKey or apiSecret', numeric)
    }
  }

  #token(use: string, ends: number): string {
    const body = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded({ use, n: this.#issued, exp: Math.floor(ends / 1000) })}`
    return `${body}.${createHash('sha256').update(`standin ${body}`).digest('base64url')}`
  }

  #issue(otp: boolean): Answer {
    const now = this.options.now()
    this.#issued += 1
    const accessEnds = now + this.options.tokenTtlSeconds * 1000
    const refreshEnds = now + this.options.refreshTtlSeconds * 1000
    const [access, refresh] = [this.#token('access', accessEnds), this.#token('refresh', refreshEnds)]
    this.#session = { access, refresh, otp, accessEnds, refreshEnds }
    const stamp = (at: number): number => (this.options.expiresIn === 'ms' ? at : Math.floor(at / 1000))
    return serve({
      tokenType: 'Bearer',
      accessToken: access,
      refreshToken: refresh,
      expiresAt: stamp(accessEnds),
      refreshExpiresAt: stamp(refreshEnds),
    })
  }
}
