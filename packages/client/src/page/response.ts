import { excerpt, excerptOfBody } from '../excerpt.js'
import type { HttpResponse } from '../transport/transport.js'

export function isHtml(response: HttpResponse): boolean {
  return /html/i.test(response.headers['content-type'] ?? '') || response.body[0] === 0x3c
}

/** Status, content type and the first 200 characters, escaped. */
export function describe(response: HttpResponse): string {
  const type = excerpt(response.headers['content-type'] ?? 'no content type')
  return `HTTP ${response.status}, ${type}: ${excerptOfBody(response.body)}`
}

/** Undefined if the text is not JSON. */
export function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(
      Buffer.from(body)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    ) as unknown
  } catch {
    return undefined
  }
}
