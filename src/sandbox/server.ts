import swagger from '@fastify/swagger'
import fastify, { type FastifyInstance } from 'fastify'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Effects } from '../effects.js'
import { packageVersion } from '../package.js'
import { deliver } from './delivery.js'
import { type Fault, FaultDesk } from './faults.js'
import type { SandboxOptions } from './options.js'
import { RateWindow } from './rate.js'
import { accountReads } from './routes/accounts.js'
import { auth } from './routes/auth.js'
import { indexList, indexSummary } from './routes/indexes.js'
import { masterdata } from './routes/masterdata.js'
import { ohlc } from './routes/ohlc.js'
import { orderReads } from './routes/orders.js'
import { securitiesByBoard } from './routes/securities.js'
import { securitiesSummary } from './routes/securities-summary.js'
import { service } from './service.js'
import { Sessions, unauthorized } from './sessions.js'
import { invalidRequest, Refusal, sendRefusal } from './wire/refusal.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Faults that the plan throws at this request. */
    faults: readonly Fault[]
  }
}

const NEEDS_OTP = /^\/api\/v3\/(account|trading)\//
const NEEDS_TOKEN = /^\/api\/v3\/(data|account|trading)\//

/** The whole service, not yet listening. `count` hears of every request. */
export async function buildServer(
  options: SandboxOptions,
  effects: Effects,
  count: () => void,
): Promise<FastifyInstance> {
  const app = fastify({ logger: false, exposeHeadRoutes: false, forceCloseConnections: true })
  const sessions = new Sessions(options, effects)
  const rate = new RateWindow(options.rateLimit, effects)
  const desk = new FaultDesk(options.faults ?? [])
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('faults', null as unknown as readonly Fault[])

  app.addHook('onRequest', async (request, reply) => {
    count()
    const path = request.url.split('?', 1)[0] ?? ''
    const query = request.query as Record<string, unknown>
    // As in a form, an empty parameter is one that was not given.
    for (const [key, value] of Object.entries(query)) if (value === '') delete query[key]
    request.faults = desk.take(path, query)
    const { limit, remaining, resetSeconds, exceeded } = rate.take()
    reply.header('x-ratelimit-limit', String(limit))
    reply.header('x-ratelimit-remaining', String(remaining))
    reply.header('x-ratelimit-reset', String(resetSeconds))
    if (options.latencyMs) await effects.sleep(options.latencyMs)
    for (const fault of request.faults) {
      if (fault.kind === 'delay') await effects.sleep(fault.ms)
      else if (fault.kind === 'headers') reply.headers(fault.headers)
      else if (fault.kind === 'expiredToken') throw unauthorized()
      else if (fault.kind === 'reset') {
        reply.hijack()
        request.raw.socket.destroy()
        return reply
      } else if (fault.kind === 'status') {
        reply.type('application/json; charset=utf-8').headers(fault.headers ?? {})
        const body = fault.body ?? JSON.stringify({ code: String(fault.status), msg: 'Planned fault' })
        return reply.status(fault.status).send(body)
      }
    }
    if (exceeded) {
      reply.header('retry-after', String(resetSeconds))
      throw new Refusal(429, 'Too many requests')
    }
    if (!NEEDS_TOKEN.test(path)) return
    const { verified } = await sessions.grant(request.headers.authorization)
    if (!verified && NEEDS_OTP.test(path)) throw new Refusal(403, 'Token is not verified with an OTP')
  })

  app.addHook('onSend', async (request, reply, payload: unknown) =>
    typeof payload === 'string' ? deliver(request, reply, payload, request.faults ?? []) : payload,
  )

  app.setNotFoundHandler((_, reply) => sendRefusal(reply, new Refusal(404, 'Not found')))
  app.setErrorHandler((error: Error & { statusCode?: number }, _, reply) => {
    if (error instanceof Refusal) return sendRefusal(reply, error)
    const status = error.statusCode ?? 500
    return sendRefusal(reply, status < 500 ? invalidRequest() : new Refusal(500, 'Internal error'))
  })

  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'candlehouse sandbox',
        version: packageVersion,
        description: 'A brokerage service with a made-up market, for trying and testing candlehouse.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      security: [{ bearer: [] }],
    },
    transform: jsonSchemaTransform,
  })
  const made = service(options, effects)
  app.after(() => {
    auth(app, sessions)
    securitiesByBoard(app, made)
    securitiesSummary(app, made)
    indexSummary(app, made)
    indexList(app, made)
    masterdata(app, made)
    ohlc(app, made)
    accountReads(app, made)
    orderReads(app, made)
    app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
  })
  await app.ready()
  return app
}
