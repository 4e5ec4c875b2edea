import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { literal } from '../../duckdb/sqlfile.js'
import { sha256 } from '../../home/sha256.js'
import { archivedPage, deletionOf, readRawIndex } from '../../land/archives.js'
import { findPageBytes } from '../../land/page-bytes.js'
import type { Ask } from '../query.js'

/** A row of `ops.request`: endpoint, query, time of receipt, SHA-256, file. */
export interface TracedPage extends Record<string, unknown> {
  readonly request_id: string
  readonly run_id: string
  /** Relative to the home. */
  readonly raw_file: string
  readonly sha256: string
}

/** The raw file of a page, compared with the ledger. */
export interface RawFile {
  readonly file: string
  /** `differs`: its SHA-256 is not that of the ledger; `unreadable`: it is not gzip; `deleted`: by `raw delete`. */
  readonly state: 'as landed' | 'differs' | 'missing' | 'unreadable' | 'deleted'
  /** SHA-256 of the file now; null if there is no file. */
  readonly sha256: string | null
  /** The archive that the page is in, relative to the home; absent while it is a file. */
  readonly archive?: string
}

export async function readRequest(ask: Ask, requestId: string): Promise<TracedPage | undefined> {
  const [page] = await ask<TracedPage>(`SELECT * FROM ops.request WHERE request_id = ${literal(requestId)}`)
  return page
}

/** A row of `ops.run`: job, trading date, start, state, exit code. */
export async function readRun(ask: Ask, runId: string): Promise<Record<string, unknown> | undefined> {
  const [run] = await ask(`SELECT * FROM ops.run WHERE run_id = ${literal(runId)}`)
  return run
}

/** The state of a page's raw file, or of the member of an archive that it is now, and its text if it can be read. */
export function readRaw(home: string, page: TracedPage): { raw: RawFile; text: string | undefined } {
  const file = page.raw_file
  const bytes = findPageBytes(home, { file })
  if (!bytes) {
    const state = deletionOf(readRawIndex(home), { file }) ? 'deleted' : 'missing'
    return { raw: { file, state, sha256: null }, text: undefined }
  }
  const hash = sha256(bytes)
  const archive = existsSync(join(home, file)) ? undefined : archivedPage(home, file)?.archive
  const raw = { file, sha256: hash, ...(archive && { archive }) }
  const state = hash === page.sha256 ? 'as landed' : 'differs'
  try {
    const text = gunzipSync(bytes)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
    return { raw: { ...raw, state }, text }
  } catch {
    return { raw: { ...raw, state: state === 'differs' ? state : 'unreadable' }, text: undefined }
  }
}
