import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { UsageError } from 'candlehouse-foundation/errors'
import { refused } from 'candlehouse-foundation/system-fault'
import type { Reader } from '../../duckdb/reader.js'
import { identifier } from '../../duckdb/sqlfile.js'
import type { Effects } from '../../effects.js'
import { requireUsablePath } from '../../home/home.js'
import { hashFile, parquetOptions, ROW_GROUP } from '../../lake/lake-files.js'
import { writeArrow } from '../arrow/write.js'
import { asking, latestPublication, openCatalog, query } from '../query.js'
import { writeXlsx } from '../xlsx/write.js'
import type { ExportManifest, ExportRequest } from './export-request.js'
import { type ExportFolder, foldersBy } from './folders.js'
import { type CopiedFormat, isCopied } from './formats.js'
import { codedColumns, profiled } from './profile.js'
import { type Selection, selectionOf, stagedSelection } from './selection.js'

/** With more data DuckDB spills to disk beside the export. */
const MEMORY_LIMIT = '512MB'

/** Options of DuckDB's COPY. */
const COPY: Readonly<Record<CopiedFormat, string>> = {
  parquet: parquetOptions(ROW_GROUP),
  csv: 'FORMAT csv, HEADER',
  ndjson: 'FORMAT json',
}

export interface ExportProgress {
  /** A file is started: its number, and the number of all files. */
  file(number: number, count: number): void
  percent(percent: number): void
  rows(rows: number): void
  signal: AbortSignal
}

/**
 * Writes a relation or the result of a statement as files for notebooks, from one publication, with a manifest
 * beside them. All files are written to a temporary folder beside `out` and renamed at the end, so `out` is always
 * either the whole former export or the whole new one.
 *
 * @throws UsageError for a wrong relation, column or statement, and if `out` exists and is not an export
 * @throws StorageError if nothing is published, or if a file cannot be written
 */
export async function exportRows(
  home: string,
  request: ExportRequest,
  progress: ExportProgress,
  effects: Effects,
): Promise<ExportManifest> {
  const { out, format, profile, partitionBy } = request
  requireUsablePath(out)
  refuseForeignPath(request)
  const work = `${out}.${process.pid}.tmp`
  const reader = await openCatalog(home, { memoryLimit: MEMORY_LIMIT, out: work })
  try {
    await mkdir(work, { recursive: true }).catch((cause: Error) => {
      throw refused(`write beside ${out}`, cause, 'choose another --out')
    })
    const folders = await foldersOf(reader, request, work, progress.signal, effects)
    const files: ExportManifest['files'] = []
    for (const [index, { path, selection }] of folders.entries()) {
      progress.signal.throwIfAborted()
      progress.file(index + 1, folders.length)
      const name = partitionBy ? join(path, `part-0.${format}`) : basename(out)
      const file = join(work, 'files', name)
      await mkdir(dirname(file), { recursive: true })
      const rows = await writeRows(reader, selection, file, request, progress, effects)
      await effects.disk.sync(file)
      files.push({ path: name, rows, bytes: (await stat(file)).size, sha256: await hashFile(file) })
    }
    const [first] = folders
    // The types of the values, also for text formats, which write them as text.
    const columns = first ? await reader.describe(profiled(first.selection, 'parquet', profile)) : []
    const publication = await latestPublication(asking(reader))
    const manifest: ExportManifest = {
      format: 'candlehouse-export',
      format_version: 1,
      source: request.source,
      filters: filtersOf(request),
      file_format: format,
      profile,
      partition_by: partitionBy ?? null,
      publication: publication?.id ?? 0,
      published_at: publication?.publishedAt ?? '',
      exported_at: new Date(effects.now()).toISOString(),
      columns,
      rows: files.reduce((sum, file) => sum + file.rows, 0),
      files,
    }
    await place(out, work, manifest, effects)
    return manifest
  } finally {
    reader.close()
    await rm(work, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** An existing file is replaced; an existing folder only if an export wrote it. @throws UsageError otherwise */
function refuseForeignPath({ out, partitionBy }: ExportRequest): void {
  if (!existsSync(out)) return
  const isFolder = statSync(out).isDirectory()
  if (!partitionBy && !isFolder) return
  if (partitionBy && isFolder && isExport(join(out, 'manifest.json'))) return
  const [actual, expected] = isFolder ? ['a folder', 'a file'] : ['a file', 'a folder']
  throw new UsageError(
    partitionBy && isFolder
      ? `${out} was not created by an export; refusing to replace it`
      : `${out} is ${actual}, but this export writes ${expected}`,
    { hint: 'choose another --out' },
  )
}

function isExport(manifest: string): boolean {
  try {
    return (
      (JSON.parse(readFileSync(manifest, 'utf8')) as { format?: unknown }).format === 'candlehouse-export'
    )
  } catch {
    return false
  }
}

async function foldersOf(
  reader: Reader,
  request: ExportRequest,
  work: string,
  signal: AbortSignal,
  effects: Effects,
): Promise<ExportFolder[]> {
  const selection = await selectionOf(reader, request)
  if (!request.partitionBy) return [{ path: '', selection }]
  if ('relation' in request.source) return await foldersBy(reader, selection, request.partitionBy)
  // A statement runs only once: with LIMIT or random() its rows would differ from folder to folder.
  const staged = join(work, 'staged.parquet')
  await reader.copy(
    profiled(selection, 'parquet', 'exact'),
    staged,
    'FORMAT parquet, COMPRESSION lz4',
    () => undefined,
    { signal, effects },
  )
  return await foldersBy(reader, await stagedSelection(reader, staged), request.partitionBy)
}

async function writeRows(
  reader: Reader,
  selection: Selection,
  file: string,
  { format, profile, source }: ExportRequest,
  progress: ExportProgress,
  effects: Effects,
): Promise<number> {
  const sql = profiled(selection, format, profile)
  const stop = { signal: progress.signal, effects }
  if (isCopied(format)) return await reader.copy(sql, file, COPY[format], progress.percent, stop)
  if (format === 'xlsx') {
    const sheet = 'relation' in source ? source.relation : 'query'
    return await writeXlsx(reader, sql, file, { sheet, stop, onRows: progress.rows })
  }
  const coded = codedColumns(selection.columns, format, profile)
  const dictionaries = await dictionariesOf(reader, selection, coded)
  const onRows = (rows: number): void => {
    progress.signal.throwIfAborted()
    progress.rows(rows)
  }
  return await writeArrow(reader, sql, file, { dictionaries, onRows })
}

/** All values of dictionary-coded columns: a file has one dictionary, which is written before the rows. */
async function dictionariesOf(
  reader: Reader,
  { sql }: Selection,
  names: readonly string[],
): Promise<Map<string, string[]>> {
  const dictionaries = new Map<string, string[]>()
  for (const name of names) {
    const column = identifier(name)
    const { rows } = await query(
      reader,
      `SELECT DISTINCT ${column} FROM (\n${sql}\n) WHERE ${column} IS NOT NULL ORDER BY 1`,
    )
    dictionaries.set(
      name,
      rows.map(([value]) => value as string),
    )
  }
  return dictionaries
}

function filtersOf({ from, to, symbols, timeframe }: ExportRequest): ExportManifest['filters'] {
  return {
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(symbols ? { symbols } : {}),
    ...(timeframe ? { timeframe } : {}),
  }
}

/** Renames files and manifest to `out` once both are on disk. A former folder goes first: no rename replaces a folder. */
async function place(out: string, work: string, manifest: ExportManifest, { disk }: Effects): Promise<void> {
  const finished = join(work, 'files')
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  if (manifest.partition_by === null) {
    const beside = join(work, 'manifest.json')
    await writeFile(beside, text)
    await disk.sync(beside)
    disk.rename(join(finished, basename(out)), out)
    disk.rename(beside, `${out}.manifest.json`)
  } else {
    await mkdir(finished, { recursive: true })
    await writeFile(join(finished, 'manifest.json'), text)
    await disk.sync(join(finished, 'manifest.json'))
    if (existsSync(out)) disk.rename(out, join(work, 'former'))
    disk.rename(finished, out)
  }
  await disk.sync(dirname(out))
}
