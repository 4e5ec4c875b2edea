import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { documentedAnswers, WITHOUT_TOKEN } from '../http/documented-answers.js'
import type { ClientKey } from '../signin/keys.js'
import type { Sessions } from '../signin/sessions.js'
import { invalidRequest, Refusal } from '../wire/refusal.js'

const token = z.object({
  tokenType: z.literal('Bearer'),
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresAt: z.int(),
  refreshExpiresAt: z.int(),
})

const tokenBody = z.object({
  apiKey: z.string(),
  apiSecret: z.string(),
  otp: z.string().nullish(),
  transactionId: z.string().nullish().describe('Smart OTP: from requestOtp, instead of otp'),
})

const refreshBody = z.object({ refreshToken: z.string() })

const otpBody = z.object({ apiKey: z.string().optional(), apiSecret: z.string().optional() })

/** @throws Refusal for any other */
function keyOf(keys: readonly ClientKey[], apiKey: string, apiSecret: string): ClientKey {
  if (apiKey === '') throw invalidRequest('body apiKey: is empty')
  if (apiSecret === '') throw invalidRequest('body apiSecret: is empty')
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
        summary: 'Ask for a one-time password',
        body: otpBody,
        security: WITHOUT_TOKEN,
        response: documentedAnswers(
          z.object({ message: z.string(), transactionId: z.string() }),
          [400, 401, 429],
          'number',
        ),
      },
    },
    (request) => {
      const { apiKey, apiSecret } = request.body as z.output<typeof otpBody>
      // This endpoint names what is missing (docs/brokerage-api.md#errors).
      if (!apiKey) throw new Refusal(400, 'apiKey is required')
      if (!apiSecret) throw new Refusal(400, 'apiSecret is required')
      keyOf(keys, apiKey, apiSecret)
      return Promise.resolve({ message: 'OTP has been sent', transactionId: sessions.requestOtp() })
    },
  )
}
