// The one session that each key may have.

import { createHash } from 'node:crypto'
import { type Answer, invalid, Refusal, serve } from './answer.js'
import type { StandInKey, StandInOptions } from './options.js'

interface Session {
  apiKey: string
  access: string
  refresh: string
  otp: boolean
  accessEnds: number
  refreshEnds: number
}

type Body = Record<string, unknown>

/** Whose request it is. `accounts` undefined: every account. */
export interface Bearer {
  grade: 'otp' | 'plain'
  accounts: readonly string[] | undefined
}

type Key = Omit<StandInKey, 'accounts'> & { accounts: readonly string[] | undefined }

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export class Tokens {
  /** By API key. */
  private sessions = new Map<string, Session>()
  /** Used refresh tokens and their keys. */
  private spent = new Map<string, string>()
  private issued = 0
  private polls = new Map<string, number>()
  /** One-time passwords that opened a session. */
  private used = new Set<string>()

  constructor(private readonly options: StandInOptions) {}

  /** Every token that was ever given out. */
  readonly given: string[] = []

  /** Ends every session as other logins elsewhere would. */
  revoke(): void {
    this.sessions.clear()
  }

  /** The access tokens count as expired; the refresh tokens still work. */
  expire(): void {
    for (const session of this.sessions.values()) session.accessEnds = 0
  }

  /** API key of a login or a session in force; undefined where there is none. */
  keyOf(authorization: string | undefined, body: string): string | undefined {
    const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1]
    const sent = /"(?:refreshToken|apiKey)":"([^"]+)"/.exec(body)?.[1]
    const session = [...this.sessions.values()].find(
      ({ access, refresh }) => access === token || refresh === sent,
    )
    return session?.apiKey ?? sent
  }

  /** Whose session in force it is. */
  check(authorization: string | undefined): Bearer {
    const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1]
    const session = [...this.sessions.values()].find(({ access }) => access === token)
    if (!token || !session) throw new Refusal(401, '401', 'Unauthorized')
    if (this.options.now() >= session.accessEnds) throw new Refusal(401, '401', 'Token expired')
    const { accounts } = this.keys().find(({ apiKey }) => apiKey === session.apiKey) ?? { accounts: [] }
    return { grade: session.otp ? 'otp' : 'plain', accounts }
  }

  login(body: Body): Answer {
    const key = this.key(body, false)
    const { otp, transactionId } = body
    if (otp !== undefined && otp !== '') {
      const isUsed = this.options.otpSingleUse && this.used.has(key.otp)
      if (otp !== key.otp || isUsed) throw new Refusal(401, '401', 'Invalid otp')
      this.used.add(key.otp)
    }
    if (typeof transactionId === 'string' && transactionId && !otp) {
      const polls = this.polls.get(transactionId)
      if (polls === undefined) throw new Refusal(401, '401113', 'Unknown transactionId')
      this.polls.set(transactionId, polls + 1)
      if (polls < this.options.smartOtpPending) throw new Refusal(202, '401114', 'Waiting for approval', true)
      return this.issue(key.apiKey, true)
    }
    return this.issue(key.apiKey, Boolean(otp))
  }

  requestOtp(body: Body): Answer {
    this.key(body, true)
    const transactionId = `standin-transaction-${this.polls.size + 1}`
    this.polls.set(transactionId, 0)
    return serve({ message: 'OTP sent', transactionId })
  }

  refresh(body: Body): Answer {
    if (this.options.refreshShape === 'refused') throw invalid()
    const token = body.refreshToken
    if (typeof token !== 'string' || token === '') throw invalid()
    const session = [...this.sessions.values()].find(({ refresh }) => refresh === token)
    const spent = this.spent.get(token)
    if (spent) this.sessions.delete(spent)
    if (!session || this.options.now() >= session.refreshEnds) {
      throw new Refusal(401, '401', 'Invalid refresh token')
    }
    this.spent.set(token, session.apiKey)
    return this.issue(session.apiKey, session.otp)
  }

  private keys(): Key[] {
    const { apiKey, apiSecret, otp, ownAccounts, keys } = this.options
    return [{ apiKey, apiSecret, otp, accounts: ownAccounts }, ...keys]
  }

  private key({ apiKey, apiSecret }: Body, numeric: boolean): Key {
    for (const [name, value] of Object.entries({ apiKey, apiSecret })) {
      if (typeof value === 'string' && value !== '') continue
      throw new Refusal(400, '400', numeric ? `${name} is required` : 'Invalid request', numeric)
    }
    const key = this.keys().find((one) => one.apiKey === apiKey && one.apiSecret === apiSecret)
    if (!key) throw new Refusal(401, '401', 'Invalid apiKey or apiSecret', numeric)
    return key
  }

  private token(use: string, ends: number): string {
    const body = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded({ use, n: this.issued, exp: Math.floor(ends / 1000) })}`
    return `${body}.${createHash('sha256').update(`standin ${body}`).digest('base64url')}`
  }

  private issue(apiKey: string, otp: boolean): Answer {
    const now = this.options.now()
    this.issued += 1
    const accessEnds = now + this.options.tokenTtlSeconds * 1000
    const refreshEnds = now + this.options.refreshTtlSeconds * 1000
    const [access, refresh] = [this.token('access', accessEnds), this.token('refresh', refreshEnds)]
    this.given.push(access, refresh)
    this.sessions.set(apiKey, { apiKey, access, refresh, otp, accessEnds, refreshEnds })
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
