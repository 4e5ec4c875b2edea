import { SettingsError } from '../errors.js'
import type { Secrets } from '../secrets.js'
import type { Answer, Endpoint, Query } from './contract.js'
import { factsOf } from './endpoints.js'
import { ShapeFault } from './fault.js'
import { type Dialect, PAGE_SIZES } from './learned-dialect.js'
import { type Judged, judge } from './read-answer.js'
import type { Sender } from './sender.js'
import type { Held, SharedSession } from './session/session-view.js'

/** One read of any endpoint: bearer, retries, renewed session, learned dialect. */
export type Read = (endpoint: Endpoint, query: Query, signal?: AbortSignal) => Promise<Answer>

/** Tries of a shape that is not the specification's before the service is believed to mean it. */
const SHAPE_TRIES = 3

/** Renewals of the session for one request; the session itself stops sooner when nothing helps. */
const RENEWALS = 3

export function createReader(parts: {
  sender: Sender
  session: SharedSession
  dialect: Dialect
  secrets: Secrets
}): Read {
  const { sender, session, dialect, secrets } = parts

  const attempt = async (endpoint: Endpoint, query: Query, signal: AbortSignal | undefined) => {
    const { path } = factsOf(endpoint)
    let used: Held | undefined
    let odd = 0
    const sent = await sender.send(
      async () => {
        used = await session.bearer(signal)
        return { method: 'GET', path, query, bearer: used.tokens.accessToken, body: undefined }
      },
      (response) => {
        const believe = odd >= SHAPE_TRIES - 1 || dialect.believesArray(endpoint)
        try {
          const judged = judge(endpoint, query, response, believe)
          if (odd >= SHAPE_TRIES - 1 && judged.page.shape === 'array') dialect.believeArray(endpoint)
          return judged
        } catch (error) {
          if (error instanceof ShapeFault) odd++
          throw error
        }
      },
      signal,
    )
    return { judged: sent.value, attempts: sent.attempts, used }
  }

  /** One query as it is, with the session renewed where that helps. */
  const ask = async (endpoint: Endpoint, query: Query, signal: AbortSignal | undefined): Promise<Answer> => {
    let attempts = 0
    for (let renewals = 0; ; renewals++) {
      const got = await attempt(endpoint, query, signal)
      attempts += got.attempts
      if (!got.judged.unauthorized) {
        if (got.used) got.used.proved = true
        return answerOf(got.judged, attempts)
      }
      // Without an OTP a token reads market data only (docs/brokerage-api.md#permissions): no renewal changes that.
      const barred = factsOf(endpoint).facet === 'account' && got.used?.tokens.grade === 'market'
      if (barred || !got.used) return answerOf(got.judged, attempts)
      if (renewals >= RENEWALS)
        throw new SettingsError(`${endpoint} answers 401 with every new token`, {
          hint: 'check BROKER_API_KEY and BROKER_API_SECRET, then run the same command again',
        })
      await session.rejected(got.used, signal)
    }
  }

  const answerOf = ({ unauthorized: _, ...judged }: Judged, attempts: number): Answer => {
    const page = { ...judged.page, knownWhole: dialect.knownWhole(judged.endpoint) }
    if (judged.outcome !== 'refused') dialect.accepted(judged.endpoint, judged.query, page)
    if (!judged.error) return { ...judged, page, attempts }
    // A refusal that echoes a credential is landed like every page: without it.
    const error = { ...judged.error, message: secrets.scrub(judged.error.message) }
    const said = Buffer.from(judged.body).toString('utf8')
    const clean = secrets.scrub(said)
    const kept = clean === said ? {} : { body: Buffer.from(clean), wire: undefined }
    return { ...judged, ...kept, error, page, attempts }
  }

  /** The smallest size was taken where a larger was refused: the largest between that is taken as well. */
  const climb = async (small: Answer, asked: Query, signal: AbortSignal | undefined): Promise<Answer> => {
    let attempts = small.attempts
    const low = Number(small.query.pageSize)
    for (const size of PAGE_SIZES) {
      if (size >= Number(asked.pageSize) || size <= low) continue
      const answer = await ask(small.endpoint, { ...small.query, pageSize: String(size) }, signal)
      attempts += answer.attempts
      if (answer.outcome !== 'refused') return { ...answer, attempts }
    }
    return { ...small, attempts }
  }

  const read: Read = async (endpoint, query, signal) => {
    const first = await ask(endpoint, dialect.adapt(endpoint, query), signal)
    if (!isBadRequest(first)) return first
    let attempts = first.attempts
    const hint = `${first.error?.code} ${first.error?.message}`
    const others = dialect.alternatives(endpoint, first.query, hint)
    for (const other of others) {
      let answer = await ask(endpoint, other, signal)
      if (answer.outcome !== 'refused') {
        const { pageSize } = first.query
        if (answer.query.pageSize !== pageSize) {
          answer = await climb(answer, first.query, signal)
          dialect.settle(endpoint, Number(answer.query.pageSize))
        }
        return { ...answer, attempts: attempts + answer.attempts }
      }
      attempts += answer.attempts
    }
    if (others.length > 0) dialect.futile(endpoint)
    return { ...first, attempts }
  }

  // The first question of an endpoint finds out how it wants to be asked; the other workers wait for that
  // rather than being refused eight times over.
  const finding = new Map<Endpoint, Promise<unknown>>()
  return async (endpoint, query, signal) => {
    for (
      let other = finding.get(endpoint);
      other && !dialect.isProved(endpoint);
      other = finding.get(endpoint)
    )
      await other.catch(() => undefined)
    const answer = read(endpoint, query, signal)
    if (dialect.isProved(endpoint)) return await answer
    finding.set(endpoint, answer)
    try {
      return await answer
    } finally {
      finding.delete(endpoint)
    }
  }
}

/**
 * `400 Invalid request`, also by code (docs/brokerage-api.md#errors): what another form of the same question
 * may avoid.
 */
function isBadRequest(answer: Answer): boolean {
  return (
    answer.outcome === 'refused' && (answer.status === 400 || answer.error?.code.startsWith('400') === true)
  )
}
