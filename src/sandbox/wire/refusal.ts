import type { FastifyReply } from 'fastify'

/** A request the service turns down, with the specification's `{code, msg}` body. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly msg: string,
    /** Number on the OTP request endpoint, string elsewhere (docs/brokerage-api.md#errors). */
    readonly code: string | number = String(status),
  ) {
    super(msg)
  }
}

/** The only refusal with a message in the specification. */
export const invalidRequest = (): Refusal => new Refusal(400, 'Invalid request')

export function sendRefusal(reply: FastifyReply, { status, code, msg }: Refusal): FastifyReply {
  return reply.status(status).type('application/json; charset=utf-8').send(JSON.stringify({ code, msg }))
}
