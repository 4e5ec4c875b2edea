import { z } from 'zod'

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  202: 'Smart OTP: waiting for the approval in the mobile app (code 401114)',
  400: 'The request cannot be understood, or the order is refused; header x-sandbox-problem names the field',
  401: 'The token, the key, the password or the signature is not accepted',
  403: 'The token was not verified with an OTP, the code is missing, or passwords are locked',
  404: 'Nothing of this name is pending',
  409: 'clientRequestId was used today (live dialect)',
  429: 'Too many requests: header Retry-After has the seconds to wait',
}

/** The specification's error body: `code` is text, on the OTP request endpoint a number. */
const errorBody = z.object({ code: z.string(), msg: z.string() }).meta({ title: 'Error' })
const numberedError = z.object({ code: z.int(), msg: z.string() }).meta({ title: 'NumberedError' })
/** Codes of Smart OTP are numbers, those of other logins text (docs/market-facts.md#smart-otp). */
const loginError = z
  .object({ code: z.union([z.string(), z.int()]), msg: z.string() })
  .meta({ title: 'LoginError' })

type ErrorKind = 'text' | 'number' | 'login'

/** An answer of a status, as the OpenAPI document has it. */
export interface DocumentedAnswer {
  readonly description: string
  readonly content: { readonly 'application/json': { readonly schema: z.ZodType } }
}

function documented(schema: z.ZodType, description: string): DocumentedAnswer {
  return { description, content: { 'application/json': { schema } } }
}

/** Schemas of a route's answers by status. The bodies are written by hand: this is for the OpenAPI document. */
export function documentedAnswers(
  ok: z.ZodType,
  statuses: readonly number[],
  kind: ErrorKind = 'text',
): Record<number, DocumentedAnswer> {
  const body = { text: errorBody, number: numberedError, login: loginError }[kind]
  const errors = statuses.map(
    (status) => [status, documented(body, DESCRIPTIONS[status] ?? 'Error')] as const,
  )
  return Object.fromEntries([[200, documented(ok, ok.description ?? 'Accepted')], ...errors])
}

/** Errors of reads of market data, of accounts, and of writes. */
export const MARKET_ERRORS = [400, 401, 429] as const
export const ACCOUNT_ERRORS = [400, 401, 403, 429] as const
export const WRITE_ERRORS = [400, 401, 403, 409, 429] as const

/** A route that needs no token. */
export const WITHOUT_TOKEN: readonly Record<string, readonly string[]>[] = []

/** Header of writes (docs/brokerage-api.md#signatures). Whether it is there is checked before: the error has its own message. */
export const signedHeaders = z.object({
  'x-signature': z
    .string()
    .describe('RSA with SHA-256 over the secret and the body, as hex or base64, with or without sha256='),
})
