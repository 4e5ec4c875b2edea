import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Reader } from '../../duckdb/reader.js'
import { literal } from '../../duckdb/sqlfile.js'
import { hashFile } from '../../lake/files.js'
import { objectsOf } from '../query.js'

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
  /** `differs`: its SHA-256 is not that of the ledger; `unreadable`: it is not gzip. */
  readonly state: 'as landed' | 'differs' | 'missing' | 'unreadable'
  /** SHA-256 of the file now; null if there is no file. */
  readonly sha256: string | null
}

export async function readPage(reader: Reader, requestId: string): Promise<TracedPage | undefined> {
  const [page] = await objectsOf<TracedPage>(
    reader,
    `SELECT * FROM ops.request WHERE request_id = ${literal(requestId)}`,
  )
  return page
}

/** A row of `ops.run`: job, trading date, start, state, exit code. */
export async function readRun(reader: Reader, runId: string): Promise<Record<string, unknown> | undefined> {
  const [run] = await objectsOf(reader, `SELECT * FROM ops.run WHERE run_id = ${literal(runId)}`)
  return run
}

/** The state of a page's raw file, and its text if it can be read. */
export async function readRaw(
  home: string,
  page: TracedPage,
): Promise<{ raw: RawFile; text: string | undefined }> {
  const path = join(home, page.raw_file)
  const file = page.raw_file
  if (!existsSync(path)) return { raw: { file, state: 'missing', sha256: null }, text: undefined }
  const sha256 = await hashFile(path)
  const state = sha256 === page.sha256 ? 'as landed' : 'differs'
  try {
    const text = gunzipSync(readFileSync(path))
      .toString('utf8')
      .replace(/^\uFEFF/, '')
    return { raw: { file, state, sha256 }, text }
  } catch {
    return { raw: { file, state: state === 'differs' ? state : 'unreadable', sha256 }, text: undefined }
  }
}
