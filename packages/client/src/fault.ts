import { ServiceError } from 'candlehouse-foundation/errors'
import { excerptOfBody } from './excerpt.js'

/**
 * Why one HTTP attempt gave no usable answer.
 *
 * `unreachable`: no connection (DNS, refused, TLS). `reset`: the connection broke. `timeout`: the deadline.
 * `status`: an HTTP status or error code to try again. `content`: an answer that is not what was asked for
 * (HTML, truncated, wrong shape). `final`: trying again will not help (redirect, 404 page, bomb).
 */
export type FaultKind = 'unreachable' | 'reset' | 'timeout' | 'status' | 'content' | 'final'

/** Internal to the client: retried, or turned into a ServiceError. */
export class Fault extends Error {
  readonly kind: FaultKind
  /** HTTP status, or the status an error code in a 200 body stands for. */
  readonly status: number | undefined
  /** No byte of the answer had arrived: an idle connection the service had closed looks like this. */
  readonly beforeAnswer: boolean
  /** There never was a connection: nothing of the request can have arrived. */
  readonly unsent: boolean

  constructor(
    kind: FaultKind,
    message: string,
    about: { status?: number; beforeAnswer?: boolean; unsent?: boolean; cause?: unknown } = {},
  ) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause })
    this.name = 'Fault'
    this.kind = kind
    this.status = about.status
    this.beforeAnswer = about.beforeAnswer ?? false
    this.unsent = about.unsent ?? false
  }
}

/**
 * A body of status 200 that is not a page: damaged, not JSON, or not an answer to what was asked. It is asked for again
 * twice and quickly; after that it is a matter of this page, not of the service.
 */
export class PageFault extends Fault {
  constructor(
    /** What is wrong, without any of the body. */
    readonly problem: string,
    /** The body as far as it could be decoded, or as it came. */
    readonly body: Uint8Array,
    cause?: unknown,
  ) {
    const start = excerptOfBody(body)
    super('content', `${problem} (${body.length} bytes)${start && `: ${start}`}`, { cause })
    this.name = 'PageFault'
  }
}

/** An array where the specification has an object: retried, and accepted when the service repeats it. */
export class ShapeFault extends PageFault {
  constructor(problem: string, body: Uint8Array = new Uint8Array()) {
    super(problem, body)
    this.name = 'ShapeFault'
  }
}

/** The last response to a read that got no usable answer. */
export interface LastResponse {
  /** What is wrong, without any of the body: for reports and the ledger. */
  readonly problem: string
  /** HTTP status; undefined if no response arrived. */
  readonly status: number | undefined
  /** The body, if it was read as a page; else empty. */
  readonly body: Uint8Array
  /** HTTP requests that were sent. */
  readonly attempts: number
  /** Epoch milliseconds. */
  readonly receivedAt: number
}

/** Whom a fault concerns, as far as one request shows: this request, or every request to the service. */
export type Reach = 'request' | 'service'

/** A read got no usable answer, also when it was sent again. Other reads may succeed unless it reaches the service. */
export class UnansweredError extends ServiceError {
  constructor(
    message: string,
    hint: string,
    readonly reach: Reach,
    /** Of its last attempt. */
    readonly kind: FaultKind,
    readonly last: LastResponse,
    cause?: unknown,
  ) {
    super(message, { hint, cause })
  }
}

/** A read that was answered three times with a body that is not a page. */
export class UnprovenPageError extends UnansweredError {
  constructor(message: string, hint: string, last: LastResponse) {
    super(message, hint, 'request', 'content', last)
  }

  /** What is wrong with the last body, without any of it. */
  get problem(): string {
    return this.last.problem
  }

  get body(): Uint8Array {
    return this.last.body
  }

  get attempts(): number {
    return this.last.attempts
  }

  /** Epoch milliseconds. */
  get receivedAt(): number {
    return this.last.receivedAt
  }
}
