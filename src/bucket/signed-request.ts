import { AwsV4Signer } from 'aws4fetch'
import { BucketError } from 'candlehouse-foundation/errors'
import { reasonOf } from 'candlehouse-foundation/system-fault'
import { withinTime } from 'candlehouse-foundation/timers'
import pRetry, { AbortError } from 'p-retry'
import type { Effects } from '../effects.js'
import { sha256 } from '../home/sha256.js'
import { elementText } from './answer.js'
import type { BucketAccess } from './bucket-access.js'
import { addressText } from './bucket-address.js'

/** Attempts per request: with the waits between them, a bucket that is down is given up after 15 s. */
const ATTEMPTS = 5
const FIRST_WAIT_MS = 1000

/** For one attempt, body included: 64 MB at 1 MB per second. */
const TIME_LIMIT_MS = 90_000

export interface BucketRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Below the prefix; empty for the bucket itself. */
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export interface BucketAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/** Requests and bytes so far, retries included. */
export interface Traffic {
  requests: number
  sent: number
  received: number
}

/** Answers that are the caller's business: there already (412), or not there (404). */
const EXPECTED = new Set([404, 412])

/** A request that was not answered for good: another attempt may be. */
class Unanswered extends Error {}

/** Sends signed requests to one bucket, with a bounded number of attempts each. */
export class Sender {
  readonly traffic: Traffic = { requests: 0, sent: 0, received: 0 }

  constructor(
    readonly access: BucketAccess,
    private readonly signal: AbortSignal,
    private readonly effects: Effects,
  ) {}

  /**
   * An answer of 2xx, 404 or 412.
   *
   * @throws BucketError if the bucket refuses or does not answer; its text has neither key nor token
   */
  async request(request: BucketRequest): Promise<BucketAnswer> {
    try {
      return await pRetry(() => this.attempt(request), {
        retries: ATTEMPTS - 1,
        // Waits run on the clock of the effects (docs/decisions/0008-our-own-waits-around-p-retry.md).
        minTimeout: 0,
        factor: 1,
        onFailedAttempt: async ({ attemptNumber, retriesLeft }) => {
          if (retriesLeft > 0) await this.effects.sleep(FIRST_WAIT_MS * 2 ** (attemptNumber - 1), this.signal)
        },
      })
    } catch (cause) {
      this.signal.throwIfAborted()
      if (cause instanceof BucketError) throw cause
      throw this.failure(`${ATTEMPTS} attempts, the last one: ${reasonOf(cause)}`)
    }
  }

  private async attempt(request: BucketRequest): Promise<BucketAnswer> {
    const { traffic } = this
    traffic.requests += 1
    let answer: BucketAnswer
    try {
      answer = await withinTime(
        TIME_LIMIT_MS,
        this.signal,
        (signal) => this.exchange(request, signal),
        this.effects,
      )
    } catch (cause) {
      if (this.signal.aborted) throw new AbortError(String(this.signal.reason))
      throw new Unanswered(`no answer (${codeOf(cause)})`)
    }
    traffic.sent += request.body?.length ?? 0
    traffic.received += answer.bytes.length
    return this.accepted(answer)
  }

  private async exchange(request: BucketRequest, signal: AbortSignal): Promise<BucketAnswer> {
    const response = await this.effects.network.fetch(await this.signed(request, signal))
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, bytes }
  }

  private accepted(answer: BucketAnswer): BucketAnswer {
    const { status, bytes } = answer
    const isText = answer.headers.get('content-type')?.includes('xml') ?? false
    const code = isText ? elementText(Buffer.from(bytes).toString('utf8'), 'Code') : undefined
    if (code === 'NoSuchBucket') throw new AbortError(this.failure('there is no such bucket'))
    // A part of an upload may fail behind the answer 200.
    if (EXPECTED.has(status) || (status >= 200 && status < 300 && code === undefined)) return answer
    const words = `${status}${code ? ` ${code}` : ''}`
    const isPassing = status === 200 || status === 409 || status === 429 || status >= 500
    if (isPassing || code === 'RequestTimeout' || code === 'SlowDown') throw new Unanswered(words)
    throw new AbortError(this.failure(status < 400 ? `${words}: the region may be another one` : words))
  }

  private failure(why: string): BucketError {
    const { address, endpoint } = this.access
    const place = endpoint ? ` at ${new URL(endpoint).host}` : ''
    return new BucketError(`${addressText(address)}${place} cannot be used: ${why}`, {
      hint: 'check CANDLEHOUSE_LAKE_URL, AWS_REGION, AWS_ENDPOINT_URL_S3 and the credentials, then: candlehouse publish',
    })
  }

  private async signed(
    { method, key, query, headers, body }: BucketRequest,
    signal: AbortSignal,
  ): Promise<Request> {
    const url = new URL(this.base())
    const { prefix } = this.access.address
    const path = key === '' ? '' : [prefix, key].filter((part) => part !== '').join('/')
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${path.split('/').map(encodeURIComponent).join('/')}`
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
    const content = sha256(body ?? '')
    const { credentials, region } = this.access
    const { accessKeyId, secretAccessKey, sessionToken } = credentials
    const signer = new AwsV4Signer({
      method,
      url: url.toString(),
      // With the hash of its content the service refuses what was damaged on the way.
      headers: { ...headers, 'x-amz-content-sha256': content },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      service: 's3',
      region,
      datetime: new Date(this.effects.now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    })
    const signed = await signer.sign()
    return new Request(signed.url, {
      method,
      headers: signed.headers,
      // A redirect would take the signature to a place that nobody has set.
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
    })
  }

  /** Other services than AWS are addressed by path: their names of hosts have no buckets. */
  private base(): string {
    const { address, endpoint, region } = this.access
    const { bucket } = address
    if (endpoint) return `${endpoint.replace(/\/$/, '')}/${bucket}`
    if (bucket.includes('.')) return `https://s3.${region}.amazonaws.com/${bucket}`
    return `https://${bucket}.s3.${region}.amazonaws.com`
  }
}

/** Code of a failed connection, or what the failure calls itself; never its text, which may have an address in it. */
function codeOf(error: unknown): string {
  const { cause, name } = error as Error
  const { code, message = '' } = (cause ?? {}) as Partial<NodeJS.ErrnoException>
  // fetch refuses some ports itself, without a code: "bad port"
  return code ?? (/^[a-z ]+$/.test(message) ? message : name)
}
