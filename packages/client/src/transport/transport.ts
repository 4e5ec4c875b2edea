import type { Effects } from 'candlehouse-foundation/effects'
import { ServiceError, SettingsError } from 'candlehouse-foundation/errors'
import { onAbort } from 'candlehouse-foundation/on-abort'
import { packageVersion } from 'candlehouse-foundation/package'
import pLimit, { type LimitFunction } from 'p-limit'
import { Agent } from 'undici'
import type { Query } from '../contract.js'
import { Fault, PageFault } from '../fault.js'
import { unlessAborted } from '../unless-aborted.js'
import { decodeBody } from './decode-body.js'
import { networkFault } from './network-faults.js'

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base address. */
  readonly path: string
  readonly query: Query
  readonly bearer: string | undefined
  /** JSON text, or its UTF-8 bytes where they were signed: they are sent as they are. */
  readonly body: string | Uint8Array | undefined
  /** `X-Signature`, of writes only. */
  readonly signature?: string
}

export interface HttpResponse {
  readonly status: number
  /** Names in lower case, first value of each. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Decoded. */
  readonly body: Uint8Array
  /** See Answer. */
  readonly wire: Uint8Array | undefined
  /** Bytes received. */
  readonly wireBytes: number
  /** Epoch milliseconds. */
  readonly receivedAt: number
}

export interface TransportOptions {
  /** `BROKER_BASE_URL`: http or https, a path prefix is kept. */
  readonly baseUrl: string
  /** `Accept-Language`. */
  readonly language: string
  /** Requests in flight, and connections kept. */
  readonly connections: number
  /** Milliseconds for one attempt from connecting to the last byte. */
  readonly deadlineMs: number
  /** Bytes of one decoded body. */
  readonly maxBodyBytes: number
}

export interface Transport {
  /**
   * One attempt.
   *
   * @throws Fault; the signal's reason, or an `unsent` Fault with it as its cause while the request waits for a connection;
   * ServiceError after `close`
   */
  exchange(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse>
  /** Host and port, for messages. */
  readonly host: string
  close(): Promise<void>
}

/**
 * HTTP without policy: one attempt, one total deadline, one connection pool. Redirects are never followed,
 * so the bearer never leaves the base address. undici's `request` rather than fetch: it leaves the body as
 * it came over the wire.
 *
 * @throws SettingsError when the base address is not an http or https address, or the runtime cannot send
 */
export function createTransport(options: TransportOptions, effects: Effects): Transport {
  const base = readBase(options.baseUrl)
  const host = base.host
  const prefix = base.pathname.replace(/\/+$/, '')
  const { dispatcher } = effects.network
  const agent =
    dispatcher ??
    // Own deadlines: those of undici start again with every byte.
    new Agent({
      connections: options.connections,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: options.deadlineMs },
    })
  // Without this each request would fail as if the service were away.
  if (typeof agent.request !== 'function')
    throw new SettingsError('this runtime has no undici that sends requests (Bun has a stub of it)', {
      hint: 'use Node or Deno; candlehouse-client/decode needs neither',
    })
  // Waiting for a free connection must not count against the deadline.
  const limit = pLimit(options.connections)
  let isClosed = false

  const attempt = async (request: HttpRequest, signal: AbortSignal | undefined): Promise<HttpResponse> => {
    signal?.throwIfAborted()
    if (isClosed) throw closedError()
    const abort = new AbortController()
    const cancelDeadline = effects.after(options.deadlineMs, () => abort.abort())
    const letGo = signal && onAbort(signal, () => abort.abort())
    let answered = false
    try {
      const search = new URLSearchParams(request.query).toString()
      const response = await agent.request({
        origin: base.origin,
        path: `${prefix}${request.path}${search ? `?${search}` : ''}`,
        method: request.method,
        headers: headersOf(request, options.language),
        body: request.body ?? null,
        signal: abort.signal,
      })
      answered = true
      const received = await collect(response.body, options.maxBodyBytes)
      const headers = firstValues(response.headers)
      if (response.statusCode >= 300 && response.statusCode < 400)
        throw new Fault('final', redirectMessage(headers.location, base), { status: response.statusCode })
      const announced = headers['content-length']
      if (announced !== undefined && Number(announced) !== received.length)
        throw new PageFault(`${received.length} bytes where content-length says ${announced}`, received)
      const { body, wire } = decodeBody(received, headers['content-encoding'], options.maxBodyBytes)
      return {
        status: response.statusCode,
        headers,
        body,
        wire,
        wireBytes: received.length,
        receivedAt: effects.now(),
      }
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (error instanceof Fault) throw error
      if (isClosed) throw endedByClosing(host, error)
      if (abort.signal.aborted) throw overdue(host, options.deadlineMs, error)
      throw networkFault(error, host, answered)
    } finally {
      cancelDeadline()
      letGo?.()
    }
  }

  return {
    host,
    exchange: (request, signal) => whenFree(limit, () => attempt(request, signal), signal, host),
    async close() {
      isClosed = true
      if (!dispatcher) await agent.destroy()
    },
  }
}

/**
 * Runs an attempt when a connection is free. In its queue it would notice the signal only when another request ends, after up to a
 * deadline of a minute.
 *
 * @throws what the attempt throws; an `unsent` Fault when the signal aborts before
 */
async function whenFree<T>(
  limit: LimitFunction,
  attempt: () => Promise<T>,
  signal: AbortSignal | undefined,
  host: string,
): Promise<T> {
  let isWaiting = true
  const attempted = limit(() => {
    isWaiting = false
    return attempt()
  })
  // After the signal nobody may be left to hear how it ends.
  attempted.catch(() => undefined)
  try {
    return await unlessAborted(attempted, signal)
  } catch (error) {
    if (!isWaiting) return await attempted
    throw new Fault('final', `${host}: given up before it was sent`, { unsent: true, cause: error })
  }
}

function endedByClosing(host: string, cause: unknown): Fault {
  return new Fault('final', `${host}: the client was closed before a whole answer`, { cause })
}

function overdue(host: string, deadlineMs: number, cause: unknown): Fault {
  return new Fault('timeout', `${host}: no whole answer within ${deadlineMs} ms`, { cause })
}

function closedError(): ServiceError {
  return new ServiceError('the client is closed: nothing was sent', {
    hint: 'create another client, or close this one later',
  })
}

function readBase(text: string): URL {
  const base = URL.canParse(text) ? new URL(text) : undefined
  if (!base || !/^https?:$/.test(base.protocol) || base.username || base.password)
    throw new SettingsError('BROKER_BASE_URL is not an http or https address without credentials', {
      hint: 'set BROKER_BASE_URL, for example https://api.broker.example',
    })
  return base
}

/** `Content-Type` on GETs too: the specification requires it on every request (docs/brokerage-api.md#conventions). */
function headersOf(request: HttpRequest, language: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    Accept: 'application/json',
    'Accept-Encoding': 'gzip',
    'Accept-Language': language,
    'User-Agent': `candlehouse/${packageVersion}`,
    ...(request.bearer === undefined ? {} : { Authorization: `Bearer ${request.bearer}` }),
    ...(request.signature === undefined ? {} : { 'X-Signature': request.signature }),
  }
}

async function collect(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    // Leaving the loop destroys the stream, and with it the connection.
    if (length > maxBytes) throw new Fault('final', `the answer is longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length)
}

function firstValues(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value[0] : value,
    ]),
  )
}

function redirectMessage(location: string | undefined, base: URL): string {
  const target =
    location !== undefined && URL.canParse(location, base.href) ? new URL(location, base).origin : '?'
  return `${base.host} redirects to ${target}: not followed`
}
