import { createHash } from 'node:crypto'
import type { BucketAccess } from '../../src/bucket/bucket-access.js'
import type { Effects } from '../../src/effects.js'

/** What a fault does to a request: it never arrives, its answer is lost, or it is answered with this status. */
export type Fault = 'lost before' | 'lost after' | number

export interface SentRequest {
  readonly method: string
  /** Without the bucket. */
  readonly key: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly url: string
}

/**
 * A bucket in memory with the promises of S3 that the publisher relies on: conditional writes, lists in pages, parts, hashes
 * of contents. It shares nothing with `src/bucket`.
 */
export class FakeBucket {
  readonly objects = new Map<string, Buffer>()
  readonly requests: SentRequest[] = []
  private readonly uploads = new Map<string, Map<number, Buffer>>()
  /** Decides about each request; undefined: it is answered as it should be. */
  fault: (request: SentRequest) => Fault | undefined = () => undefined

  constructor(private readonly pageSize = 1000) {}

  /** Effects whose requests come to this bucket. */
  through(effects: Effects): Effects {
    return { ...effects, network: { fetch: this.send } }
  }

  /** As the client calls it. */
  readonly send = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const [, , ...parts] = url.pathname.split('/')
    const key = decodeURIComponent(parts.join('/'))
    const sent: SentRequest = {
      method: request.method,
      key,
      query: url.searchParams,
      headers: request.headers,
      url: request.url,
    }
    this.requests.push(sent)
    const body = Buffer.from(await request.arrayBuffer())
    const fault = this.fault(sent)
    if (fault === 'lost before') throw new TypeError('fetch failed')
    if (typeof fault === 'number') return xml(fault, `<Error><Code>Fault${fault}</Code></Error>`)
    const answer = this.answer(sent, body)
    if (fault === 'lost after') throw new TypeError('fetch failed')
    return answer
  }

  writes(): SentRequest[] {
    return this.requests.filter(({ method }) => method === 'PUT')
  }

  private answer(request: SentRequest, body: Buffer): Response {
    const { method, key, query, headers } = request
    if (!headers.get('authorization')?.startsWith('AWS4-HMAC-SHA256 ')) return failure(403, 'AccessDenied')
    if (headers.get('x-amz-content-sha256') !== createHash('sha256').update(body).digest('hex'))
      return failure(400, 'XAmzContentSHA256Mismatch')
    if (method === 'POST' || query.has('uploadId')) return this.part(request, body)
    if (method === 'PUT') return this.put(request, body)
    if (method === 'DELETE') {
      this.objects.delete(key)
      return new Response(null, { status: 204 })
    }
    if (key === '') return this.list(query)
    const there = this.objects.get(key)
    if (!there) return failure(404, 'NoSuchKey')
    const expected = headers.get('if-match')
    if (expected !== null && etag(there) !== expected) return failure(412, 'PreconditionFailed')
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.get('range') ?? '') ?? []
    if (from === undefined) return new Response(new Uint8Array(there), { headers: { etag: etag(there) } })
    if (Number(from) >= there.length) return failure(416, 'InvalidRange')
    const part = there.subarray(Number(from), Number(to) + 1)
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${there.length}`
    return new Response(new Uint8Array(part), {
      status: 206,
      headers: { etag: etag(there), 'content-range': range },
    })
  }

  private put({ key, headers }: SentRequest, body: Buffer): Response {
    const there = this.objects.get(key)
    if (headers.get('if-none-match') === '*' && there) return failure(412, 'PreconditionFailed')
    const expected = headers.get('if-match')
    if (expected !== null && !there) return failure(404, 'NoSuchKey')
    if (expected !== null && there && etag(there) !== expected) return failure(412, 'PreconditionFailed')
    this.objects.set(key, body)
    return new Response(null, { headers: { etag: etag(body) } })
  }

  private list(query: URLSearchParams): Response {
    const prefix = query.get('prefix') ?? ''
    const after = query.get('continuation-token') ?? ''
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
    const page = keys.slice(0, this.pageSize)
    const contents = page.map(
      (key) =>
        `<Contents><Key>${encodeURIComponent(key)}</Key><Size>${this.objects.get(key)?.length}</Size></Contents>`,
    )
    const isCut = keys.length > page.length
    const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return xml(
      200,
      `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${isCut}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    )
  }

  private part({ method, key, query }: SentRequest, body: Buffer): Response {
    if (query.has('uploads')) {
      const id = `upload-${this.uploads.size}`
      this.uploads.set(id, new Map())
      return xml(200, `<R><UploadId>${id}</UploadId></R>`)
    }
    const parts = this.uploads.get(query.get('uploadId') ?? '')
    if (!parts) return failure(404, 'NoSuchUpload')
    if (method === 'PUT') {
      parts.set(Number(query.get('partNumber')), body)
      return new Response(null, { headers: { etag: etag(body) } })
    }
    this.uploads.delete(query.get('uploadId') ?? '')
    if (method === 'DELETE') return new Response(null, { status: 204 })
    this.objects.set(key, Buffer.concat([...parts].sort(([a], [b]) => a - b).map(([, part]) => part)))
    return xml(200, '<CompleteMultipartUploadResult/>')
  }

  /** Uploads that were begun and neither completed nor given up. */
  get openUploads(): number {
    return this.uploads.size
  }
}

function etag(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`
}

function failure(status: number, code: string): Response {
  return xml(status, `<Error><Code>${code}</Code></Error>`)
}

function xml(status: number, text: string): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/xml' } })
}

export const SECRET = 'a-secret-that-nobody-may-read'

/** Access to a lake in the fake. */
export const ACCESS: BucketAccess = {
  address: { bucket: 'desk', prefix: 'lake' },
  credentials: { accessKeyId: 'AKIAFAKE', secretAccessKey: SECRET, sessionToken: 'a-token-of-a-session' },
  region: 'ap-southeast-1',
  endpoint: 'http://fake.test',
}
