import type { Secrets } from 'candlehouse-foundation/secrets'
import type { Answer, Endpoint, Query } from './contract.js'
import { factsOf } from './endpoints.js'
import { ShapeFault } from './fault.js'
import { type LearnedDialect, PAGE_SIZES } from './learned-dialect.js'
import { type AnswerReading, readAnswer } from './read-answer.js'
import type { ReadLimits } from './retries.js'
import type { Sender } from './sender.js'
import type { SessionToken, SharedSession } from './session/session-view.js'
import { unlessAborted } from './unless-aborted.js'

/** One read of any endpoint: bearer, retries, renewed session, learned dialect. */
export type Read = (
  endpoint: Endpoint,
  query: Query,
  signal?: AbortSignal,
  limits?: ReadLimits,
) => Promise<Answer>

/** One read under way: what ends it, and how often it is sent again. */
interface Terms {
  readonly signal: AbortSignal | undefined
  readonly limits: ReadLimits
}

/** Attempts with a shape that the specification does not have; after them the shape is accepted. */
const SHAPE_TRIES = 3

export interface ReaderParts {
  readonly sender: Sender
  readonly session: SharedSession
  readonly dialect: LearnedDialect
  readonly secrets: Secrets
}

/** Reads any endpoint: renews the session where needed and asks again in other forms after a bad request. */
export class Reader {
  /** First requests per endpoint that are still learning its dialect. */
  private readonly learning = new Map<Endpoint, Promise<unknown>>()
  /** Endpoints that have answered 401 to a token that others accept. */
  private readonly closed = new Set<Endpoint>()

  constructor(private readonly parts: ReaderParts) {}

  /**
   * The first request of an endpoint learns its dialect. Others wait for it, because each of them would be refused
   * as often as the first.
   */
  read: Read = async (endpoint, query, signal, limits = {}) => {
    const { dialect } = this.parts
    for (
      let first = this.learning.get(endpoint);
      first && !dialect.isProved(endpoint);
      first = this.learning.get(endpoint)
    )
      await unlessAborted(
        first.catch(() => undefined),
        signal,
      )
    const answer = this.readInAnyForm(endpoint, query, { signal, limits })
    if (dialect.isProved(endpoint)) return await answer
    this.learning.set(endpoint, answer)
    try {
      return await answer
    } finally {
      this.learning.delete(endpoint)
    }
  }

  private async readInAnyForm(endpoint: Endpoint, query: Query, terms: Terms): Promise<Answer> {
    const { dialect } = this.parts
    const first = await this.readWithSession(endpoint, dialect.adapt(endpoint, query), terms)
    if (!isBadRequest(first)) return first
    let attempts = first.attempts
    const hint = `${first.error?.code} ${first.error?.message}`
    const alternatives = dialect.alternatives(endpoint, first.query, hint)
    for (const alternative of alternatives) {
      const answer = await this.readWithSession(endpoint, alternative, terms)
      if (answer.outcome !== 'refused') {
        const best = await this.withLargestPage(answer, first.query, terms)
        return { ...best, attempts: attempts + best.attempts }
      }
      attempts += answer.attempts
    }
    if (alternatives.length > 0) dialect.futile(endpoint)
    return { ...first, attempts }
  }

  /** After a smaller page size was accepted: the answer with the largest accepted size, which is then settled. */
  private async withLargestPage(accepted: Answer, refused: Query, terms: Terms): Promise<Answer> {
    if (accepted.query.pageSize === refused.pageSize) return accepted
    const answer = await this.tryLargerSizes(accepted, refused, terms)
    this.parts.dialect.settle(accepted.endpoint, Number(answer.query.pageSize))
    return answer
  }

  private async tryLargerSizes(smallest: Answer, refused: Query, terms: Terms): Promise<Answer> {
    const { endpoint, query } = smallest
    let attempts = smallest.attempts
    for (const size of PAGE_SIZES) {
      if (size >= Number(refused.pageSize) || size <= Number(query.pageSize)) continue
      const answer = await this.readWithSession(endpoint, { ...query, pageSize: String(size) }, terms)
      attempts += answer.attempts
      if (answer.outcome !== 'refused') return { ...answer, attempts }
    }
    return { ...smallest, attempts }
  }

  /** Reads exactly this query. Renews the session after a 401 where a new token can help. */
  private async readWithSession(endpoint: Endpoint, query: Query, terms: Terms): Promise<Answer> {
    const { session } = this.parts
    let attempts = 0
    for (;;) {
      const sent = await this.send(endpoint, query, terms)
      const { reading, token } = sent
      attempts += sent.attempts
      if (!reading.unauthorized) {
        if (token) token.proved = true
        return this.toAnswer(reading, attempts)
      }
      // Without an OTP a token reads market data only (docs/brokerage-api.md#permissions): renewing changes nothing.
      const needsOtp = factsOf(endpoint).facet === 'account' && token?.tokens.grade === 'market'
      if (needsOtp || !token) return this.toAnswer(reading, attempts)
      if (await this.isOfResource(endpoint, token, terms)) return this.toAnswer(reading, attempts)
      await session.rejected(token, terms.signal)
    }
  }

  /**
   * Whether a 401 concerns the resource, not the token: another endpoint accepts the token. That is asked where a new token
   * would tell nothing, because this one is new, or because new ones have not helped with this endpoint before.
   */
  private async isOfResource(endpoint: Endpoint, token: SessionToken, terms: Terms): Promise<boolean> {
    const isNew = token.from !== 'kept' && !token.proved
    if (!isNew && !this.closed.has(endpoint)) return false
    const [path, query]: [string, Query] =
      endpoint === 'indexList'
        ? [factsOf('securitiesByBoard').path, { board: 'HOSE' }]
        : [factsOf('indexList').path, {}]
    const { value: status } = await this.parts.sender.send(
      async () => ({ method: 'GET', path, query, bearer: token.tokens.accessToken, body: undefined }),
      (response) => response.status,
      terms.signal,
      { reach: 'service' },
    )
    if (status === 401) return false
    token.proved = true
    this.closed.add(endpoint)
    return true
  }

  private async send(endpoint: Endpoint, query: Query, { signal, limits }: Terms) {
    const { sender, session, dialect } = this.parts
    const { path } = factsOf(endpoint)
    let token: SessionToken | undefined
    let wrongShapes = 0
    const sent = await sender.send(
      async () => {
        token = await session.bearer(signal)
        return { method: 'GET', path, query, bearer: token.tokens.accessToken, body: undefined }
      },
      (response) => {
        const isLastTry = wrongShapes >= SHAPE_TRIES - 1
        try {
          const reading = readAnswer(endpoint, query, response, isLastTry || dialect.believesArray(endpoint))
          if (isLastTry && reading.page.shape === 'array') dialect.believeArray(endpoint)
          return reading
        } catch (error) {
          if (error instanceof ShapeFault) wrongShapes++
          throw error
        }
      },
      signal,
      { ...limits, isPage: true },
    )
    return { reading: sent.value, attempts: sent.attempts, token }
  }

  private toAnswer({ unauthorized: _, ...reading }: AnswerReading, attempts: number): Answer {
    const { dialect, secrets } = this.parts
    if (reading.outcome !== 'refused') dialect.accepted(reading.endpoint, reading.query, reading.page)
    if (!reading.error) return { ...reading, attempts }
    // Refused answers are stored as well: a credential that the service repeats in one must not be stored.
    const { code, message } = reading.error
    const error = { code: secrets.scrub(code), message: secrets.scrub(message) }
    const text = Buffer.from(reading.body).toString('utf8')
    const clean = secrets.scrub(text)
    const cleanBody = clean === text ? {} : { body: Buffer.from(clean), wire: undefined }
    return { ...reading, ...cleanBody, error, attempts }
  }
}

/**
 * `400 Invalid request`, also by code (docs/brokerage-api.md#errors): another form of the same query may be
 * accepted.
 */
function isBadRequest(answer: Answer): boolean {
  return (
    answer.outcome === 'refused' && (answer.status === 400 || answer.error?.code.startsWith('400') === true)
  )
}
