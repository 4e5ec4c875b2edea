import type { Effects } from 'candlehouse-foundation/effects'
import { type CandlehouseError, ServiceError, SettingsError } from 'candlehouse-foundation/errors'
import type { Secrets } from 'candlehouse-foundation/secrets'
import type { Advice } from '../advice.js'
import type { Tokens } from '../contract.js'
import type { Auth, Denied, Proof } from './auth.js'
import { momentOf, nowSince } from './elapsed.js'
import { LoginRefusedError } from './login-refused-error.js'
import { isPending, OtpPendingError } from './otp.js'
import type { SessionToken, SharedSession } from './session-view.js'
import { SharedWork } from './shared-work.js'
import { renewAt } from './tokens.js'

export interface SessionOptions {
  /** False when BROKER_API_KEY or BROKER_API_SECRET is unset. */
  readonly hasKey: boolean
  /** What messages call key and secret. */
  readonly names: { readonly apiKey: string; readonly apiSecret: string }
  /** `BROKER_OTP`: used for the first login only. */
  readonly otp: string | undefined
  /** A session kept by an earlier run. */
  readonly kept: Tokens | undefined
  /** Stores tokens; awaited before they are used, since a lost refresh token is a lost session. */
  readonly onTokens: (tokens: Tokens) => Promise<void> | void
  /** Words of hints. */
  readonly advice: Advice
}

interface SessionParts {
  readonly auth: Auth
  readonly options: SessionOptions
  readonly secrets: Secrets
  readonly effects: Effects
}

/** Milliseconds. A token that worked longer than this was not ended by another program that keeps logging in. */
const LONG_SERVED_MS = 10 * 60_000

const OTP_REFUSED = 'the one-time password was refused: it is wrong, expired or already used'

export function createSession(
  auth: Auth,
  options: SessionOptions,
  secrets: Secrets,
  effects: Effects,
): SharedSession {
  return new ClientSession({ auth, options, secrets, effects })
}

/**
 * The session of one client. Only one login or refresh is in flight at a time; all callers wait for the same one.
 * Its fields are private at run time too: a logger that prints a client would print its tokens (`client.session`).
 */
class ClientSession implements SharedSession {
  #token: SessionToken | undefined
  /** The one-time password, until it has been used. */
  #otp: string | undefined
  otpProblem: string | undefined
  isDowngraded = false
  /** The login or refresh that is under way: one for all that wait. */
  readonly #renewal = new SharedWork<SessionToken>()
  /** How often another login has ended this session. */
  #thefts = 0
  /** After credentials were refused, every further login could lock the account: nothing is sent any more. */
  #ended: CandlehouseError | undefined
  /** Whether the service has accepted key and secret: what it refuses then is the one-time password. */
  #isKeyProved = false
  readonly #parts: SessionParts

  constructor(parts: SessionParts) {
    this.#parts = parts
    const { options, effects } = parts
    const { kept } = options
    const otp = options.otp?.trim() || undefined
    this.#otp = otp
    // A one-time password is given in order to trade: a kept session that cannot trade is then not used.
    const isUsable = kept && !(otp !== undefined && kept.grade === 'market')
    this.#token = isUsable
      ? { tokens: kept, from: 'kept', arrived: momentOf(effects), proved: false }
      : undefined
  }

  get grade(): Tokens['grade'] | undefined {
    return this.#token?.tokens.grade
  }

  async bearer(signal?: AbortSignal): Promise<SessionToken> {
    const inFlight = this.#renewal.join(signal)
    if (inFlight) return await inFlight
    if (this.#ended) throw this.#ended
    if (this.#token && !this.isDue(this.#token)) return this.#token
    return await this.#renewal.run((stop) => this.renew(stop, false), signal)
  }

  async ensure(signal?: AbortSignal): Promise<Tokens> {
    return (await this.bearer(signal)).tokens
  }

  async rejected(rejectedToken: SessionToken, signal?: AbortSignal): Promise<void> {
    await this.#renewal.join(signal)
    if (this.#ended) throw this.#ended
    if (this.#token !== rejectedToken) return
    const { tokens, from, proved } = rejectedToken
    if (from === 'login' && !proved)
      throw this.end(
        new SettingsError('the service refuses the token it has just given (401 right after login)', {
          hint: this.keyHint,
        }),
      )
    const isExpired = tokens.expiresAt !== undefined && tokens.expiresAt <= this.since(rejectedToken).latest
    const isRefreshUseless = from === 'refresh' && !proved
    await this.#renewal.run((stop) => {
      if (isRefreshUseless) this.#token = withoutRefresh(rejectedToken)
      return this.renew(stop, proved && !isExpired)
    }, signal)
  }

  async keepAlive(signal?: AbortSignal): Promise<Tokens | undefined> {
    const former = this.#token
    if (!former || this.isDue(former)) return (await this.bearer(signal)).tokens
    let fresh: SessionToken | undefined
    await this.#renewal.run(async (stop) => {
      fresh = await this.refresh(former, stop)
      if (fresh) return fresh
      // The refresh may have happened although its answer was lost: a second use would revoke the session.
      this.#token = withoutRefresh(former)
      return this.#token
    }, signal)
    return fresh?.tokens
  }

  async login(proof?: Proof, signal?: AbortSignal): Promise<Tokens> {
    if (proof && 'otp' in proof && proof.otp.trim() === '')
      throw new SettingsError('the one-time password is empty: nothing was sent', {
        hint: this.#parts.options.advice.otp,
      })
    if (proof) this.#parts.secrets.add('otp' in proof ? proof.otp : proof.transactionId)
    await this.#renewal.join(signal)?.catch(() => signal?.throwIfAborted())
    this.#ended = undefined
    return (await this.#renewal.run((stop) => this.loginWith(proof, stop), signal)).tokens
  }

  async requestOtp(signal?: AbortSignal): Promise<{ message: string; transactionId: string }> {
    const answer = await this.#parts.auth.requestOtp(signal)
    if ('denied' in answer)
      throw this.refused(
        answer.denied,
        `the service refused to send a one-time password to ${this.bothNames}`,
        this.keyHint,
      )
    this.#isKeyProved = true
    this.#parts.secrets.add(answer.transactionId)
    return answer
  }

  forget(): void {
    this.#token = undefined
  }

  /** @param stolen another login has probably ended the session */
  private async renew(signal: AbortSignal | undefined, stolen: boolean): Promise<SessionToken> {
    const former = this.#token
    const fresh = former && (await this.refresh(former, signal))
    if (fresh) return fresh
    if (former && stolen) this.countTheft(former)
    try {
      return await this.loginByKey(signal)
    } catch (error) {
      throw error instanceof SettingsError ? this.end(error) : error
    }
  }

  /** @throws ServiceError at the second theft in a row */
  private countTheft(former: SessionToken): void {
    if (this.since(former).latest - former.tokens.obtainedAt > LONG_SERVED_MS) this.#thefts = 0
    this.#thefts++
    if (this.#thefts > 1)
      throw this.end(
        new ServiceError('another login with this API key keeps ending this session', {
          hint: `stop the other program that uses the key (one session is active at a time), then ${this.#parts.options.advice.again}`,
        }),
      )
  }

  private async refresh(
    { tokens, ...token }: SessionToken,
    signal: AbortSignal | undefined,
  ): Promise<SessionToken | undefined> {
    const { auth, options, secrets, effects } = this.#parts
    const { refreshToken, refreshExpiresAt } = tokens
    // Only where both clocks say so: a refresh that is refused costs one request, a session that is given up costs an OTP.
    const isExpired =
      refreshExpiresAt !== undefined && refreshExpiresAt <= nowSince(token.arrived, effects).earliest
    if (!refreshToken || isExpired) return undefined
    try {
      const answer = await auth.refresh(tokens, signal)
      return answer.tokens && (await this.store(answer.tokens, 'refresh'))
    } catch (error) {
      // Lost answer, unknown shape, no such endpoint: a login works, or fails for the same reason.
      if (!(error instanceof ServiceError) || !options.hasKey) throw error
      effects.log.warn(secrets.scrub(`the session could not be refreshed: ${error.message}`))
      return undefined
    }
  }

  /** The one-time password is tried once; without it market data can still be read. */
  private async loginByKey(signal: AbortSignal | undefined): Promise<SessionToken> {
    const proof = this.#otp === undefined ? undefined : { otp: this.#otp }
    this.#otp = undefined
    if (!proof) return this.loginWith(undefined, signal)
    try {
      return await this.loginWith(proof, signal)
    } catch (error) {
      if (!(error instanceof SettingsError) && !(error instanceof OtpPendingError)) throw error
      const token = await this.loginWith(undefined, signal)
      // Key and secret alone were accepted.
      this.otpProblem = error instanceof LoginRefusedError ? `${OTP_REFUSED}: ${error.answer}` : error.message
      return token
    }
  }

  private async loginWith(proof: Proof | undefined, signal: AbortSignal | undefined): Promise<SessionToken> {
    if (!this.#parts.options.hasKey)
      throw new SettingsError(`there is no session, and ${this.eitherName} is not set`, {
        hint: `set ${this.bothNames}, then ${this.#parts.options.advice.again}`,
      })
    const answer = await this.#parts.auth.token(proof, signal)
    if (answer.tokens) return this.store(answer.tokens, 'login')
    if (isPending(answer.denied)) throw new OtpPendingError('the login is not approved yet')
    throw this.loginRefused(answer.denied, proof)
  }

  private async store(tokens: Tokens, from: SessionToken['from']): Promise<SessionToken> {
    await this.#parts.options.onTokens(tokens)
    this.isDowngraded = tokens.grade === 'market' && (this.isDowngraded || this.grade === 'trading')
    this.#token = { tokens, from, arrived: momentOf(this.#parts.effects), proved: false }
    return this.#token
  }

  /** By either clock: a token that is renewed early costs one request. */
  private isDue(token: SessionToken): boolean {
    return this.since(token).latest >= renewAt(token.tokens)
  }

  private since({ arrived }: SessionToken): ReturnType<typeof nowSince> {
    return nowSince(arrived, this.#parts.effects)
  }

  private end(error: CandlehouseError): CandlehouseError {
    this.#ended = error
    return error
  }

  private loginRefused(denied: Denied, proof: Proof | undefined): LoginRefusedError {
    if (!proof) return this.refused(denied, `the service refused ${this.bothNames}`, this.keyHint)
    if ('transactionId' in proof)
      return this.refused(
        denied,
        'the approval in the mobile app was refused',
        this.#parts.options.advice.smartOtp,
      )
    if (this.#isKeyProved || isAboutOtp(denied.message))
      return this.refused(denied, OTP_REFUSED, this.#parts.options.advice.otp)
    return this.refused(
      denied,
      `the service refused the login: the one-time password is wrong, expired or already used, or ${this.eitherName} is wrong`,
      this.#parts.options.advice.otp,
    )
  }

  private get bothNames(): string {
    const { apiKey, apiSecret } = this.#parts.options.names
    return `${apiKey} and ${apiSecret}`
  }

  private get eitherName(): string {
    const { apiKey, apiSecret } = this.#parts.options.names
    return `${apiKey} or ${apiSecret}`
  }

  private get keyHint(): string {
    return `check ${this.bothNames}, then ${this.#parts.options.advice.again}`
  }

  private refused({ code, message }: Denied, what: string, hint: string): LoginRefusedError {
    return new LoginRefusedError(what, this.#parts.secrets.scrub(`${code} ${message}`.trim()), hint)
  }
}

/** Whether the service's words blame the one-time password alone. */
function isAboutOtp(message: string): boolean {
  return /\botp\b|one[- ]?time/i.test(message) && !/key|secret/i.test(message)
}

function withoutRefresh(token: SessionToken): SessionToken {
  return { ...token, tokens: { ...token.tokens, refreshToken: undefined } }
}
