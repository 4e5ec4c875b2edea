import { randomUUID } from 'node:crypto'
import type { Effects } from 'candlehouse-foundation/effects'
import { DEMO_OTP, DEMO_PIN, type SandboxOptions } from '../../options.js'
import { Refusal } from '../wire/refusal.js'

/** Wrong one-time passwords before they are refused without looking. */
const ATTEMPTS = 5
/** Milliseconds after which guessing may go on; a new password lifts the lock too. */
const LOCKED_MS = 15 * 60_000
/**
 * Life of a password that was sent, and of a Smart OTP request (about 30 s: docs/market-facts.md#smart-otp),
 * milliseconds.
 */
const SENT_MS = 5 * 60_000
const SMART_MS = 30_000

interface SmartRequest {
  readonly at: number
  polls: number
  state: 'pending' | 'approved' | 'declined' | 'used'
}

/** The second factor: a documented demo password, passwords sent on request, approvals in the mobile app. */
export class OneTimePasswords {
  private isDemoUsed = false
  private sent: { otp: string; at: number } | undefined
  private wrong = 0
  private lockedAt = 0
  private readonly smart = new Map<string, SmartRequest>()

  constructor(
    private readonly options: SandboxOptions,
    private readonly effects: Effects,
  ) {}

  /** Sends a password to the sandbox's console, as to a phone, and opens a Smart OTP request. */
  request(): string {
    const otp = String(Math.floor(this.effects.random() * 1_000_000)).padStart(6, '0')
    this.sent = { otp, at: this.effects.now() }
    this.wrong = 0
    this.options.onOtp?.(otp)
    const transactionId = randomUUID()
    this.smart.set(transactionId, { at: this.effects.now(), polls: 0, state: 'pending' })
    return transactionId
  }

  /** @throws Refusal for a wrong, used or late password, and for guessing */
  use(otp: string): void {
    const now = this.effects.now()
    if (this.wrong >= ATTEMPTS && now - this.lockedAt < LOCKED_MS) throw new Refusal(403, 'OTP is locked')
    if (this.wrong >= ATTEMPTS) this.wrong = 0
    if (!this.matches(otp)) {
      this.wrong++
      this.lockedAt = now
      throw new Refusal(401, 'Invalid OTP')
    }
    this.wrong = 0
    if (this.sent?.otp === otp) this.sent = undefined
    else if (this.options.singleUseOtp) this.isDemoUsed = true
  }

  /** `code` of a conditional order: the PIN, or a one-time password, which it does not use up. */
  verifyCode(code: string): boolean {
    return code === DEMO_PIN || this.matches(code)
  }

  /**
   * @throws Refusal with the codes of live deployments (docs/market-facts.md#smart-otp): 401114 pending, the
   * others end it
   */
  redeem(transactionId: string): void {
    const request = this.smart.get(transactionId)
    if (!request || request.state === 'declined')
      throw new Refusal(401, 'OTP request was declined', { code: 401113 })
    if (request.state === 'used') throw new Refusal(401, 'OTP request was used', { code: 401116 })
    if (this.effects.now() - request.at > SMART_MS)
      throw new Refusal(401, 'OTP request expired', { code: 401115 })
    request.polls++
    // Unless somebody drives it, the customer needs one poll to find the phone.
    const approved =
      request.state === 'approved' || (this.options.smartOtp !== 'manual' && request.polls >= 2)
    if (!approved) throw new Refusal(202, 'Waiting for approval', { code: 401114 })
    request.state = 'used'
  }

  answer(transactionId: string, approve: boolean): boolean {
    const request = this.smart.get(transactionId)
    if (request?.state !== 'pending') return false
    request.state = approve ? 'approved' : 'declined'
    return true
  }

  private matches(otp: string): boolean {
    const { sent } = this
    if (otp === DEMO_OTP && !this.isDemoUsed) return true
    return sent?.otp === otp && this.effects.now() - sent.at <= SENT_MS
  }
}
