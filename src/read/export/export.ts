import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Reader } from '../../duckdb/reader.js'
import { identifier } from '../../duckdb/sqlfile.js'
import type { Effects } from '../../effects.js'
import { StorageError, UsageError } from '../../errors.js'
import { hashFile, parquetOptions, ROW_GROUP, syncPath } from '../../lake/files.js'
import { writeArrow } from '../arrow/write.js'
import { openCatalog, rowsOf } from '../catalog.js'
import { type Part, partsBy } from './part.js'
import { codedColumns, profiled } from './profile.js'
import type { ExportManifest, ExportRequest, Format } from './request.js'
import { type Source, sourceOf, stagedSource } from './source.js'

/** Beyond it DuckDB spills beside the export. */
const MEMORY_LIMIT = '512MB'

/** Options of DuckDB's COPY. */
const COPY: Readonly<Record<Exclude<Format, 'arrow'>, string>> = {
  parquet: parquetOptions(ROW_GROUP),
  csv: 'FORMAT csv, HEADER',
  ndjson: 'FORMAT json',
}

export interface ExportProgress {
  /** A file begins; of how many. */
  file(number: number, of: number): void
  percent(percent: number): void
  rows(rows: number): void
  signal: AbortSignal
}

/**
 * Writes a relation or the result of a statement as files for notebooks, from one publication, with a manifest
 * beside them. Everything is made in a folder of its own beside `out` and renamed at the end: what stands there is
 * the former export, whole, or the new one.
 *
 * @throws UsageError for a relation, column or statement that is wrong, and where something else stands at `out`
 * @throws StorageError when nothing is published, or a file cannot be written
 */
export async function exportRows(
  home: string,
  request: ExportRequest,
  progress: ExportProgress,
  effects: Effects,
): Promise<ExportManifest> {
  const { out, format, profile, partitionBy } = request
  refuseTaken(request)
  const work = `${out}.${process.pid}.tmp`
  const reader = await openCatalog(home, { memoryLimit: MEMORY_LIMIT, out: work })
  try {
    await mkdir(work, { recursive: true }).catch((cause: Error) => {
      throw new StorageError(`cannot write beside ${out}: ${cause.message}`, {
        hint: 'choose another --out',
        cause,
      })
    })
    const parts = await partsOf(reader, request, work)
    const files: ExportManifest['files'] = []
    for (const [index, part] of parts.entries()) {
      progress.signal.throwIfAborted()
      progress.file(index + 1, parts.length)
      const name = partitionBy ? join(part.folder, `part-0.${format}`) : basename(out)
      await mkdir(dirname(join(work, 'files', name)), { recursive: true })
      files.push(await writePart(reader, part.source, join(work, 'files', name), name, request, progress))
    }
    const [described] = parts
    // What the values are, also where a text format writes them as text.
    const columns = described ? await reader.describe(profiled(described.source, 'parquet', profile)) : []
    const manifest: ExportManifest = {
      format: 'candlehouse-export',
      format_version: 1,
      source: request.source,
      filters: filtersOf(request),
      file_format: format,
      profile,
      partition_by: partitionBy ?? null,
      ...(await publicationOf(reader)),
      exported_at: new Date(effects.now()).toISOString(),
      columns,
      rows: files.reduce((sum, file) => sum + file.rows, 0),
      files,
    }
    await place(out, work, manifest)
    return manifest
  } finally {
    reader.close()
    await rm(work, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** A file that is there is replaced; of folders only former exports are. */
function refuseTaken({ out, partitionBy }: ExportRequest): void {
  if (!existsSync(out)) return
  const folder = statSync(out).isDirectory()
  if (!partitionBy && !folder) return
  if (partitionBy && folder && isExport(join(out, 'manifest.json'))) return
  const [found, wanted] = folder ? ['a folder', 'a file'] : ['a file', 'a folder']
  throw new UsageError(
    partitionBy && folder
      ? `${out} is a folder of something else: it stays`
      : `${out} is ${found}, and ${wanted} is written`,
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

async function partsOf(reader: Reader, request: ExportRequest, work: string): Promise<Part[]> {
  const source = await sourceOf(reader, request)
  if (!request.partitionBy) return [{ folder: '', source }]
  if ('relation' in request.source) return await partsBy(reader, source, request.partitionBy)
  // A statement runs once: run again for every part, one with LIMIT or random() would answer otherwise.
  const staged = join(work, 'staged.parquet')
  await reader.copy(
    profiled(source, 'parquet', 'exact'),
    staged,
    'FORMAT parquet, COMPRESSION lz4',
    () => undefined,
  )
  return await partsBy(reader, await stagedSource(reader, staged), request.partitionBy)
}

async function writePart(
  reader: Reader,
  source: Source,
  file: string,
  path: string,
  { format, profile }: ExportRequest,
  progress: ExportProgress,
): Promise<ExportManifest['files'][number]> {
  const sql = profiled(source, format, profile)
  const rows =
    format === 'arrow'
      ? await writeArrow(reader, sql, file, {
          dictionaries: await dictionariesOf(reader, source, codedColumns(source.columns, format, profile)),
          onRows: progress.rows,
        })
      : await reader.copy(sql, file, COPY[format], progress.percent)
  await syncPath(file)
  return { path, rows, bytes: (await stat(file)).size, sha256: await hashFile(file) }
}

/** All values of columns that are written as codes: a file has one dictionary, and it comes before its rows. */
async function dictionariesOf(
  reader: Reader,
  { sql }: Source,
  names: readonly string[],
): Promise<Map<string, string[]>> {
  const dictionaries = new Map<string, string[]>()
  for (const name of names) {
    const column = identifier(name)
    const rows = await rowsOf(
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

async function publicationOf(reader: Reader): Promise<{ publication: number; published_at: string }> {
  const [latest] = await rowsOf(
    reader,
    'SELECT publication_id, published_at FROM ops.publication ORDER BY publication_id DESC LIMIT 1',
  )
  const [id, publishedAt] = latest ?? [0, '']
  return { publication: Number(id), published_at: String(publishedAt) }
}

function filtersOf({ from, to, symbols, timeframe }: ExportRequest): ExportManifest['filters'] {
  return {
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(symbols ? { symbols } : {}),
    ...(timeframe ? { timeframe } : {}),
  }
}

/** Renames into place; of a folder the former one steps aside first, since folders cannot be renamed over. */
async function place(out: string, work: string, manifest: ExportManifest): Promise<void> {
  const made = join(work, 'files')
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  if (manifest.partition_by === null) {
    const beside = join(work, 'manifest.json')
    await writeFile(beside, text)
    await syncPath(beside)
    await rename(join(made, basename(out)), out)
    await rename(beside, `${out}.manifest.json`)
  } else {
    await mkdir(made, { recursive: true })
    await writeFile(join(made, 'manifest.json'), text)
    await syncPath(join(made, 'manifest.json'))
    if (existsSync(out)) await rename(out, join(work, 'former'))
    await rename(made, out)
  }
  await syncPath(dirname(out))
}
