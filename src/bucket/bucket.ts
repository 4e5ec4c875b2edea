import { open } from 'node:fs/promises'
import { BucketError } from 'candlehouse-foundation/errors'
import type { Effects } from '../effects.js'
import { elementText, type ListedObject, listedPage } from './answer.js'
import type { BucketAccess } from './bucket-access.js'
import { addressText } from './bucket-address.js'
import { type BucketAnswer, Sender, type Traffic } from './signed-request.js'

/** Larger files are sent in parts of this size; a part is what a failed attempt sends again. */
export const PART_BYTES = 64 * 1024 * 1024

export interface StoredObject {
  readonly bytes: Uint8Array
  readonly etag: string
}

/** Bytes that a reader of a whole object has in memory: a part is what a failed attempt asks for again. */
export const READ_BYTES = 16 * 1024 * 1024

/** One prefix of a bucket. Keys are below the prefix. */
export class Bucket {
  private readonly sender: Sender
  readonly url: string

  constructor(access: BucketAccess, signal: AbortSignal, effects: Effects) {
    this.sender = new Sender(access, signal, effects)
    this.url = addressText(access.address)
  }

  get traffic(): Traffic {
    return this.sender.traffic
  }

  /** Every object, a page of 1,000 per request. */
  async list(): Promise<ListedObject[]> {
    const { prefix } = this.sender.access.address
    const below = prefix === '' ? '' : `${prefix}/`
    const all: ListedObject[] = []
    for (let token: string | undefined = ''; token !== undefined; ) {
      const answer: BucketAnswer = await this.sender.request({
        method: 'GET',
        key: '',
        query: {
          'list-type': '2',
          'encoding-type': 'url',
          prefix: below,
          ...(token === '' ? {} : { 'continuation-token': token }),
        },
      })
      this.require(answer, 'list')
      const { objects, next } = listedPage(Buffer.from(answer.bytes).toString('utf8'))
      all.push(...objects.map(({ key, bytes }) => ({ key: key.slice(below.length), bytes })))
      token = next
    }
    return all
  }

  /** Undefined if there is no such object. */
  async read(key: string): Promise<StoredObject | undefined> {
    const answer = await this.sender.request({ method: 'GET', key })
    if (answer.status === 404) return undefined
    this.require(answer, key)
    return { bytes: answer.bytes, etag: answer.headers.get('etag') ?? '' }
  }

  /**
   * Reads an object part by part, so that it need not fit into memory.
   *
   * @returns false if there is no such object
   */
  async readParts(
    key: string,
    onPart: (part: Uint8Array) => Promise<void> | void,
    partBytes = READ_BYTES,
  ): Promise<boolean> {
    let etag: string | undefined
    for (let position = 0, size = 1; position < size; ) {
      const range = `bytes=${position}-${position + partBytes - 1}`
      const headers = { range, ...(etag === undefined ? {} : { 'if-match': etag }) }
      const answer = await this.sender.request({ method: 'GET', key, headers })
      if (answer.status === 404 && position === 0) return false
      this.require(answer, key)
      etag = answer.headers.get('etag') ?? undefined
      // A service that does not know ranges answers with the whole.
      const [, total] = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '') ?? []
      await onPart(answer.bytes)
      position += answer.bytes.length
      size = total === undefined || answer.bytes.length === 0 ? position : Number(total)
    }
    return true
  }

  /** Writes an object whatever was there. */
  async write(key: string, body: Uint8Array): Promise<void> {
    this.require(await this.sender.request({ method: 'PUT', key, body }), key)
  }

  /**
   * Writes an object that must not be there yet. An object with the same bytes is ours: the answer to an earlier attempt
   * was lost.
   *
   * @returns false if an object with other bytes is there
   */
  async create(key: string, body: Uint8Array): Promise<boolean> {
    return await this.writeIf({ 'if-none-match': '*' }, key, body)
  }

  /**
   * Replaces the object that was read.
   *
   * @param former undefined: there was none
   * @returns false if another one is there by now
   */
  async replace(key: string, body: Uint8Array, former: StoredObject | undefined): Promise<boolean> {
    if (!former) return await this.create(key, body)
    return await this.writeIf({ 'if-match': former.etag }, key, body)
  }

  private async writeIf(condition: Record<string, string>, key: string, body: Uint8Array): Promise<boolean> {
    const answer = await this.sender.request({ method: 'PUT', key, headers: condition, body })
    if (answer.status !== 412 && answer.status !== 404) {
      this.require(answer, key)
      return true
    }
    const there = await this.read(key)
    return there !== undefined && Buffer.from(there.bytes).equals(body)
  }

  async remove(key: string): Promise<void> {
    const answer = await this.sender.request({ method: 'DELETE', key })
    if (answer.status !== 404) this.require(answer, key)
  }

  /** Sends a file whose name says what it holds, in parts where it is large. */
  async upload(key: string, file: string, partBytes = PART_BYTES): Promise<void> {
    const handle = await open(file)
    try {
      const { size } = await handle.stat()
      const partAt = async (position: number): Promise<Uint8Array> => {
        const part = Buffer.alloc(Math.min(partBytes, size - position))
        await handle.read(part, 0, part.length, position)
        return part
      }
      if (size <= partBytes) await this.write(key, await partAt(0))
      else await this.uploadParts(key, size, partBytes, partAt)
    } finally {
      await handle.close()
    }
  }

  private async uploadParts(
    key: string,
    size: number,
    partBytes: number,
    partAt: (position: number) => Promise<Uint8Array>,
  ): Promise<void> {
    const begun = await this.sender.request({ method: 'POST', key, query: { uploads: '' } })
    this.require(begun, key)
    const uploadId = elementText(Buffer.from(begun.bytes).toString('utf8'), 'UploadId') ?? ''
    try {
      const parts: string[] = []
      for (let position = 0; position < size; position += partBytes) {
        const partNumber = String(parts.length + 1)
        const query = { partNumber, uploadId }
        const body = await partAt(position)
        const answer = await this.sender.request({ method: 'PUT', key, query, body })
        this.require(answer, key)
        const etag = answer.headers.get('etag') ?? ''
        parts.push(`<Part><PartNumber>${partNumber}</PartNumber><ETag>${etag}</ETag></Part>`)
      }
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
      const completed = await this.sender.request({ method: 'POST', key, query: { uploadId }, body })
      // 404: an earlier attempt completed it, and its answer was lost.
      if (completed.status !== 404 || !(await this.has(key, size))) this.require(completed, key)
    } catch (error) {
      await this.sender.request({ method: 'DELETE', key, query: { uploadId } }).catch(() => undefined)
      throw error
    }
  }

  private async has(key: string, bytes: number): Promise<boolean> {
    return (await this.list()).some((object) => object.key === key && object.bytes === bytes)
  }

  private require({ status }: BucketAnswer, key: string): void {
    if (status >= 200 && status < 300) return
    throw new BucketError(`${this.url}: ${key} was answered with ${status}`, {
      hint: 'check that the bucket exists and that these credentials may use it, then: candlehouse publish',
    })
  }
}
