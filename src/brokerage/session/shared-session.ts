import type { Effects } from '../../effects.js'
import { type CandlehouseError, ServiceError, SettingsError } from '../../errors.js'
import type { Secrets } from '../../secrets.js'
import type { Tokens } from '../contract.js'
import type { Auth, Denied, Proof } from './auth.js'
import { isPending, OtpPendingError } from './otp.js'
import type { Held, SharedSession } from './session-view.js'
import { renewAt } from './tokens.js'

export interface SessionOptions {
  /** False when BROKER_API_KEY or BROKER_API_SECRET is unset. */
  readonly hasKey: boolean
  /** `BROKER_OTP`: used for the first login only. */
  readonly otp: string | undefined
  /** A session kept by an earlier run. */
  readonly kept: Tokens | undefined
  /** Stores tokens; awaited before they are used, since a lost refresh token is a lost session. */
  readonly onTokens: (tokens: Tokens) => Promise<void> | void
}

/** Milliseconds; a token that served longer than this was not stolen by a rival in a loop. */
const LONG_SERVED_MS = 10 * 60_000

const KEY_HINT = 'check BROKER_API_KEY and BROKER_API_SECRET, then run the same command again'

/** The session of one client: at most one login or refresh in flight, shared by whoever waits. */
export function createSession(
  auth: Auth,
  options: SessionOptions,
  secrets: Secrets,
  effects: Effects,
): SharedSession {
  // A one-time password is given to trade: a kept session that cannot is not worth keeping then.
  const kept = options.otp !== undefined && options.kept?.grade === 'market' ? undefined : options.kept
  let held: Held | undefined = kept && { tokens: kept, from: 'kept', proved: false }
  let otp = options.otp
  let otpProblem: string | undefined
  let inFlight: Promise<Held> | undefined
  let thefts = 0
  // Once credentials are refused, every further login is one more step towards a locked account.
  let ended: CandlehouseError | undefined

  const end = (error: CandlehouseError): CandlehouseError => {
    ended = error
    return error
  }

  const keep = async (tokens: Tokens, from: Held['from']): Promise<Held> => {
    await options.onTokens(tokens)
    held = { tokens, from, proved: false }
    return held
  }

  const keyRefused = (denied: Denied, what: string): SettingsError =>
    new SettingsError(secrets.scrub(`${what}: ${denied.code} ${denied.message}`.trim()), { hint: KEY_HINT })

  const loginWith = async (proof: Proof | undefined, signal: AbortSignal | undefined): Promise<Held> => {
    if (!options.hasKey)
      throw new SettingsError(
        'no session to go on with, and BROKER_API_KEY or BROKER_API_SECRET is not set',
        {
          hint: 'set BROKER_API_KEY and BROKER_API_SECRET, then run the same command again',
        },
      )
    const answer = await auth.token(proof, signal)
    if (answer.tokens) return keep(answer.tokens, 'login')
    if (isPending(answer.denied)) throw new OtpPendingError('the login is not approved yet')
    throw keyRefused(
      answer.denied,
      proof
        ? 'the service refused the login with this one-time password, BROKER_API_KEY and BROKER_API_SECRET'
        : 'the service refused BROKER_API_KEY and BROKER_API_SECRET',
    )
  }

  /** The one-time password is tried once; without it the market side still works. */
  const loginByKey = async (signal: AbortSignal | undefined): Promise<Held> => {
    const proof = otp === undefined ? undefined : { otp }
    otp = undefined
    if (!proof) return loginWith(undefined, signal)
    try {
      return await loginWith(proof, signal)
    } catch (error) {
      if (!(error instanceof SettingsError) && !(error instanceof OtpPendingError)) throw error
      const plain = await loginWith(undefined, signal)
      otpProblem = error.message
      return plain
    }
  }

  const refreshed = async (former: Tokens, signal: AbortSignal | undefined): Promise<Held | undefined> => {
    const ended = former.refreshExpiresAt !== undefined && former.refreshExpiresAt <= effects.now()
    if (!former.refreshToken || ended) return undefined
    try {
      const answer = await auth.refresh(former, signal)
      return answer.tokens && (await keep(answer.tokens, 'refresh'))
    } catch (error) {
      // Lost, unknown shape, no such endpoint: a login settles it, or gives up for the same reason.
      if (!(error instanceof ServiceError) || !options.hasKey) throw error
      effects.log.warn(secrets.scrub(`the session could not be refreshed: ${error.message}`))
      return undefined
    }
  }

  const renew = async (signal: AbortSignal | undefined, stolen: boolean): Promise<Held> => {
    const former = held
    const fresh = former && (await refreshed(former.tokens, signal))
    if (fresh) return fresh
    if (former && stolen) {
      if (effects.now() - former.tokens.obtainedAt > LONG_SERVED_MS) thefts = 0
      if (++thefts > 1)
        throw end(
          new ServiceError('another login with this API key keeps ending this session', {
            hint: 'stop the other program that uses the key (one session is active at a time), then run again',
          }),
        )
    }
    try {
      return await loginByKey(signal)
    } catch (error) {
      throw error instanceof SettingsError ? end(error) : error
    }
  }

  const single = (start: () => Promise<Held>): Promise<Held> => {
    inFlight ??= start().finally(() => {
      inFlight = undefined
    })
    return inFlight
  }

  const bearer = async (signal?: AbortSignal): Promise<Held> => {
    if (inFlight) return inFlight
    if (ended) throw ended
    if (held && effects.now() < renewAt(held.tokens)) return held
    return single(() => renew(signal, false))
  }

  return {
    bearer,
    async rejected(used, signal) {
      if (inFlight) await inFlight
      if (ended) throw ended
      if (held !== used) return
      if (used.from === 'login' && !used.proved)
        throw end(
          new SettingsError('the service refuses the token it has just given (401 right after login)', {
            hint: KEY_HINT,
          }),
        )
      const expired = used.tokens.expiresAt !== undefined && used.tokens.expiresAt <= effects.now()
      const useless = used.from === 'refresh' && !used.proved
      await single(() => {
        if (useless) held = { ...used, tokens: { ...used.tokens, refreshToken: undefined } }
        return renew(signal, used.proved && !expired)
      })
    },
    async ensure(signal) {
      return (await bearer(signal)).tokens
    },
    async keepAlive(signal) {
      const former = held
      if (!former || effects.now() >= renewAt(former.tokens)) return (await bearer(signal)).tokens
      let fresh: Held | undefined
      await single(async () => {
        fresh = await refreshed(former.tokens, signal)
        if (fresh) return fresh
        // It may have been used although its answer was lost: a second use would revoke the session.
        held = { ...former, tokens: { ...former.tokens, refreshToken: undefined } }
        return held
      })
      return fresh?.tokens
    },
    get grade() {
      return held?.tokens.grade
    },
    get otpProblem() {
      return otpProblem
    },
    async login(proof, signal) {
      if (proof) secrets.add('otp' in proof ? proof.otp : proof.transactionId)
      if (inFlight) await inFlight.catch(() => undefined)
      ended = undefined
      return (await single(() => loginWith(proof, signal))).tokens
    },
    async requestOtp(signal) {
      const answer = await auth.requestOtp(signal)
      if ('denied' in answer)
        throw keyRefused(answer.denied, 'the service refused to send a one-time password')
      secrets.add(answer.transactionId)
      return answer
    },
    forget() {
      held = undefined
    },
  }
}
