import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import type { Service } from '../service.js'
import { invalidRequest, Refusal, sendRefusal } from '../wire/refusal.js'

const PLACES: Readonly<Record<string, string>> = {
  querystring: 'query',
  body: 'body',
  headers: 'header',
  params: 'path',
}

/** Answers every error as `{code, msg}`: those of routes, and those of the server before a route. */
export function answerErrors(app: FastifyInstance, { dialect }: Service): void {
  app.setErrorHandler((error: Error & { statusCode?: number }, _, reply) => {
    const refusal = refusalOf(error)
    if (refusal.status === 401 && dialect.rateHeaders === 'wavering') reply.removeHeader('x-ratelimit-reset')
    return sendRefusal(reply, refusal)
  })
}

function refusalOf(error: Error & { statusCode?: number }): Refusal {
  if (error instanceof Refusal) return error
  if (hasZodFastifySchemaValidationErrors(error)) {
    const place = PLACES[error.validationContext ?? ''] ?? ''
    const [issue] = error.validation
    const field = issue?.instancePath.split('/').filter(Boolean).join('.') ?? ''
    return invalidRequest(`${place}${field ? ` ${field}` : ''}: ${issue?.message ?? 'invalid'}`)
  }
  if ((error.statusCode ?? 500) < 500) return invalidRequest(`request: ${error.message}`)
  return new Refusal(500, 'Internal error')
}

/** A path that cannot be decoded: the router refuses it before any hook. */
export function answerFrameworkError(_error: Error, _request: unknown, reply: FastifyReply): void {
  sendRefusal(reply, invalidRequest('path: is not percent-encoded UTF-8'))
}

/** Bytes that are not an HTTP request, and headers that are too long: only the socket is there to answer on. */
export function answerSocketError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const body = '{"code":"400","msg":"Invalid request"}'
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}
