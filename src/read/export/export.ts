import { mkdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Reader } from '../../duckdb/reader.js'
import { identifier } from '../../duckdb/sqlfile.js'
import type { Effects } from '../../effects.js'
import { hashFile, MONTH_FORM, parquetOptions } from '../../lake/lake-files.js'
import { writeArrow } from '../arrow/write.js'
import { exportEvening } from '../as-known/export-evening.js'
import { asking, latestPublication, query } from '../query.js'
import { writeXlsx } from '../xlsx/write.js'
import type { ExportManifest, ExportRequest } from './export-request.js'
import { type ExportFolder, foldersBy } from './folders.js'
import { type CopiedFormat, isCopied } from './formats.js'
import { makeWork, placeFile, placeFolder, requireReplaceable } from './placed.js'
import { codedColumns, profiled } from './profile.js'
import { type Selection, selectionOf, stagedSelection } from './selection.js'

/** With more data DuckDB spills to disk beside the export. */
const MEMORY_LIMIT = '512MB'

/** Options of DuckDB's COPY. */
const COPY: Readonly<Record<CopiedFormat, string>> = {
  parquet: parquetOptions(MONTH_FORM),
  csv: 'FORMAT csv, HEADER',
  ndjson: 'FORMAT json',
}

export interface ExportProgress {
  /** A file is started: its number, and the number of all files. */
  file(number: number, count: number): void
  percent(percent: number): void
  rows(rows: number): void
  /** What a reader of an export as of an evening must know. */
  note(words: string): void
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
  const { out, source, partitionBy, asKnownOn, receipt } = request
  requireReplaceable(out, partitionBy ? 'folder' : 'file')
  const work = `${out}.${process.pid}.tmp`
  const sql = 'query' in source ? source.query : `FROM ${source.relation}`
  return await exportEvening(
    home,
    { statements: [sql], asKnownOn, receipt, out, work },
    async (reader) => await writeExport(reader, request, work, progress, effects),
    (words) => progress.note(words),
    { memoryLimit: MEMORY_LIMIT, out: work },
    effects,
  )
}

async function writeExport(
  reader: Reader,
  request: ExportRequest,
  work: string,
  progress: ExportProgress,
  effects: Effects,
): Promise<ExportManifest> {
  const { out, format, profile, partitionBy, asKnownOn } = request
  await makeWork(work, out)
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
    ...(asKnownOn ? { as_known_on: asKnownOn } : {}),
    publication: publication?.id ?? 0,
    published_at: publication?.publishedAt ?? '',
    exported_at: new Date(effects.now()).toISOString(),
    columns,
    rows: files.reduce((sum, file) => sum + file.rows, 0),
    files,
  }
  const written = { out, work, files: join(work, 'files'), manifest }
  await (partitionBy ? placeFolder(written, effects) : placeFile(written, effects))
  return manifest
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
