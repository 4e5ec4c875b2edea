import type { Effects } from 'candlehouse-foundation/effects'
import fastify, { type FastifyInstance } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { SandboxOptions } from '../options.js'
import { type Fault, FaultSchedule } from '../planned-faults.js'
import { type AdmissionParts, admit, checkSignatures, pathOf } from './http/admission.js'
import { completeDocument, describeApi, type WireExamples } from './http/api-document.js'
import { deliver } from './http/delivery.js'
import { answerErrors, answerFrameworkError, answerSocketError } from './http/errors.js'
import { RateWindow } from './http/rate-limit.js'
import { logRequests } from './http/request-log.js'
import { EXAMPLE_OPTIONS, wireExamples } from './http/wire-examples.js'
import { accountReads } from './routes/account-routes.js'
import { auth } from './routes/auth-routes.js'
import { cashRoutes } from './routes/cash-routes.js'
import { clockRoutes } from './routes/clock-routes.js'
import { conditionalRoutes } from './routes/conditional-routes.js'
import { faultRoutes, refuseForeign } from './routes/fault-routes.js'
import { frontPage } from './routes/front-page.js'
import { indexList, indexSummary } from './routes/indexes.js'
import { masterdata } from './routes/masterdata.js'
import { ohlc } from './routes/ohlc.js'
import { orderRoutes } from './routes/order-routes.js'
import { securitiesByBoard } from './routes/securities.js'
import { securitiesSummary } from './routes/securities-summary.js'
import { createService } from './service.js'
import { keysOf } from './signin/keys.js'
import { Sessions } from './signin/sessions.js'
import { invalidRequest } from './wire/refusal.js'

/** The whole service, not yet listening. `count` is called for every request. */
export async function buildServer(
  options: SandboxOptions,
  effects: Effects,
  count: () => void,
): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: answerSocketError,
    schemaController: { compilersFactory: { buildValidator: notAsked, buildSerializer: notAsked } },
  })
  const service = createService(options, effects)
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  const parts: AdmissionParts = {
    options,
    effects,
    service,
    sessions: new Sessions(options, effects),
    requestLimit: new RateWindow(service.dialect.rateLimit, effects),
    faults: new FaultSchedule(options.faults ?? []),
    closing: closing.signal,
  }
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('faults', null as unknown as readonly Fault[])
  app.decorateRequest('verified', false)
  app.decorateRequest('clientId', '')
  app.decorateRequest('rawBody', null as unknown as Buffer)
  app.decorateRequest('problem', undefined)
  parseBodies(app)
  app.addHook('onRequest', async (request, reply) => {
    count()
    if (pathOf(request).startsWith('/sandbox/')) refuseForeign(request)
    return await admit(request, reply, parts)
  })
  checkSignatures(app, options)
  app.addHook('onSend', async (request, reply, payload: unknown) =>
    typeof payload === 'string' || Buffer.isBuffer(payload)
      ? deliver(request, reply, payload, request.faults ?? [])
      : payload,
  )
  if (options.log) logRequests(app, effects, options.log)
  // A path without a route is refused by `admit`, which knows what a path has.
  app.setNotFoundHandler(() => undefined)
  answerErrors(app, service)
  await describeApi(app)
  app.after(() => addRoutes(app, parts))
  app.after(() => serveDocument(app, parts))
  await app.ready()
  return app
}

/** In place of Ajv, which fastify would load at every start (a third of what it loads), and not ask: zod validates. */
function notAsked(): never {
  throw new Error('the compilers of zod are asked')
}

/** Parses JSON bodies and keeps their bytes. An empty body is an empty object. */
function parseBodies(app: FastifyInstance): void {
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    request.rawBody = body as Buffer
    try {
      done(null, body.length === 0 ? {} : JSON.parse(body.toString('utf8')))
    } catch {
      done(invalidRequest('body: is not JSON'))
    }
  })
}

function addRoutes(app: FastifyInstance, { options, service, sessions, faults }: AdmissionParts): void {
  auth(app, keysOf(options), sessions)
  securitiesByBoard(app, service)
  securitiesSummary(app, service)
  indexSummary(app, service)
  indexList(app, service)
  masterdata(app, service)
  ohlc(app, service)
  accountReads(app, service)
  orderRoutes(app, service)
  conditionalRoutes(app, service, sessions)
  if (options.drive) {
    clockRoutes(app, service, sessions)
    cashRoutes(app, service)
  }
  faultRoutes(app, faults)
  frontPage(app, service)
}

/** The OpenAPI document; its examples are answers of a sandbox like this one on a day of their own, asked when they are needed. */
function serveDocument(app: FastifyInstance, { options, effects }: AdmissionParts): void {
  let examples: Promise<WireExamples> | undefined
  const askForExamples = async (): Promise<WireExamples> => {
    const { dialect, fieldSuffixes } = options
    const shown = await buildServer(
      { ...EXAMPLE_OPTIONS, ...(dialect ? { dialect } : {}), ...(fieldSuffixes ? { fieldSuffixes } : {}) },
      effects,
      () => undefined,
    )
    try {
      return await wireExamples(shown)
    } finally {
      await shown.close()
    }
  }
  app.get('/openapi.json', { schema: { hide: true } }, async (request) => {
    examples ??= askForExamples()
    const address = `http://${request.headers.host ?? '127.0.0.1'}`
    return completeDocument(app.swagger() as OpenAPIV3_1.Document, await examples, address)
  })
}
