import swagger from '@fastify/swagger'
import fastify, { type FastifyInstance } from 'fastify'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Effects } from '../effects.js'
import { packageVersion } from '../package.js'
import { deliver } from './delivery.js'
import { DEMO_API_SECRET, type SandboxOptions } from './options.js'
import { type Fault, FaultDesk } from './planned-faults.js'
import { RateWindow } from './rate-limit.js'
import { accountReads } from './routes/account-routes.js'
import { auth } from './routes/auth-routes.js'
import { driving } from './routes/clock-routes.js'
import { conditionalRoutes } from './routes/conditional-routes.js'
import { indexList, indexSummary } from './routes/indexes.js'
import { masterdata } from './routes/masterdata.js'
import { ohlc } from './routes/ohlc.js'
import { orderRoutes } from './routes/order-routes.js'
import { securitiesByBoard } from './routes/securities.js'
import { securitiesSummary } from './routes/securities-summary.js'
import { service } from './service.js'
import { Sessions, unauthorized } from './signin/sessions.js'
import { createSignatureCheck } from './signin/signature.js'
import { invalidRequest, Refusal, sendRefusal } from './wire/refusal.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Faults that the plan throws at this request. */
    faults: readonly Fault[]
    /** Whether its token was verified with an OTP. */
    verified: boolean
    /** The exact bytes of its body: what a signature is over. */
    rawBody: Buffer
  }
}

const NEEDS_OTP = /^\/api\/v3\/(account|trading)\//
/**
 * Conditional orders take a `code` in place of a verified token (docs/brokerage-api.md#conditional-orders): the
 * route looks.
 */
const TAKES_CODE = /^\/api\/v3\/trading\/fco\/order$/
const SIGNED = /^\/api\/v3\/trading\/(fco\/)?order$/
const NOTHING = Buffer.alloc(0)
const NEEDS_TOKEN = /^\/api\/v3\/(data|account|trading)\//

/** The whole service, not yet listening. `count` hears of every request. */
export async function buildServer(
  options: SandboxOptions,
  effects: Effects,
  count: () => void,
): Promise<FastifyInstance> {
  const app = fastify({ logger: false, exposeHeadRoutes: false, forceCloseConnections: true })
  const sessions = new Sessions(options, effects)
  const made = service(options, effects)
  const { dialect } = made
  const rate = new RateWindow(dialect.rateLimit, effects)
  const isSigned = createSignatureCheck(options.publicKey, DEMO_API_SECRET)
  const desk = new FaultDesk(options.faults ?? [])
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('faults', null as unknown as readonly Fault[])
  app.decorateRequest('verified', false)
  app.decorateRequest('rawBody', null as unknown as Buffer)
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    request.rawBody = body as Buffer
    try {
      done(null, body.length === 0 ? {} : JSON.parse(body.toString('utf8')))
    } catch {
      done(invalidRequest())
    }
  })

  app.addHook('onRequest', async (request, reply) => {
    count()
    const path = request.url.split('?', 1)[0] ?? ''
    const query = request.query as Record<string, unknown>
    // As in a form, an empty parameter is one that was not given.
    for (const [key, value] of Object.entries(query)) if (value === '') delete query[key]
    request.faults = desk.take(path, query)
    const { limit, remaining, resetSeconds, exceeded } = rate.take()
    reply.header('x-ratelimit-limit', String(limit))
    // Live counts run out of step (docs/market-facts.md#rate-limit).
    const wavers = dialect.rateHeaders === 'wavering' ? remaining % 3 : 0
    reply.header('x-ratelimit-remaining', String(Math.max(0, remaining - wavers)))
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
    // "Every request carries header Content-Type: application/json (required)".
    if (path.startsWith('/api/') && !/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
      throw invalidRequest()
    if (!NEEDS_TOKEN.test(path)) return
    request.verified = (await sessions.grant(request.headers.authorization)).verified
    const excused = TAKES_CODE.test(path) && request.method !== 'GET'
    if (!request.verified && !excused && NEEDS_OTP.test(path))
      throw new Refusal(403, 'Token is not verified with an OTP')
  })

  app.addHook('preValidation', async (request) => {
    if (request.method === 'GET' || !SIGNED.test(request.url.split('?', 1)[0] ?? '')) return
    const header = request.headers['x-signature']
    const verdict = isSigned(typeof header === 'string' ? header : undefined, request.rawBody ?? NOTHING)
    if (verdict === 'missing') throw new Refusal(400, 'X-Signature is required')
    if (verdict === 'wrong') throw new Refusal(401, 'X-Signature is invalid')
  })

  app.addHook('onSend', async (request, reply, payload: unknown) =>
    typeof payload === 'string' ? deliver(request, reply, payload, request.faults ?? []) : payload,
  )

  app.setNotFoundHandler((_, reply) => sendRefusal(reply, new Refusal(404, 'Not found')))
  app.setErrorHandler((error: Error & { statusCode?: number }, _, reply) => {
    if (error instanceof Refusal) {
      if (error.status === 401 && dialect.rateHeaders === 'wavering') reply.removeHeader('x-ratelimit-reset')
      return sendRefusal(reply, error)
    }
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
  app.after(() => {
    auth(app, sessions)
    securitiesByBoard(app, made)
    securitiesSummary(app, made)
    indexSummary(app, made)
    indexList(app, made)
    masterdata(app, made)
    ohlc(app, made)
    accountReads(app, made)
    orderRoutes(app, made)
    conditionalRoutes(app, made, sessions)
    if (options.drive) driving(app, made, sessions)
    app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
  })
  await app.ready()
  return app
}
