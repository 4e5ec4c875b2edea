import { parseKeepingNumbers } from '../decode/json.js'
import { errorBody, statusOfCode } from '../page/error-body.js'
import { describe, isHtml, jsonOf } from '../page/response.js'
import type { HttpResponse } from '../transport/transport.js'
import type { Accepted, Refused } from './outcome.js'

/** What the response to a write shows: accepted, refused, or not known. */
export type WriteReading<Result> =
  | Accepted<Result>
  | Refused
  | { readonly kind: 'unknown'; readonly message: string }

/**
 * Reads the response to a write: only an unambiguous response counts as accepted or refused.
 *
 * @param readResult undefined when the value is not a result of this write
 */
export function readWrite<Result>(
  response: HttpResponse,
  readResult: (value: unknown) => Result | undefined,
): WriteReading<Result> {
  const { status } = response
  const unknown = { kind: 'unknown', message: describe(response) } as const
  const error = errorBody(jsonOf(response.body))
  if (status >= 300) {
    if (leavesOpen(status)) return unknown
    return { kind: 'refused', error: error ?? { code: String(status), message: describe(response) }, status }
  }
  if (isHtml(response)) return unknown
  const codeStatus = error && (error.code === '0' ? 200 : statusOfCode(error.code))
  // "Any other 200-body code is an error" (docs/market-facts.md#empty-results), also one that is a word.
  if (error && (codeStatus === undefined || codeStatus >= 400))
    return codeStatus !== undefined && leavesOpen(codeStatus) ? unknown : { kind: 'refused', error, status }
  const result = readResult(parsed(response.body))
  return result === undefined ? unknown : { kind: 'accepted', result }
}

/** A gateway that gave up, or a service that broke down in the middle: the order may be at the exchange. */
function leavesOpen(status: number): boolean {
  return status < 400 || status === 408 || status >= 500
}

/** Ids that are bare numbers keep all their digits. */
function parsed(body: Uint8Array): unknown {
  try {
    return parseKeepingNumbers(
      Buffer.from(body)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    )
  } catch {
    return undefined
  }
}
