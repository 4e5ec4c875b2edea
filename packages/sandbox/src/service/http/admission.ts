import type { Effects } from 'candlehouse-foundation/effects'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SandboxOptions } from '../../options.js'
import type { Fault, FaultSchedule } from '../../planned-faults.js'
import type { Service } from '../service.js'
import { keysOf } from '../signin/keys.js'
import type { Sessions } from '../signin/sessions.js'
import { unauthorized } from '../signin/sessions.js'
import { createSignatureCheck } from '../signin/signature.js'
import { invalidRequest, Refusal } from '../wire/refusal.js'
import type { RateWindow } from './rate-limit.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Planned faults of this request. */
    faults: readonly Fault[]
    /** Whether its token was verified with an OTP. */
    verified: boolean
    /** Client of its key; empty without a token. */
    clientId: string
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
const OF_SERVICE = /^\/api\//
/** Routes about the sandbox: no fault and no limit applies to them. */
const OF_SANDBOX = /^\/sandbox\//
const DRIVEN = /^\/sandbox\/(clock|smart-otp|cash)$/
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** What a request passes before its route. */
export interface AdmissionParts {
  readonly options: SandboxOptions
  readonly effects: Effects
  readonly service: Service
  readonly sessions: Sessions
  readonly requestLimit: RateWindow
  readonly faults: FaultSchedule
  /** Aborts when the service closes: no timer of an answer that was to come later keeps the process alive. */
  readonly closing: AbortSignal
}

/**
 * Everything that happens before a route: faults, request limit, method, token.
 *
 * @returns the reply when it was sent here
 */
export async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: AdmissionParts,
): Promise<FastifyReply | undefined> {
  const path = pathOf(request)
  const query = request.query as Record<string, unknown>
  // As in a form, an empty parameter counts as absent.
  for (const [key, value] of Object.entries(query)) if (value === '') delete query[key]
  if (OF_SANDBOX.test(path)) {
    if (request.is404) refuseUnknown(request, path)
    return undefined
  }
  request.faults = parts.faults.take(path, query)
  const { exceeded, resetSeconds } = countRequest(reply, parts)
  if (parts.options.latencyMs && (await isClosedWithin(parts.options.latencyMs, reply, parts))) return reply
  const answered = await applyFaults(request, reply, parts)
  if (answered) return reply
  if (exceeded)
    throw new Refusal(429, 'Too many requests', { headers: { 'retry-after': String(resetSeconds) } })
  if (request.is404) refuseUnknown(request, path)
  // "Every request carries header Content-Type: application/json (required)".
  if (OF_SERVICE.test(path) && !/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw invalidRequest('header Content-Type: expected application/json on every request, GET included')
  if (NEEDS_TOKEN.test(path)) await checkToken(request, path, parts.sessions)
  return undefined
}

function countRequest(reply: FastifyReply, { requestLimit, service }: AdmissionParts) {
  const { limit, remaining, resetSeconds, exceeded } = requestLimit.take()
  reply.header('x-ratelimit-limit', String(limit))
  // Live counts of remaining requests are not in order (docs/market-facts.md#rate-limit).
  const difference = service.dialect.rateHeaders === 'wavering' ? remaining % 3 : 0
  reply.header('x-ratelimit-remaining', String(Math.max(0, remaining - difference)))
  reply.header('x-ratelimit-reset', String(resetSeconds))
  return { exceeded, resetSeconds }
}

/** @throws Refusal: 405 for a path that has other methods, 404 for all others */
function refuseUnknown({ server, method }: FastifyRequest, path: string): never {
  const allowed = METHODS.filter((candidate) => server.hasRoute({ method: candidate, url: path }))
  if (allowed.length === 0)
    throw new Refusal(404, 'Not found', {
      problem: DRIVEN.test(path)
        ? 'path: only with --drive'
        : 'path: unknown; GET /openapi.json lists all paths',
    })
  const allow = allowed.join(', ')
  throw new Refusal(405, 'Method not allowed', {
    problem: `method ${method}: expected ${allow}`,
    headers: { allow },
  })
}

/** Applies the planned faults that come before an answer. @returns whether one of them was the answer */
async function applyFaults(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: AdmissionParts,
): Promise<boolean> {
  for (const fault of request.faults) {
    if (fault.kind === 'delay') {
      if (await isClosedWithin(fault.ms, reply, parts)) return true
    } else if (fault.kind === 'headers') reply.headers(fault.headers)
    else if (fault.kind === 'expiredToken') throw unauthorized('planned fault: the token counts as expired')
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

/** Waits. @returns whether the service closed meanwhile: its connections are gone, and nothing is answered */
async function isClosedWithin(
  ms: number,
  reply: FastifyReply,
  { effects, closing }: AdmissionParts,
): Promise<boolean> {
  await effects.sleep(ms, closing).catch((error: unknown) => {
    if (!closing.aborted) throw error
  })
  if (closing.aborted) reply.hijack()
  return closing.aborted
}

/** @throws Refusal */
async function checkToken(request: FastifyRequest, path: string, sessions: Sessions): Promise<void> {
  const { verified, clientId } = await sessions.grant(request.headers.authorization)
  request.verified = verified
  request.clientId = clientId
  const takesCode = TAKES_CODE.test(path) && request.method !== 'GET'
  if (!request.verified && !takesCode && NEEDS_OTP.test(path))
    throw new Refusal(403, 'Token is not verified with an OTP', {
      problem: 'header Authorization: this token reads market data only; log in with field otp',
    })
}

export function checkSignatures(app: FastifyInstance, options: SandboxOptions): void {
  const checks = new Map(
    keysOf(options).map(({ clientId, apiSecret }) => [
      clientId,
      createSignatureCheck(options.publicKey, apiSecret),
    ]),
  )
  app.addHook('preValidation', async (request) => {
    if (request.method === 'GET' || !SIGNED.test(pathOf(request))) return
    const header = request.headers['x-signature']
    const check = checks.get(request.clientId) ?? createSignatureCheck(options.publicKey, '')
    const result = check(typeof header === 'string' ? header : undefined, request.rawBody ?? NO_BODY)
    if (result === 'missing')
      throw new Refusal(400, 'X-Signature is required', { problem: 'header X-Signature: is missing' })
    if (result === 'wrong')
      throw new Refusal(401, 'X-Signature is invalid', {
        problem:
          'header X-Signature: expected RSA with SHA-256 as hex or base64, over the exact body bytes or the secret and these',
      })
  })
}

export function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? ''
}
