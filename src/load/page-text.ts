import { gunzipSync } from 'node:zlib'
import { JsonFault } from 'candlehouse-foundation/json/scan'
import type { PageRecord } from '../land/journal.js'
import { pageBytes } from '../land/page-bytes.js'

/** Why a landed page cannot be read, and a part of its text for a person. */
export interface PageProblem {
  readonly reason: string
  /** The text around the place of the error, at most 200 bytes. */
  readonly payload: string
}

/** Bytes shown before and after the place of an error. */
const SHOWN_BYTES = 100

/** Smallest chunk size that zlib accepts, bytes. */
const MIN_CHUNK = 64

/** The decompressed body of a landed page; not proven to be JSON. @throws JsonFault if it cannot be decompressed */
export function pageText(home: string, page: PageRecord): Buffer {
  const bytes = pageBytes(home, page)
  try {
    // One chunk of the size in the journal line: chunks of 16 KiB take half as much time again.
    return gunzipSync(bytes, { chunkSize: Math.max(MIN_CHUNK, page.bytes + 1) })
  } catch (error) {
    throw new JsonFault(`damaged gzip (${(error as Error).message})`, 0)
  }
}

/** The result of `read` on the text of a page, or why the page cannot be read: its content never makes this throw. */
export function readPageText<Read>(
  home: string,
  page: PageRecord,
  read: (text: Buffer) => Read,
): Read | { problem: PageProblem } {
  let text: Buffer = Buffer.alloc(0)
  try {
    text = pageText(home, page)
    return read(text)
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    const from = Math.max(0, error.at - SHOWN_BYTES)
    const payload = text.toString('utf8', from, error.at + SHOWN_BYTES).replaceAll('\0', '\ufffd')
    return { problem: { reason: `the page is not one whole JSON document: ${error.message}`, payload } }
  }
}
