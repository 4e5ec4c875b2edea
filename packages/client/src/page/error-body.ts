import type { ApiFault } from '../contract.js'
import { excerpt } from '../excerpt.js'

/**
 * Reads `{code, msg}` (docs/brokerage-api.md#errors: code as text or number;
 * docs/market-facts.md#empty-results: also on HTTP 200). Undefined when the value has no code.
 */
export function errorBody(value: unknown): ApiFault | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  let code: string | undefined
  let message = ''
  for (const [name, field] of Object.entries(value)) {
    const key = name.toLowerCase()
    if (key === 'code' && (typeof field === 'string' || typeof field === 'number'))
      code = excerpt(String(field))
    if ((key === 'msg' || key === 'message') && typeof field === 'string') message = excerpt(field)
  }
  return code ? { code, message } : undefined
}

/**
 * The HTTP status an error code stands for: `400` itself, `400213` and `401114` by their first three digits
 * (docs/market-facts.md#empty-results). Undefined for words.
 */
export function statusOfCode(code: string): number | undefined {
  if (!/^\d{3}(\d{3})?$/.test(code)) return undefined
  return Number(code.slice(0, 3))
}

/** Statuses after which another attempt may succeed. */
export function isPassing(status: number): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429
}
