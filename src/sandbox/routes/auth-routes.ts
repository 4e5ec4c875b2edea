import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { DEMO_API_KEY, DEMO_API_SECRET } from '../options.js'
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

function checkKey(apiKey: string, apiSecret: string): void {
  if (apiKey === '' || apiSecret === '') throw invalidRequest()
  if (apiKey !== DEMO_API_KEY || apiSecret !== DEMO_API_SECRET) {
    throw new Refusal(401, 'Invalid API key or secret')
  }
}

/** POST token, refresh and requestOtp: the three endpoints that need no bearer. */
export function auth(app: FastifyInstance, sessions: Sessions): void {
  app.post(
    '/api/v3/auth/token',
    { schema: { summary: 'Log in', body: tokenBody, response: { 200: token } } },
    async (request) => {
      const { apiKey, apiSecret, otp, transactionId } = request.body as z.output<typeof tokenBody>
      checkKey(apiKey, apiSecret)
      return sessions.login(otp ?? undefined, transactionId ?? undefined)
    },
  )
  app.post(
    '/api/v3/auth/refresh',
    { schema: { summary: 'Exchange a refresh token', body: refreshBody, response: { 200: token } } },
    (request) => sessions.refresh((request.body as z.output<typeof refreshBody>).refreshToken),
  )
  app.post(
    '/api/v3/auth/requestOtp',
    {
      schema: {
        summary: 'Ask for a one-time password',
        body: otpBody,
        response: { 200: z.object({ message: z.string(), transactionId: z.string() }) },
      },
    },
    (request) => {
      const { apiKey, apiSecret } = request.body as z.output<typeof otpBody>
      // This endpoint names what is missing, and its code is a number (docs/brokerage-api.md#errors).
      if (!apiKey) throw new Refusal(400, 'apiKey is required', 400)
      if (!apiSecret) throw new Refusal(400, 'apiSecret is required', 400)
      checkKey(apiKey, apiSecret)
      return Promise.resolve({ message: 'OTP has been sent', transactionId: sessions.requestOtp() })
    },
  )
}
