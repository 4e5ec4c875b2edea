import type { Grade, Tokens } from '../contract.js'
import type { Proof } from './auth.js'
import type { Moment } from './elapsed.js'

/** A login that all workers share (docs/market-facts.md#one-session-per-key: one active session per API key). */
export interface Session {
  /** Logs in, or refreshes a kept session, unless there is a usable token. @throws SettingsError, ServiceError */
  ensure(signal?: AbortSignal): Promise<Tokens>
  /** Undefined before the first login. */
  readonly grade: Grade | undefined
  /** Whether a session that could trade, from an earlier run or by a one-time password, ended: this one reads market data only. */
  readonly isDowngraded: boolean
  /** Why the given one-time password was not accepted; the session then reads market data only. */
  readonly otpProblem: string | undefined
  /**
   * A new login with what proves the second factor. @throws SettingsError when key, secret or proof are
   * refused; `OtpPendingError` while a Smart OTP is not approved yet
   */
  login(proof?: Proof, signal?: AbortSignal): Promise<Tokens>
  /** Has an OTP sent, or an approval asked for in the mobile app (docs/brokerage-api.md#requestotp). */
  requestOtp(signal?: AbortSignal): Promise<{ message: string; transactionId: string }>
  /**
   * Refreshes a kept session although its token is still valid, to extend it. If the service refuses, the
   * token is used up to its end. @returns the new tokens, undefined when it was refused @throws as `ensure`
   */
  keepAlive(signal?: AbortSignal): Promise<Tokens | undefined>
  /** Forgets the tokens. */
  forget(): void
}

/** The session as the client's own requests see it. */
export interface SharedSession extends Session {
  /** A token that is not about to expire. */
  bearer(signal?: AbortSignal): Promise<SessionToken>
  /** The service answered 401 to this token: renews it once for all workers. */
  rejected(token: SessionToken, signal?: AbortSignal): Promise<void>
}

/** A token as this process uses it; compared by identity. */
export interface SessionToken {
  readonly tokens: Tokens
  /** `kept`: from an earlier run. */
  readonly from: 'login' | 'refresh' | 'kept'
  /** When this process got it, by both clocks. */
  readonly arrived: Moment
  /** Whether a request with this token has succeeded. */
  proved: boolean
}
