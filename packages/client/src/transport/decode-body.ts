import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { Fault, PageFault } from '../fault.js'

export interface Decoded {
  readonly body: Uint8Array
  /** One whole gzip document equal to `body`, as it came over the wire. */
  readonly wire: Uint8Array | undefined
}

/**
 * Undoes the content encoding here rather than in the HTTP library: the wire bytes are landed unchanged,
 * and a truncated or damaged gzip is noticed (Node's fetch reports neither).
 *
 * @param maxBytes decoded bytes at most
 * @throws PageFault for damage · Fault `final` when the body grows beyond `maxBytes`
 */
export function decodeBody(received: Buffer, encoding: string | undefined, maxBytes: number): Decoded {
  const name = encoding?.trim().toLowerCase() ?? ''
  const isGzip = received[0] === 0x1f && received[1] === 0x8b
  try {
    if (isGzip) {
      const body = gunzipSync(received, { maxOutputLength: maxBytes, chunkSize: pieceOf(received) })
      return { body, wire: isWholeGzip(received, body) ? received : undefined }
    }
    if (received.length > 0 && (name === 'gzip' || name === 'x-gzip'))
      throw new PageFault('announced as gzip, and is not', received)
    if (name === 'br')
      return { body: brotliDecompressSync(received, { maxOutputLength: maxBytes }), wire: undefined }
    if (name === 'deflate')
      return { body: inflateSync(received, { maxOutputLength: maxBytes }), wire: undefined }
  } catch (error) {
    if (error instanceof Fault) throw error
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Fault('final', `the answer grows beyond ${maxBytes} bytes when decompressed`, {
        cause: error,
      })
    throw new PageFault(`damaged ${name || 'gzip'} body: ${(error as Error).message}`, received, error)
  }
  return { body: received, wire: undefined }
}

/**
 * Cuts a byte order mark off and proves UTF-8. The wire bytes go with the mark: readers of the landed page
 * must see the same text as the client.
 *
 * @throws PageFault when the body is empty or not UTF-8
 */
export function readableText(decoded: Decoded): Decoded {
  let { body, wire } = decoded
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) {
    body = body.subarray(3)
    wire = undefined
  }
  if (body.length === 0) throw new PageFault('an empty body', body)
  if (!isUtf8(body)) throw new PageFault('the body is not UTF-8', body)
  return { body, wire }
}

/** The length in the last four bytes is the body's: one member, and nothing after it. */
function isWholeGzip(wire: Buffer, body: Buffer): boolean {
  return wire.length >= 18 && statedLength(wire) === body.length >>> 0
}

/** Pieces that zlib writes, in bytes, whatever a body states of its length. */
const [SMALLEST_PIECE, LARGEST_PIECE] = [16_384, 1_048_576]

/** One piece for the whole body where it states its length: pieces of 16 KiB cost half as much again. */
function pieceOf(wire: Buffer): number {
  const whole = wire.length >= 18 ? statedLength(wire) + 1 : 0
  return Math.min(Math.max(whole, SMALLEST_PIECE), LARGEST_PIECE)
}

/** What the last four bytes of a gzip document state: the length of its body. */
function statedLength(wire: Buffer): number {
  return wire.readUInt32LE(wire.length - 4)
}
