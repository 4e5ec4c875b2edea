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
  refreshId: string
  verified: boolean
}

/**
 * The one session of the demo key: another login ends it, a refresh replaces its refresh token, and using a
 * replaced refresh token revokes it (docs/market-facts.md#one-session-per-key).
 */
export class Sessions {
  private readonly secret = randomBytes(32)
  private session: Session | undefined
  private readonly otps: OneTimePasswords
  private readonly accepted = new Map<string, { session: string; verified: boolean; expiresAt: number }>()

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
    this.session = { id: randomUUID(), refreshId: randomUUID(), verified }
    return this.tokens(this.session)
  }

  async refresh(refreshToken: string): Promise<TokenAnswer> {
    const { session } = this
    const claims = await this.claims(refreshToken)
    if (!session || claims?.use !== 'refresh' || claims.sid !== session.id) throw unauthorized()
    if (claims.jti !== session.refreshId) {
      this.session = undefined
      throw unauthorized()
    }
    session.refreshId = randomUUID()
    return this.tokens(session)
  }

  /** Reads an Authorization header; refuses anything but a live access token of the present session. */
  async grant(authorization: string | undefined): Promise<Grant> {
    const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1]
    if (!token) throw unauthorized()
    const grant = this.accepted.get(token)
    if (grant) {
      if (grant.expiresAt <= this.effects.now() / 1000 || grant.session !== this.session?.id)
        throw unauthorized()
      return { verified: grant.verified }
    }
    const claims = await this.claims(token)
    if (claims?.use !== 'access' || !this.session || claims.sid !== this.session.id) throw unauthorized()
    const verified = claims.otp === true
    if (this.accepted.size > 1_000) this.accepted.clear()
    this.accepted.set(token, { session: this.session.id, verified, expiresAt: claims.exp ?? 0 })
    return { verified }
  }

  private async tokens({ id, refreshId, verified }: Session): Promise<TokenAnswer> {
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
      accessToken: await sign({ use: 'access' }, expiresAt, randomUUID()),
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

export const unauthorized = (): Refusal => new Refusal(401, 'Unauthorized')
