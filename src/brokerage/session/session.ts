import type { Grade, Tokens } from '../contract.js'

/** One login shared by all workers (field notes §1: one active session per API key). */
export interface Session {
  /** Logs in, or refreshes a kept session, unless a token is at hand. @throws SettingsError, ServiceError */
  ensure(signal?: AbortSignal): Promise<Tokens>
  /** Undefined before the first login. */
  readonly grade: Grade | undefined
  /** Why the given one-time password was not accepted; the session then reads market data only. */
  readonly otpProblem: string | undefined
  /** A new login, with what proves the second factor when given. */
  login(proof?: { otp: string } | { transactionId: string }, signal?: AbortSignal): Promise<Tokens>
  /** Has an OTP sent, or an approval asked for in the mobile app (spec, Authentication 5). */
  requestOtp(signal?: AbortSignal): Promise<{ message: string; transactionId: string }>
  /** Forgets the tokens. */
  forget(): void
}
