import type { ServerResponse } from 'node:http'
import { CandlehouseError, UsageError } from 'candlehouse-foundation/errors'
import { reasonOf } from 'candlehouse-foundation/system-fault'

/** Everything comes from this server, and nothing is written into a page as script or style. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** A refusal of the console itself, with its HTTP status. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly hint?: string,
  ) {
    super(message)
  }
}

export function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...HEADERS, 'content-type': type, ...headers })
  response.end(body)
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  sendText(response, JSON.stringify(value), status)
}

/** Sends text that is JSON already. */
export function sendText(response: ServerResponse, text: string, status = 200): void {
  send(response, status, 'application/json; charset=utf-8', text)
}

/** Answers with what went wrong and what to type. 400 for what was asked, 503 for a catalog that cannot be read. */
export function sendFailure(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy()
  else sendJson(response, failure(error), statusOf(error))
}

/** An answer of several lines, each a JSON value. It begins with the first one: until then a failure has a status of its own. */
export class JsonLines {
  constructor(private readonly response: ServerResponse) {}

  write(value: unknown): void {
    if (!this.response.headersSent)
      this.response.writeHead(200, { ...HEADERS, 'content-type': 'application/x-ndjson; charset=utf-8' })
    this.response.write(`${JSON.stringify(value)}\n`)
  }

  end(value: unknown): void {
    this.write(value)
    this.response.end()
  }

  fail(error: unknown): void {
    if (this.response.headersSent) this.end(failure(error))
    else sendFailure(this.response, error)
  }
}

function statusOf(error: unknown): number {
  if (error instanceof Refusal) return error.status
  if (error instanceof UsageError) return 400
  return error instanceof CandlehouseError ? 503 : 500
}

function failure(error: unknown): { error: string; hint?: string } {
  if (!(error instanceof Refusal || error instanceof CandlehouseError))
    return { error: `a bug: ${reasonOf(error)}` }
  const { message, hint } = error
  return { error: message, ...(hint === undefined ? {} : { hint }) }
}
