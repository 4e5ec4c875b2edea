import swagger from '@fastify/swagger'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Effects } from '../effects.js'
import { packageVersion } from '../package.js'
import { deliver } from './delivery.js'
import { DEMO_API_SECRET, type SandboxOptions } from './options.js'
import { type Fault, FaultSchedule } from './planned-faults.js'
import { RateWindow } from './rate-limit.js'
import { accountReads } from './routes/account-routes.js'
import { auth } from './routes/auth-routes.js'
import { clockRoutes } from './routes/clock-routes.js'
import { conditionalRoutes } from './routes/conditional-routes.js'
import { indexList, indexSummary } from './routes/indexes.js'
import { masterdata } from './routes/masterdata.js'
import { ohlc } from './routes/ohlc.js'
import { orderRoutes } from './routes/order-routes.js'
import { securitiesByBoard } from './routes/securities.js'
import { securitiesSummary } from './routes/securities-summary.js'
import { createService, type Service } from './service.js'
import { Sessions, unauthorized } from './signin/sessions.js'
import { createSignatureCheck } from './signin/signature.js'
import { invalidRequest, Refusal, sendRefusal } from './wire/refusal.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Planned faults of this request. */
    faults: readonly Fault[]
    /** Whether its token was verified with an OTP. */
    verified: boolean
    /** The exact bytes of its body, which are signed. */
    rawBody: Buffer
  }
}

const NEEDS_OTP = /^\/api\/v3\/(account|trading)\//
/**
 * Conditional orders take a `code` in place of a verified token (docs/brokerage-api.md#conditional-orders): the
 * route checks it.
 */
const TAKES_CODE = /^\/api\/v3\/trading\/fco\/order$/
const SIGNED = /^\/api\/v3\/trading\/(fco\/)?order$/
const NO_BODY = Buffer.alloc(0)
const NEEDS_TOKEN = /^\/api\/v3\/(data|account|trading)\//

/** Parts of the server that all its requests share. */
interface ServerParts {
  readonly options: SandboxOptions
  readonly effects: Effects
  readonly service: Service
  readonly sessions: Sessions
  readonly requestLimit: RateWindow
  readonly faults: FaultSchedule
}

/** The whole service, not yet listening. `count` is called for every request. */
export async function buildServer(
  options: SandboxOptions,
  effects: Effects,
  count: () => void,
): Promise<FastifyInstance> {
  const app = fastify({ logger: false, exposeHeadRoutes: false, forceCloseConnections: true })
  const service = createService(options, effects)
  const parts: ServerParts = {
    ...{ options, effects, service },
    sessions: new Sessions(options, effects),
    requestLimit: new RateWindow(service.dialect.rateLimit, effects),
    faults: new FaultSchedule(options.faults ?? []),
  }
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('faults', null as unknown as readonly Fault[])
  app.decorateRequest('verified', false)
  app.decorateRequest('rawBody', null as unknown as Buffer)
  parseBodies(app)
  app.addHook('onRequest', async (request, reply) => {
    count()
    return await admit(request, reply, parts)
  })
  checkSignatures(app, options)
  app.addHook('onSend', async (request, reply, payload: unknown) =>
    typeof payload === 'string' || Buffer.isBuffer(payload)
      ? deliver(request, reply, payload, request.faults ?? [])
      : payload,
  )
  answerErrors(app, service)
  await describeApi(app)
  app.after(() => addRoutes(app, parts))
  await app.ready()
  return app
}

/** Parses JSON bodies and keeps their bytes. An empty body is an empty object. */
function parseBodies(app: FastifyInstance): void {
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    request.rawBody = body as Buffer
    try {
      done(null, body.length === 0 ? {} : JSON.parse(body.toString('utf8')))
    } catch {
      done(invalidRequest())
    }
  })
}

/** Everything that happens before a route: faults, request limit, token. @returns the reply when it was sent here */
async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  { options, effects, service, sessions, requestLimit, faults }: ServerParts,
): Promise<FastifyReply | undefined> {
  const path = pathOf(request)
  const query = request.query as Record<string, unknown>
  // As in a form, an empty parameter counts as absent.
  for (const [key, value] of Object.entries(query)) if (value === '') delete query[key]
  request.faults = faults.take(path, query)
  const { limit, remaining, resetSeconds, exceeded } = requestLimit.take()
  reply.header('x-ratelimit-limit', String(limit))
  // Live counts of remaining requests are not in order (docs/market-facts.md#rate-limit).
  const difference = service.dialect.rateHeaders === 'wavering' ? remaining % 3 : 0
  reply.header('x-ratelimit-remaining', String(Math.max(0, remaining - difference)))
  reply.header('x-ratelimit-reset', String(resetSeconds))
  if (options.latencyMs) await effects.sleep(options.latencyMs)
  const answered = await applyFaults(request, reply, effects)
  if (answered) return reply
  if (exceeded) {
    reply.header('retry-after', String(resetSeconds))
    throw new Refusal(429, 'Too many requests')
  }
  // "Every request carries header Content-Type: application/json (required)".
  if (path.startsWith('/api/') && !/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw invalidRequest()
  if (NEEDS_TOKEN.test(path)) await checkToken(request, path, sessions)
  return undefined
}

/** Applies the planned faults that come before an answer. @returns whether one of them was the answer */
async function applyFaults(request: FastifyRequest, reply: FastifyReply, effects: Effects): Promise<boolean> {
  for (const fault of request.faults) {
    if (fault.kind === 'delay') await effects.sleep(fault.ms)
    else if (fault.kind === 'headers') reply.headers(fault.headers)
    else if (fault.kind === 'expiredToken') throw unauthorized()
    else if (fault.kind === 'reset') {
      reply.hijack()
      request.raw.socket.destroy()
      return true
    } else if (fault.kind === 'status') {
      reply.type('application/json; charset=utf-8').headers(fault.headers ?? {})
      const body = fault.body ?? JSON.stringify({ code: String(fault.status), msg: 'Planned fault' })
      reply.status(fault.status).send(body)
      return true
    }
  }
  return false
}

/** @throws Refusal */
async function checkToken(request: FastifyRequest, path: string, sessions: Sessions): Promise<void> {
  request.verified = (await sessions.grant(request.headers.authorization)).verified
  const takesCode = TAKES_CODE.test(path) && request.method !== 'GET'
  if (!request.verified && !takesCode && NEEDS_OTP.test(path))
    throw new Refusal(403, 'Token is not verified with an OTP')
}

function checkSignatures(app: FastifyInstance, options: SandboxOptions): void {
  const checkSignature = createSignatureCheck(options.publicKey, DEMO_API_SECRET)
  app.addHook('preValidation', async (request) => {
    if (request.method === 'GET' || !SIGNED.test(pathOf(request))) return
    const header = request.headers['x-signature']
    const result = checkSignature(typeof header === 'string' ? header : undefined, request.rawBody ?? NO_BODY)
    if (result === 'missing') throw new Refusal(400, 'X-Signature is required')
    if (result === 'wrong') throw new Refusal(401, 'X-Signature is invalid')
  })
}

function answerErrors(app: FastifyInstance, { dialect }: Service): void {
  app.setNotFoundHandler((_, reply) => sendRefusal(reply, new Refusal(404, 'Not found')))
  app.setErrorHandler((error: Error & { statusCode?: number }, _, reply) => {
    if (error instanceof Refusal) {
      if (error.status === 401 && dialect.rateHeaders === 'wavering') reply.removeHeader('x-ratelimit-reset')
      return sendRefusal(reply, error)
    }
    const status = error.statusCode ?? 500
    return sendRefusal(reply, status < 500 ? invalidRequest() : new Refusal(500, 'Internal error'))
  })
}

async function describeApi(app: FastifyInstance): Promise<void> {
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
}

function addRoutes(app: FastifyInstance, { options, service, sessions }: ServerParts): void {
  auth(app, sessions)
  securitiesByBoard(app, service)
  securitiesSummary(app, service)
  indexSummary(app, service)
  indexList(app, service)
  masterdata(app, service)
  ohlc(app, service)
  accountReads(app, service)
  orderRoutes(app, service)
  conditionalRoutes(app, service, sessions)
  if (options.drive) clockRoutes(app, service, sessions)
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}
