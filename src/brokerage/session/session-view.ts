import type { Grade, Tokens } from '../contract.js'
import type { Proof } from './auth.js'

/** One login shared by all workers (docs/market-facts.md#one-session-per-key: one active session per API key). */
export interface Session {
  /** Logs in, or refreshes a kept session, unless a token is at hand. @throws SettingsError, ServiceError */
  ensure(signal?: AbortSignal): Promise<Tokens>
  /** Undefined before the first login. */
  readonly grade: Grade | undefined
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
   * Refreshes a kept session although its token is still good, so that it lives on. Where the service refuses, the
   * token is used up to its end. @returns the new tokens, undefined when it was refused @throws as `ensure`
   */
  keepAlive(signal?: AbortSignal): Promise<Tokens | undefined>
  /** Forgets the tokens. */
  forget(): void
}

/** What the client's requests see of the session besides. */
export interface SharedSession extends Session {
  /** A token that is not about to expire. */
  bearer(signal?: AbortSignal): Promise<Held>
  /** The service answered 401 to this token: renews it once for all workers. */
  rejected(held: Held, signal?: AbortSignal): Promise<void>
}

/** One token's life in this process; compared by identity. */
export interface Held {
  readonly tokens: Tokens
  /** Kept: from an earlier run. */
  readonly from: 'login' | 'refresh' | 'kept'
  /** A request with it succeeded. */
  proved: boolean
}
