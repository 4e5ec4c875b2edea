import { Readable } from 'node:stream'
import { constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Fault, spoil } from '../../planned-faults.js'

/** Smaller bodies cost more to compress than to send. */
const WORTH_COMPRESSING = 1_024

/** The bytes sent for a body: changed by planned faults, compressed when the client accepts gzip. */
export function deliver(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer,
  faults: readonly Fault[],
): string | Buffer | Readable {
  const text = faults.length === 0 ? body : spoil(body.toString(), faults)
  let bytes = text
  if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? '') && text.length >= WORTH_COMPRESSING) {
    bytes = compressed(text)
    reply.header('content-encoding', 'gzip')
    reply.header('vary', 'accept-encoding')
    if (faults.some(({ kind }) => kind === 'truncateGzip')) bytes = bytes.subarray(0, bytes.length - 12)
  }
  const length = Buffer.byteLength(bytes)
  reply.header('content-length', length)
  return faults.some(({ kind }) => kind === 'drop') ? broken(Buffer.from(bytes)) : bytes
}

/** Bodies that are kept as bytes (routes/read-route.ts) are compressed once. */
const compressedBodies = new WeakMap<Buffer, Buffer>()

function compressed(body: string | Buffer): Buffer {
  const known = typeof body === 'string' ? undefined : compressedBodies.get(body)
  if (known) return known
  // Level 1: at level 6 the sandbox needs more CPU than the pipeline that reads it. In this thread: to hand a page
  // of 20 rows to another one costs three times its compression.
  const bytes = gzipSync(body, { level: constants.Z_BEST_SPEED })
  if (typeof body !== 'string') compressedBodies.set(body, bytes)
  return bytes
}

/** Half of the bytes, then a reset. */
function broken(bytes: Buffer): Readable {
  let sent = false
  return new Readable({
    read() {
      if (sent) return
      sent = true
      this.push(bytes.subarray(0, Math.floor(bytes.length / 2)))
      setImmediate(() => this.destroy(new Error('connection dropped as planned')))
    },
  })
}
