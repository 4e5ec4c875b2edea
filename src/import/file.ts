import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { UsageError } from 'candlehouse-foundation/errors'
import { reasonOf, refused, systemFault } from 'candlehouse-foundation/system-fault'
import { visible } from 'candlehouse-foundation/visible'
import { type CsvHead, readHead } from './head.js'

/** A user's file, before anything of it is believed. */
export interface HistoryFile {
  /** As given. */
  readonly path: string
  /** Without its folders: what the ledger keeps of it. */
  readonly name: string
  readonly bytes: number
  readonly sha256: string
  readonly format: { readonly kind: 'parquet' } | ({ readonly kind: 'csv'; readonly gzip: boolean } & CsvHead)
}

/** Files that are not tables, by their first bytes. */
const FOREIGN: readonly (readonly [magic: string, what: string])[] = [
  ['ARROW1', 'an Arrow or Feather file'],
  ['PK\u0003\u0004', 'a spreadsheet or a ZIP archive'],
  ['SQLite format 3', 'an SQLite database'],
  ['\u00ff\u00fe', 'text in UTF-16'],
  ['\u00fe\u00ff', 'text in UTF-16'],
  ['%PDF', 'a PDF'],
]

/** Bytes that hold the names of the columns. */
const HEAD = 1 << 20

/**
 * Looks at a file: what it is by its first bytes, whatever it is called, and its SHA-256.
 *
 * @throws UsageError where there is no file, or it is neither CSV (plain or gzip, UTF-8) nor Parquet
 */
export async function inspectFile(path: string): Promise<HistoryFile> {
  const status = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    const fault = systemFault(cause)
    if (fault && fault.code !== 'ENOENT' && fault.code !== 'ENOTDIR')
      throw refused(`read ${path}`, cause, fault.hint)
    const why = cause.code === 'ENOENT' ? 'there is no such file' : reasonOf(cause)
    throw new UsageError(`cannot read ${path}: ${why}`, {
      hint: 'give the path of a CSV or Parquet file',
      cause,
    })
  })
  if (!status.isFile())
    throw notATable(path, status.isDirectory() ? 'a folder' : 'not a file that can be read twice')
  if (status.size === 0) throw notATable(path, 'empty')
  const first = (await firstBytes(path, false, 16)).toString('latin1')
  const foreign = FOREIGN.find(([magic]) => first.startsWith(magic))
  if (foreign) throw notATable(path, foreign[1])
  // A name may hold line ends and what a terminal acts on.
  const name = visible(basename(path)).replaceAll(/[\n\t]/g, ' ')
  if (first.startsWith('PAR1')) return { path, name, ...(await digest(path)), format: { kind: 'parquet' } }
  const gzip = first.startsWith('\u001f\u008b')
  const head = readHead((await firstBytes(path, gzip, HEAD)).toString('utf8'))
  if (!head) throw notATable(path, 'without a first line that names columns')
  return { path, name, ...(await digest(path)), format: { kind: 'csv', gzip, ...head } }
}

/** @throws UsageError where the file is no longer what was looked at: somebody writes it */
export async function requireUnchanged({ path, sha256 }: HistoryFile): Promise<void> {
  if ((await digest(path)).sha256 === sha256) return
  throw new UsageError(`${path} changed while it was read`, {
    hint: 'wait until it is written, then import it again',
  })
}

function notATable(path: string, what: string): UsageError {
  return new UsageError(`${path} is ${what}: neither CSV nor Parquet can be read from it`, {
    hint: 'save it as Parquet, or as CSV in UTF-8 whose first line names the columns',
  })
}

async function digest(path: string): Promise<Pick<HistoryFile, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

async function firstBytes(path: string, gzip: boolean, length: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let held = 0
  const enough = new AbortController()
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk)
      held += chunk.length
      if (held >= length) enough.abort()
      done()
    },
  })
  const source = createReadStream(path)
  const { signal } = enough
  await (gzip
    ? pipeline(source, createGunzip(), sink, { signal })
    : pipeline(source, sink, { signal })
  ).catch((cause: NodeJS.ErrnoException) => {
    if (signal.aborted) return
    throw cause.code?.startsWith('Z_') ? notATable(path, 'a damaged gzip file') : cause
  })
  return Buffer.concat(chunks).subarray(0, length)
}
