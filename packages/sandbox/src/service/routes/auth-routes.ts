import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { documentedAnswers, WITHOUT_TOKEN } from '../http/documented-answers.js'
import type { ClientKey } from '../signin/keys.js'
import type { Sessions } from '../signin/sessions.js'
import { Refusal } from '../wire/refusal.js'

const token = z
  .object({
    tokenType: z.literal('Bearer'),
    accessToken: z.string(),
    refreshToken: z.string(),
    expiresAt: z.int(),
    refreshExpiresAt: z.int(),
  })
  .meta({ title: 'Token' })

const tokenBody = z
  .object({
    apiKey: z.string().min(1, { error: 'is empty' }),
    apiSecret: z.string().min(1, { error: 'is empty' }),
    otp: z.string().nullish(),
    transactionId: z.string().nullish().describe('Smart OTP: from requestOtp, instead of otp'),
  })
  .meta({ title: 'TokenRequest' })

const refreshBody = z.object({ refreshToken: z.string() }).meta({ title: 'RefreshRequest' })

/** The route takes any: this endpoint names what is missing in a message of its own (docs/brokerage-api.md#errors). */
const otpBody = z.object({ apiKey: z.string().optional(), apiSecret: z.string().optional() })
const documentedOtpBody = z
  .object({ apiKey: z.string().min(1), apiSecret: z.string().min(1) })
  .meta({ title: 'OtpRequest' })

/** @throws Refusal for any other */
function keyOf(keys: readonly ClientKey[], apiKey: string, apiSecret: string): ClientKey {
  const key = keys.find((each) => each.apiKey === apiKey && each.apiSecret === apiSecret)
  if (!key) {
    throw new Refusal(401, 'Invalid API key or secret', {
      problem: 'body apiKey, apiSecret: expected the values that the sandbox printed when it started',
    })
  }
  return key
}

/** POST token, refresh and requestOtp: the three endpoints that need no bearer. */
export function auth(app: FastifyInstance, keys: readonly ClientKey[], sessions: Sessions): void {
  app.post(
    '/api/v3/auth/token',
    {
      schema: {
        operationId: 'token',
        summary: 'Log in',
        security: WITHOUT_TOKEN,
        body: tokenBody,
        response: documentedAnswers(token, [202, 400, 401, 403, 429], 'login'),
      },
    },
    async (request) => {
      const { apiKey, apiSecret, otp, transactionId } = request.body as z.output<typeof tokenBody>
      return sessions.login(keyOf(keys, apiKey, apiSecret), otp ?? undefined, transactionId ?? undefined)
    },
  )
  app.post(
    '/api/v3/auth/refresh',
    {
      schema: {
        operationId: 'refresh',
        summary: 'Exchange a refresh token',
        security: WITHOUT_TOKEN,
        body: refreshBody,
        response: documentedAnswers(token, [400, 401, 429]),
      },
    },
    (request) => sessions.refresh((request.body as z.output<typeof refreshBody>).refreshToken),
  )
  app.post(
    '/api/v3/auth/requestOtp',
    {
      schema: {
        operationId: 'requestOtp',
        summary: 'Ask for a one-time password',
        body: otpBody,
        documentedBody: documentedOtpBody,
        security: WITHOUT_TOKEN,
        response: documentedAnswers(
          z.object({ message: z.string(), transactionId: z.string() }).meta({ title: 'OtpRequested' }),
          [400, 401, 429],
          'number',
        ),
      },
    },
    (request) => {
      const { apiKey, apiSecret } = request.body as z.output<typeof otpBody>
      if (!apiKey) throw new Refusal(400, 'apiKey is required')
      if (!apiSecret) throw new Refusal(400, 'apiSecret is required')
      keyOf(keys, apiKey, apiSecret)
      return Promise.resolve({ message: 'OTP has been sent', transactionId: sessions.requestOtp() })
    },
  )
}
