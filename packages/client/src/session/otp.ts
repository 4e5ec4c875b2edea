import type { Effects } from 'candlehouse-foundation/effects'
import { ServiceError, SettingsError } from 'candlehouse-foundation/errors'
import { type Advice, PLAIN_ADVICE } from '../advice.js'
import type { Tokens } from '../contract.js'
import type { Denied } from './auth.js'
import type { Session } from './session-view.js'

/** The approval in the mobile app has not been given yet: HTTP 202, code 401114 (docs/market-facts.md#smart-otp). */
export class OtpPendingError extends ServiceError {}

const PENDING = '401114'

/** Rejected, expired, used up: no later answer will be different (docs/market-facts.md#smart-otp). */
const ENDED: ReadonlySet<string> = new Set(['401113', '401115', '401116'])

export function isPending(denied: Denied): boolean {
  return denied.code === PENDING || (denied.status === 202 && !ENDED.has(denied.code))
}

/** Milliseconds; an approval is valid for about 30 s (docs/market-facts.md#smart-otp), so asking for 40 covers it. */
const PATIENCE_MS = 40_000

/**
 * Asks for an approval in the mobile app and waits for it.
 *
 * @param pollMs milliseconds between two questions
 * @param advice words of hints
 * @throws SettingsError when it is refused or not given in time
 */
export async function loginBySmartOtp(
  session: Session,
  effects: Effects,
  signal?: AbortSignal,
  pollMs = 2000,
  advice: Advice = PLAIN_ADVICE,
): Promise<Tokens> {
  const { transactionId } = await session.requestOtp(signal)
  if (!transactionId)
    throw new SettingsError('the service gave no transactionId: this account has no Smart OTP', {
      hint: advice.otpInstead,
    })
  const until = effects.monotonic() + PATIENCE_MS
  for (;;) {
    try {
      return await session.login({ transactionId }, signal)
    } catch (error) {
      if (!(error instanceof OtpPendingError)) throw error
      if (effects.monotonic() >= until)
        throw new SettingsError('the login was not approved in the mobile app in time', {
          hint: advice.smartOtp,
          cause: error,
        })
      await effects.sleep(pollMs, signal)
    }
  }
}
