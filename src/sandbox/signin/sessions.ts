import { randomBytes, randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import type { Effects } from '../../effects.js'
import { DEMO_API_KEY, type SandboxOptions } from '../options.js'
import { Refusal } from '../wire/refusal.js'
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
}

const REFRESH_TTL_SECONDS = 7 * 24 * 3600
const DEFAULT_TTL_SECONDS = 8 * 3600

interface Session {
  id: string
  /** Identifiers of its only valid access token and refresh token. */
  accessId: string
  refreshId: string
  verified: boolean
}

/**
 * The one session of the demo key: another login ends it, a refresh replaces both of its tokens, and using a
 * replaced refresh token revokes it (docs/market-facts.md#one-session-per-key).
 */
export class Sessions {
  private readonly secret = randomBytes(32)
  private session: Session | undefined
  private readonly otps: OneTimePasswords
  private readonly accepted = new Map<string, { accessId: string; verified: boolean; expiresAt: number }>()

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
  async login(otp: string | undefined, transactionId: string | undefined): Promise<TokenAnswer> {
    let verified = false
    if (otp) {
      this.otps.use(otp)
      verified = true
    } else if (transactionId) {
      this.otps.redeem(transactionId)
      verified = true
    }
    this.session = { id: randomUUID(), accessId: randomUUID(), refreshId: randomUUID(), verified }
    return this.tokens(this.session)
  }

  async refresh(refreshToken: string): Promise<TokenAnswer> {
    const { session } = this
    const claims = await this.claims(refreshToken)
    if (claims?.use !== 'refresh')
      throw unauthorized('body refreshToken: is not a refresh token of this sandbox, or expired')
    if (!session || claims.sid !== session.id)
      throw unauthorized('body refreshToken: its session was ended by another login')
    if (claims.jti !== session.refreshId) {
      this.session = undefined
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
    if (grant.accessId !== this.session?.accessId)
      throw unauthorized('header Authorization: the access token was replaced by a later login or refresh')
    return { verified: grant.verified }
  }

  private async readAccessToken(token: string) {
    const claims = await this.claims(token)
    if (claims?.use !== 'access')
      throw unauthorized('header Authorization: is not a valid access token of this sandbox, or expired')
    const grant = { accessId: claims.jti ?? '', verified: claims.otp === true, expiresAt: claims.exp ?? 0 }
    if (this.accepted.size > 1_000) this.accepted.clear()
    this.accepted.set(token, grant)
    return grant
  }

  private async tokens({ id, accessId, refreshId, verified }: Session): Promise<TokenAnswer> {
    const now = Math.floor(this.effects.now() / 1000)
    const expiresAt = now + (this.options.tokenTtlSeconds ?? DEFAULT_TTL_SECONDS)
    const refreshExpiresAt = now + REFRESH_TTL_SECONDS
    const sign = (claims: Record<string, unknown>, expires: number, jti: string) =>
      new SignJWT({ ...claims, sid: id, otp: verified })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(DEMO_API_KEY)
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
