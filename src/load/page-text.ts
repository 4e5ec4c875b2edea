import { gunzipSync } from 'node:zlib'
import { JsonFault } from '../json/scan.js'
import type { PageRecord } from '../land/journal.js'
import { readPage } from '../land/read-page.js'

/** Why a page that was landed cannot be read, and a part of it for a look. */
export interface PageProblem {
  readonly reason: string
  /** The text around the place, at most some hundred bytes. */
  readonly payload: string
}

const LOOK_BYTES = 100

/** Smallest piece that zlib takes, in bytes. */
const MIN_CHUNK = 64

/** The body of a landed page, with whatever it holds. @throws JsonFault where it cannot be decompressed */
export function pageText(home: string, page: PageRecord): Buffer {
  const bytes = readPage(home, page)
  try {
    // One piece where the journal line has the size: pieces of 16 KiB cost half as much again.
    return gunzipSync(bytes, { chunkSize: Math.max(MIN_CHUNK, page.bytes + 1) })
  } catch (error) {
    throw new JsonFault(`damaged gzip (${(error as Error).message})`, 0)
  }
}

/** What a page brings, or why it cannot be read. Nothing that a page holds makes this throw. */
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
    const from = Math.max(0, error.at - LOOK_BYTES)
    const payload = text.toString('utf8', from, error.at + LOOK_BYTES).replaceAll('\0', '\ufffd')
    return { problem: { reason: `the page is not one whole JSON document: ${error.message}`, payload } }
  }
}
