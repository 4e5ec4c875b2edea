import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { documentedAnswers, signedHeaders, WRITE_ERRORS } from '../http/documented-answers.js'

/** A write of the service: its body is checked, its signature was checked before it came here. */
export interface Write<Body extends z.ZodType> {
  method: 'POST' | 'PUT' | 'DELETE'
  path: string
  operationId: string
  summary: string
  body: Body
  /** The body as the OpenAPI document has it, where that says more. @default `body` */
  documentedBody?: z.ZodType
  answers: z.ZodType
  /** @param bearer whether the token was verified with an OTP, and the client of its key */
  handle(body: z.output<Body>, bearer: { readonly verified: boolean; readonly clientId: string }): unknown
}

export function mountWrite<Body extends z.ZodType>(
  app: FastifyInstance,
  { method, path, operationId, summary, body, documentedBody, answers, handle }: Write<Body>,
): void {
  app.route({
    method,
    url: path,
    schema: {
      operationId,
      summary,
      headers: signedHeaders,
      body,
      ...(documentedBody ? { documentedBody } : {}),
      response: documentedAnswers(answers, WRITE_ERRORS),
    },
    handler: (request, reply) =>
      reply
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(handle(request.body as z.output<Body>, request))),
  })
}

/** Text that may be absent, null or empty: all three are one. */
export const text = z
  .string()
  .max(200)
  .nullish()
  .transform((value) => value || undefined)

/** A price as text (spec: string), VND or index points. */
export const priceText = z
  .string()
  .regex(/^(\d{1,12}(\.\d{1,6})?)?$/, { error: 'expected a plain decimal as text' })
  .nullish()
  .transform((value) => (value ? Number(value) : undefined))

/** Fields about the client that the specification allows; the sandbox ignores them. */
export const device = { deviceId: text, userAgent: text, ipAddress: text }
