import { randomBytes, randomUUID } from 'node:crypto'
import type { Effects } from 'candlehouse-foundation/effects'
import { jwtVerify, SignJWT } from 'jose'
import type { SandboxOptions } from '../../options.js'
import { Refusal } from '../wire/refusal.js'
import type { ClientKey } from './keys.js'
import { OneTimePasswords } from './otp.js'

/** Token object of the specification; expiries are epoch seconds (docs/market-facts.md#token-expiry). */
export interface TokenAnswer {
  tokenType: 'Bearer'
  accessToken: string
  refreshToken: string
  expiresAt: number
  refreshExpiresAt: number
}

/** Rights of an accepted access token. */
export interface Grant {
  /** Verified with a one-time password: account reads and trading. */
  verified: boolean
  /** Client of the key. */
  clientId: string
}

const REFRESH_TTL_SECONDS = 7 * 24 * 3600
const DEFAULT_TTL_SECONDS = 8 * 3600

interface Session {
  id: string
  key: ClientKey
  /** Identifiers of its only valid access token and refresh token. */
  accessId: string
  refreshId: string
  verified: boolean
}

/**
 * The one session of each key: another login with the key ends it, a refresh replaces both of its tokens, and using a
 * replaced refresh token revokes it (docs/market-facts.md#one-session-per-key).
 */
export class Sessions {
  private readonly secret = randomBytes(32)
  /** By client. */
  private readonly sessions = new Map<string, Session>()
  private readonly otps: OneTimePasswords
  private readonly accepted = new Map<string, Grant & { accessId: string; expiresAt: number }>()

  constructor(
    private readonly options: SandboxOptions,
    private readonly effects: Effects,
  ) {
    this.otps = new OneTimePasswords(options, effects)
  }

  /** Sends a one-time password and asks for an approval; the caller uses whichever its account has. */
  requestOtp(): string {
    return this.otps.request()
  }

  /** Answers a Smart OTP request as the customer would in the mobile app. */
  answerSmartOtp(transactionId: string, approve: boolean): boolean {
    return this.otps.answer(transactionId, approve)
  }

  /** Whether a `code` (OTP or PIN) of a conditional order is right (docs/brokerage-api.md#conditional-orders). */
  verifyCode(code: string): boolean {
    return this.otps.verifyCode(code)
  }

  /** Logs in with a one-time password, a Smart OTP that was approved, or for market data only. */
  async login(
    key: ClientKey,
    otp: string | undefined,
    transactionId: string | undefined,
  ): Promise<TokenAnswer> {
    let verified = false
    if (otp) {
      this.otps.use(otp)
      verified = true
    } else if (transactionId) {
      this.otps.redeem(transactionId)
      verified = true
    }
    const session = { id: randomUUID(), key, accessId: randomUUID(), refreshId: randomUUID(), verified }
    this.sessions.set(key.clientId, session)
    return this.tokens(session)
  }

  async refresh(refreshToken: string): Promise<TokenAnswer> {
    const claims = await this.claims(refreshToken)
    const session = [...this.sessions.values()].find(({ id }) => id === claims?.sid)
    if (claims?.use !== 'refresh')
      throw unauthorized('body refreshToken: is not a refresh token of this sandbox, or expired')
    if (!session) throw unauthorized('body refreshToken: its session was ended by another login')
    if (claims.jti !== session.refreshId) {
      this.sessions.delete(session.key.clientId)
      throw unauthorized('body refreshToken: was used before; the session is revoked')
    }
    session.refreshId = randomUUID()
    session.accessId = randomUUID()
    return this.tokens(session)
  }

  /**
   * Reads an Authorization header; refuses anything but the latest access token of the present session. The scheme is in
   * any case, as HTTP has it (RFC 9110, 11.1).
   */
  async grant(authorization: string | undefined): Promise<Grant> {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (!token)
      throw unauthorized(
        `header Authorization: ${authorization ? 'expected the form' : 'is missing; expected'} "Bearer <accessToken>"`,
      )
    const grant = this.accepted.get(token) ?? (await this.readAccessToken(token))
    if (grant.expiresAt <= this.effects.now() / 1000)
      throw unauthorized('header Authorization: the access token has expired; refresh it')
    if (grant.accessId !== this.sessions.get(grant.clientId)?.accessId)
      throw unauthorized('header Authorization: the access token was replaced by a later login or refresh')
    return { verified: grant.verified, clientId: grant.clientId }
  }

  private async readAccessToken(token: string) {
    const claims = await this.claims(token)
    if (claims?.use !== 'access')
      throw unauthorized('header Authorization: is not a valid access token of this sandbox, or expired')
    const grant = {
      accessId: claims.jti ?? '',
      clientId: String(claims.client),
      verified: claims.otp === true,
      expiresAt: claims.exp ?? 0,
    }
    if (this.accepted.size > 1_000) this.accepted.clear()
    this.accepted.set(token, grant)
    return grant
  }

  private async tokens({ id, key, accessId, refreshId, verified }: Session): Promise<TokenAnswer> {
    const now = Math.floor(this.effects.now() / 1000)
    const expiresAt = now + (this.options.tokenTtlSeconds ?? DEFAULT_TTL_SECONDS)
    const refreshExpiresAt = now + REFRESH_TTL_SECONDS
    const sign = (claims: Record<string, unknown>, expires: number, jti: string) =>
      new SignJWT({ ...claims, sid: id, client: key.clientId, otp: verified })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(key.apiKey)
        .setJti(jti)
        .setIssuedAt(now)
        .setExpirationTime(expires)
        .sign(this.secret)
    return {
      tokenType: 'Bearer',
      accessToken: await sign({ use: 'access' }, expiresAt, accessId),
      refreshToken: await sign({ use: 'refresh' }, refreshExpiresAt, refreshId),
      expiresAt,
      refreshExpiresAt,
    }
  }

  /** Claims of a token signed here and not expired; `alg: none` and foreign keys are not. */
  private async claims(token: string) {
    try {
      const currentDate = new Date(this.effects.now())
      return (await jwtVerify(token, this.secret, { algorithms: ['HS256'], currentDate })).payload
    } catch {
      return undefined
    }
  }
}

export const unauthorized = (problem: string): Refusal => new Refusal(401, 'Unauthorized', { problem })
