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

/** An array where the specification has an object: retried, and accepted when the service repeats it. */
export class ShapeFault extends Fault {
  constructor(message: string) {
    super('content', message)
    this.name = 'ShapeFault'
  }
}
