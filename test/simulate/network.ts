import type { ServerResponse } from 'node:http'
import { Dispatcher, errors } from 'undici'
import type { RequestLog, StandIn } from '../standin/index.js'
import type { Scheduler } from './scheduler.js'

/** What may happen to a request on its way. */
export interface Way {
  /** Virtual milliseconds until the service has it and answers. */
  readonly delayMs: number
  /** Nobody listens. */
  readonly isRefused: boolean
}

export interface NetworkHooks {
  /** Called for every request before it leaves. What it throws ends the request. */
  onRequest(request: RequestLog): Way
  onResponse(request: RequestLog): void
}

/** undici's own handler of one request: what a client of `request` passes. */
interface Handler {
  onConnect(abort: (reason?: Error) => void, context: object): void
  onHeaders(status: number, headers: Buffer[], resume: () => void, text: string): boolean
  onData(chunk: Buffer): boolean
  onComplete(trailers: string[]): void
  onError(error: Error): void
}

/** The service in process: no socket, no port, and time that the scheduler decides. */
export class SimulatedNetwork extends Dispatcher {
  constructor(
    private readonly standIn: StandIn,
    private readonly scheduler: Scheduler,
    private readonly hooks: NetworkHooks,
  ) {
    super()
  }

  override dispatch(options: Dispatcher.DispatchOptions, given: Dispatcher.DispatchHandler): boolean {
    const handler = given as unknown as Handler
    let isOver = false
    const fail = (error: Error): void => {
      if (isOver) return
      isOver = true
      handler.onError(error)
    }
    handler.onConnect((reason) => fail(reason ?? new errors.RequestAbortedError()), {})
    if (isOver) return true
    const request = requestOf(options)
    let way: Way
    try {
      way = this.hooks.onRequest(request)
    } catch (error) {
      queueMicrotask(() => fail(error as Error))
      return true
    }
    this.scheduler.schedule(way.delayMs, () => {
      if (isOver) return
      if (way.isRefused) {
        const refused = new Error('connect ECONNREFUSED 127.0.0.1:80')
        fail(Object.assign(refused, { code: 'ECONNREFUSED' }))
        return
      }
      const response = new Captured()
      const served = this.standIn.serve(request, response as unknown as ServerResponse).then(() => {
        this.hooks.onResponse(request)
        // A request that is left hanging ends by the client's deadline.
        if (isOver || !response.isAnswered) return
        handler.onHeaders(response.statusCode, response.rawHeaders(), () => undefined, '')
        for (const chunk of response.chunks) handler.onData(chunk)
        if (response.isReset) {
          fail(new errors.SocketError('other side closed'))
          return
        }
        isOver = true
        handler.onComplete([])
      })
      served.catch(fail)
    })
    return true
  }
}

function requestOf({ path, query, method, headers, body }: Dispatcher.DispatchOptions): RequestLog {
  const url = new URL(path, 'http://stand.in')
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value))
  const named = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)])
  return {
    at: 0,
    method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(named),
    body: body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : String(body ?? ''),
    status: 0,
  }
}

/** What the stand-in writes, as far as it uses a response of Node. */
class Captured {
  statusCode = 200
  headersSent = false
  useChunkedEncodingByDefault = true
  destroyed = false
  isReset = false
  isAnswered = false
  readonly chunks: Buffer[] = []
  readonly socket = { resetAndDestroy: (): void => this.reset() }
  private readonly headers = new Map<string, string>()

  setHeader(name: string, value: unknown): void {
    this.headers.set(name, String(value))
  }

  writeHead(status: number, headers: Readonly<Record<string, unknown>> = {}): this {
    this.statusCode = status
    for (const [name, value] of Object.entries(headers)) this.setHeader(name, value)
    this.headersSent = true
    return this
  }

  flushHeaders(): void {
    this.headersSent = true
  }

  write(chunk: Buffer, done?: () => void): boolean {
    this.chunks.push(chunk)
    this.isAnswered = true
    done?.()
    return true
  }

  end(chunk?: string | Buffer): void {
    this.isAnswered = true
    if (chunk !== undefined && chunk.length > 0) this.chunks.push(Buffer.from(chunk))
  }

  on(): void {
    throw new RangeError('a body without end is not simulated')
  }

  rawHeaders(): Buffer[] {
    return [...this.headers].flatMap((pair) => pair.map((text) => Buffer.from(text)))
  }

  private reset(): void {
    this.isReset = true
    this.isAnswered = true
  }
}
