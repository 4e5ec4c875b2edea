// The bytes of an answer, whole or as damaged as a fault wants them.

import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Answer } from './answer.js'
import type { Fault } from './faults.js'

const LOGIN_PAGE = '<!DOCTYPE html>\n<html><body><form action="/login"><h1>Sign in</h1></form></body></html>'
const GATEWAY = '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>nginx</body>\r\n</html>'

const text = (status: number, body: string, type: string, headers: Record<string, string> = {}) => ({
  status,
  body,
  headers: { 'Content-Type': type, ...headers },
})

/** Faults that answer in place of the service, which then never learns of the request. */
export const replacement = (fault: Fault | undefined) => {
  switch (fault?.kind) {
    case 'html502':
      return text(502, GATEWAY, 'text/html')
    case 'html200':
      return text(200, LOGIN_PAGE, 'text/html; charset=utf-8')
    case 'status':
      return text(fault.status, fault.body ?? '', 'application/json', fault.headers)
    case '429': {
      const wait = fault.retryAfter === undefined ? {} : { 'Retry-After': String(fault.retryAfter) }
      const headers = { ...wait, ...fault.headers }
      return text(429, '{"code":"429","msg":"Too many requests"}', 'application/json', headers)
    }
    default:
      return undefined
  }
}

export const deliverReplacement = (
  response: ServerResponse,
  { status, body, headers }: NonNullable<ReturnType<typeof replacement>>,
): void => {
  response.writeHead(status, { ...headers, 'Content-Length': String(Buffer.byteLength(body)) }).end(body)
}

const altered = (json: string, fault: Fault | undefined): string | Buffer => {
  if (fault?.kind === 'null') return 'null'
  if (fault?.kind === 'bom') return `\uFEFF${json}`
  if (fault?.kind === 'emptyBody') return ''
  return fault?.kind === 'body' ? fault.transform(json) : json
}

const damaged = (zipped: Buffer, how: 'truncated' | 'crc'): Buffer => {
  if (how === 'truncated') return zipped.subarray(0, Math.floor(zipped.length / 2))
  const copy = Buffer.from(zipped)
  const at = copy.length - 8
  copy.writeUInt32LE((copy.readUInt32LE(at) ^ 0xff) >>> 0, at)
  return copy
}

const PIECE = Buffer.alloc(1 << 20, ' ')

/** Writes until the client hangs up. */
const pour = (response: ServerResponse, start: Buffer): void => {
  const more = (): void => {
    while (!response.destroyed && response.write(PIECE));
  }
  response.on('drain', more)
  response.write(start)
  more()
}

export const deliver = (
  response: ServerResponse,
  answer: Answer,
  fault: Fault | undefined,
  gzip: boolean,
): void => {
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value)
  response.statusCode = answer.status
  if (answer.value === undefined) {
    response.end()
    return
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  const plain = Buffer.from(altered(JSON.stringify(answer.value), fault))
  const half = plain.subarray(0, Math.floor(plain.length / 2))
  if (fault?.kind === 'truncate') {
    // No length and no chunks: the end of the connection is the end of the body.
    response.useChunkedEncodingByDefault = false
    response.setHeader('Connection', 'close')
    response.flushHeaders()
    response.end(half)
    return
  }
  if (fault?.kind === 'endless') {
    pour(response, plain)
    return
  }
  if (fault?.kind === 'oversized') {
    response.setHeader('Content-Length', String(plain.length + fault.blanks))
    response.write(plain)
    response.end(Buffer.alloc(fault.blanks, ' '))
    return
  }
  if (fault?.kind === 'reset') {
    response.setHeader('Content-Length', String(plain.length))
    response.write(half, () => response.socket?.resetAndDestroy())
    return
  }
  const zip = fault?.kind === 'badGzip' || (gzip && plain.length > 0)
  const whole = zip ? gzipSync(plain) : plain
  const bytes = fault?.kind === 'badGzip' ? damaged(whole, fault.how ?? 'truncated') : whole
  if (zip) response.setHeader('Content-Encoding', 'gzip')
  response.setHeader('Content-Length', String(bytes.length))
  response.end(bytes)
}
