import type { FastifyReply } from 'fastify'

/** A request the service turns down, with the specification's `{code, msg}` body. */
export class Refusal extends Error {
  /** Number on the OTP request endpoint, string elsewhere (docs/brokerage-api.md#errors). */
  readonly code: string | number
  /** Other headers of the answer. */
  readonly headers: Readonly<Record<string, string>>
  /** What was wrong and where, for the developer: names and expected forms, never a value that was sent. */
  readonly problem: string | undefined

  constructor(
    readonly status: number,
    readonly msg: string,
    {
      code = String(status),
      problem,
      headers = {},
    }: { code?: string | number; problem?: string; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(msg)
    this.code = code
    this.problem = problem
    this.headers = headers
  }
}

/**
 * The only refusal with a message in the specification. The body is the specification's and has no room for more: the
 * problem goes into a header and the request log.
 */
export const invalidRequest = (problem?: string): Refusal =>
  new Refusal(400, 'Invalid request', problem === undefined ? {} : { problem })

/** Header with the problem of a refused request. No brokerage sends it. */
const PROBLEM_HEADER = 'x-sandbox-problem'

/** The endpoint whose errors have a number as their code (docs/brokerage-api.md#errors). */
const NUMBERED_CODES = /^\/api\/v3\/auth\/requestOtp(?:\?|$)/

export function sendRefusal(
  reply: FastifyReply,
  { status, code, msg, problem, headers }: Refusal,
): FastifyReply {
  const sentCode = NUMBERED_CODES.test(reply.request.url) ? Number(code) : code
  reply.request.problem = problem ?? msg
  if (problem !== undefined) reply.header(PROBLEM_HEADER, headerText(problem))
  return reply
    .status(status)
    .headers(headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ code: sentCode, msg }))
}

/** Header values are printable ASCII. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 300)
}
