// From a request to what it deserves: headers first, then the token, then the route.

import { accountRoutes } from './account-routes.js'
import type { StandInAccounts } from './accounts.js'
import { type Answer, type Call, invalid, Refusal, refusalAnswer } from './answer.js'
import { marketRoutes } from './market-routes.js'
import type { RateVerdict } from './rate.js'
import type { Tokens } from './tokens.js'

const AUTH: Record<string, 'login' | 'refresh' | 'requestOtp'> = {
  '/api/v3/auth/token': 'login',
  '/api/v3/auth/refresh': 'refresh',
  '/api/v3/auth/requestOtp': 'requestOtp',
}

const object = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
  } catch {
    // Not JSON: refused below like any other shape.
  }
  throw invalid()
}

/** The accounts that a key may read; it knows of no others. */
const ofKey = (truth: StandInAccounts, names: readonly string[] | undefined): StandInAccounts => ({
  ...truth,
  accounts: truth.accounts.filter(({ accountNo }) => names?.includes(accountNo) ?? true),
})

const decide = (call: Call, tokens: Tokens, accounts: StandInAccounts, rate: RateVerdict): Answer => {
  const { method, path, headers, body } = call.request
  if (!/^application\/json(;|$)/i.test(headers['content-type'] ?? '')) {
    throw invalid('Content-Type must be application/json')
  }
  if (rate.refused) throw new Refusal(429, '429', 'Too many requests')
  const auth = AUTH[path]
  if (auth && method === 'POST') return tokens[auth](object(body))
  const bearer = tokens.check(headers.authorization)
  const market = method === 'GET' ? marketRoutes[path] : undefined
  if (market) return market(call)
  const account = method === 'GET' ? accountRoutes[path] : undefined
  if (!account) throw new Refusal(404, '404', 'Not found')
  if (bearer.grade !== 'otp') throw new Refusal(403, '403', 'Forbidden: OTP verification is required')
  return account(call, ofKey(accounts, bearer.accounts))
}

export const answerTo = (
  call: Call,
  tokens: Tokens,
  accounts: StandInAccounts,
  rate: RateVerdict,
): Answer => {
  try {
    const answer = decide(call, tokens, accounts, rate)
    return { ...answer, headers: { ...rate.headers, ...answer.headers } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const answer = refusalAnswer(error, call.options)
    // A live 401 carries no rate headers.
    return error.status === 401 ? answer : { ...answer, headers: rate.headers }
  }
}
