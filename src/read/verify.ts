import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { openDatabase } from '../duckdb/open.js'
import { readerMemory } from '../duckdb/reader-limits.js'
import { requireUsablePath } from '../home.js'
import { readDeltaTable } from '../lake/delta/deltatable.js'
import { duckLakeOf } from '../lake/ducklake.js'
import { hashFile } from '../lake/files.js'
import { type ManifestRelation, requireManifest, tablePath } from '../lake/manifest.js'
import { refused, systemFault } from '../system-fault.js'
import { compareDuckLake } from './verify-ducklake.js'

/** Size of a lake, and its differences from its manifest. */
export interface Verification {
  lake: string
  publication: number
  /** ISO 8601. */
  publishedAt: string
  tables: number
  files: number
  bytes: number
  /** Differences from the manifest: a path relative to the lake, and what is wrong with it. */
  findings: { path: string; wrong: string }[]
}

export interface VerifySteps {
  /** Called after each table. */
  onTable(name: string): void
  signal: AbortSignal
}

/**
 * Checks a lake, or a copy of one, against its manifest: every Parquet file and log entry that the publication needs
 * exists with its size and SHA-256, and the Delta log of every table lists exactly those files. A log that is
 * ahead of the manifest is not a fault, because a publication or a copy may be in progress. A DuckLake beside the lake that
 * reads it must show the same files.
 *
 * @throws StorageError (6) if there is no manifest
 */
export async function verifyLake(folder: string, steps: VerifySteps): Promise<Verification> {
  const lake = resolve(folder)
  requireUsablePath(lake)
  const manifest = await requireManifest(lake)
  const findings: Verification['findings'] = []
  const database = await openDatabase(':memory:', { memoryLimit: readerMemory() })
  try {
    for (const relation of manifest.relations) {
      for (const { path, sha256, bytes } of relation.files) {
        steps.signal.throwIfAborted()
        const wrong = await compare(join(lake, path), sha256, bytes)
        if (wrong) findings.push({ path, wrong })
      }
      const findingsOfFiles = findings.length
      for (const { path, sha256 } of relation.log) {
        const wrong = await compare(join(lake, path), sha256)
        if (wrong) findings.push({ path, wrong })
      }
      const table = tablePath(relation.name)
      if (findings.length === findingsOfFiles) {
        const wrong = await compareLog(relation, (version) =>
          readDeltaTable(database, join(lake, table), version),
        )
        if (wrong) findings.push({ path: `${table}/_delta_log`, wrong })
      }
      steps.onTable(relation.name)
    }
    const duckLake = duckLakeOf(lake)
    const wrong = existsSync(duckLake)
      ? await compareDuckLake(duckLake, lake, manifest, (path) => existsSync(join(lake, path)))
      : undefined
    if (wrong) findings.push({ path: relative(lake, duckLake), wrong })
  } finally {
    database.close()
  }
  return {
    lake,
    publication: manifest.publication,
    publishedAt: manifest.published_at,
    tables: manifest.relations.length,
    files: manifest.relations.reduce((sum, { files }) => sum + files.length, 0),
    bytes: manifest.relations.reduce((sum, { bytes }) => sum + bytes, 0),
    findings,
  }
}

/** Refusals that are a matter of the file. */
const DAMAGE = new Set(['EIO', 'EISDIR', 'ELOOP', 'ESTALE'])

async function compare(file: string, sha256: string, bytes?: number): Promise<string | undefined> {
  try {
    return await compareContent(file, sha256, bytes)
  } catch (cause) {
    const fault = systemFault(cause)
    if (fault?.code === 'ENOENT' || fault?.code === 'ENOTDIR') return 'missing'
    // With too many open files, or without permission, the file may be whole.
    if (!fault || !DAMAGE.has(fault.code)) throw refused(`read ${file}`, cause, 'check the disk')
    return `cannot be read: ${fault.words}`
  }
}

async function compareContent(file: string, sha256: string, bytes?: number): Promise<string | undefined> {
  const stats = await stat(file)
  if (!stats.isFile()) return 'missing'
  if (bytes !== undefined && stats.size !== bytes)
    return `size is ${stats.size} bytes, the manifest says ${bytes}`
  return (await hashFile(file)) === sha256 ? undefined : 'SHA-256 differs from the manifest'
}

/** What is wrong with the log of a table: undefined if it lists the files of the manifest. */
export async function compareLog(
  { name, version, files }: ManifestRelation,
  read: (version: number) => ReturnType<typeof readDeltaTable>,
): Promise<string | undefined> {
  const snapshot = await read(version)
  if (!snapshot) return `version ${version} cannot be read`
  const prefix = `${tablePath(name)}/`
  const inManifest = files.map(({ path }) => path.slice(prefix.length)).sort()
  const inLog = [...snapshot.files.keys()].sort()
  return JSON.stringify(inManifest) === JSON.stringify(inLog)
    ? undefined
    : `version ${version} lists other files than the manifest`
}
