import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { LockedError } from 'candlehouse-foundation/errors'
import { refused, systemFault } from 'candlehouse-foundation/system-fault'
import { type Database, openDatabase } from '../duckdb/open.js'
import { readerMemory } from '../duckdb/reader-limits.js'
import { requireUsablePath } from '../home/home.js'
import { readDeltaTable } from '../lake/delta/delta-table.js'
import { duckLakeOf } from '../lake/ducklake.js'
import { hashFile } from '../lake/lake-files.js'
import { type Manifest, type ManifestRelation, requireManifest, tablePath } from '../lake/manifest.js'
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
  onTable(name: string): void
  signal: AbortSignal
}

/** Where a lake is, and how its files are compared with its manifest there. Paths are relative to the lake. */
export interface LakePlace {
  readonly lake: string
  readonly manifest: Manifest
  /** The folder in which the logs are once their files were compared. */
  readonly logs: string
  /** What is wrong with a file: undefined if it has the SHA-256, and the size where one is given. */
  compare(path: string, sha256: string, bytes?: number): Promise<string | undefined>
  /** The same for a file of a log. */
  compareLogFile(path: string, sha256: string): Promise<string | undefined>
  /** The DuckLake that reads the lake, and what is wrong with it. */
  compareDuckLake(): Promise<{ path: string; wrong: string | undefined }>
}

/**
 * Checks a lake, or a copy of one, against its manifest: every Parquet file and log entry that the publication needs
 * exists with its size and SHA-256, and the Delta log of every table lists exactly those files. A log that is
 * ahead of the manifest is not a fault, because a publication or a copy may be in progress. A DuckLake beside the lake that
 * reads it must show the same files. In a home the manifest itself is compared with the ledger of the warehouse.
 *
 * @throws StorageError (6) if there is no manifest
 */
export async function verifyLake(folder: string, steps: VerifySteps): Promise<Verification> {
  const lake = resolve(folder)
  requireUsablePath(lake)
  const manifest = await requireManifest(lake)
  const compare = (path: string, sha256: string, bytes?: number): Promise<string | undefined> =>
    compareFile(join(lake, path), sha256, bytes)
  const duckLake = duckLakeOf(lake)
  const isThere = (path: string): boolean => existsSync(join(lake, path))
  const unlikeLedger = await compareLedger(lake, manifest)
  const verification = await verifyPlace(
    {
      lake,
      manifest,
      logs: lake,
      compare,
      compareLogFile: compare,
      compareDuckLake: async () => ({
        path: relative(lake, duckLake),
        wrong: existsSync(duckLake) ? await compareDuckLake(duckLake, lake, manifest, isThere) : undefined,
      }),
    },
    steps,
  )
  const named = new Set(verification.findings.map(({ path }) => path))
  const further = unlikeLedger.filter(({ path }) => !named.has(path))
  return { ...verification, findings: [...verification.findings, ...further] }
}

/** As `verifyLake`, wherever the lake is. */
export async function verifyPlace(place: LakePlace, steps: VerifySteps): Promise<Verification> {
  const { lake, manifest } = place
  const findings: Verification['findings'] = []
  const add = (path: string, wrong: string | undefined): void => {
    if (wrong) findings.push({ path, wrong })
  }
  using database = await openDatabase(':memory:', { memoryLimit: readerMemory() })
  for (const relation of manifest.relations) {
    for (const { path, sha256, bytes } of relation.files) {
      steps.signal.throwIfAborted()
      add(path, await place.compare(path, sha256, bytes))
    }
    const findingsOfFiles = findings.length
    for (const { path, sha256 } of relation.log) add(path, await place.compareLogFile(path, sha256))
    const table = tablePath(relation.name)
    if (findings.length === findingsOfFiles)
      add(`${table}/_delta_log`, await compareLog(relation, database, join(place.logs, table)))
    steps.onTable(relation.name)
  }
  const { path, wrong } = await place.compareDuckLake()
  add(path, wrong)
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

/** What is wrong with a file whose content is not that of the manifest. */
export const CONTENT_DIFFERS = 'SHA-256 differs from the manifest'

/** What is wrong with a file whose size is not that of the manifest. */
export function sizeDiffers(bytes: number, inManifest: number | undefined): string {
  return `size is ${bytes} bytes, the manifest says ${inManifest}`
}

/** Refusals that are a matter of the file. */
const DAMAGE = new Set(['EIO', 'EISDIR', 'ELOOP', 'ESTALE'])

async function compareFile(file: string, sha256: string, bytes?: number): Promise<string | undefined> {
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
  if (bytes !== undefined && stats.size !== bytes) return sizeDiffers(stats.size, bytes)
  return (await hashFile(file)) === sha256 ? undefined : CONTENT_DIFFERS
}

/** What is wrong with the log of a table: undefined if it lists the files of the manifest. */
async function compareLog(
  { name, version, files }: ManifestRelation,
  database: Database,
  table: string,
): Promise<string | undefined> {
  const snapshot = await readDeltaTable(database, table, version)
  if (!snapshot) return `version ${version} cannot be read`
  const prefix = `${tablePath(name)}/`
  const inManifest = files.map(({ path }) => path.slice(prefix.length)).sort()
  const inLog = [...snapshot.files.keys()].sort()
  return JSON.stringify(inManifest) === JSON.stringify(inLog)
    ? undefined
    : `version ${version} lists other files than the manifest`
}

interface Finding {
  readonly path: string
  readonly wrong: string
}

/** A live file as a ledger has it; the catalog has no SHA-256. */
interface KnownFile {
  readonly file: string
  readonly sha256?: string
}

/**
 * Compares the manifest of a lake with what its home knows besides: the ledger of the warehouse, or else the list of the catalog.
 * A copy of a lake has neither. While a run has the warehouse locked nothing is compared: a publication may be in progress.
 */
async function compareLedger(lake: string, manifest: Manifest): Promise<Finding[]> {
  const home = dirname(lake)
  const warehouse = join(home, 'warehouse.duckdb')
  if (existsSync(warehouse)) {
    try {
      using database = await openReadOnly(warehouse)
      return await compareWarehouse(database, lake, manifest)
    } catch (error) {
      if (error instanceof LockedError) return []
      // It cannot be read: the catalog is what is left.
    }
  }
  const catalog = join(home, 'catalog.duckdb')
  if (!existsSync(catalog)) return []
  try {
    using database = await openReadOnly(catalog)
    const files = await database.rows<KnownFile>('SELECT file FROM ops.lake_file')
    const names = new Set(files.map(({ file }) => relationOf(file)))
    // After a kill before its rename it shows the publication before: that is not damage.
    if (!isOfSamePublication(files, manifest)) return []
    return compareFiles(files, manifest, 'the catalog', (name) => names.has(name))
  } catch (error) {
    return [{ path: relative(lake, catalog), wrong: `cannot be read: ${(error as Error).message}` }]
  }
}

async function openReadOnly(file: string): Promise<Database> {
  return await openDatabase(file, { readOnly: true, threads: 1 })
}

async function compareWarehouse(database: Database, lake: string, manifest: Manifest): Promise<Finding[]> {
  const latest = await database.count('SELECT max(publication_id) FROM ops.publication')
  // None after a replay; a later one where a kill came before the manifest: readers have the former one, whole.
  const isSame = latest === manifest.publication
  const files = isSame
    ? await database.rows<KnownFile>(
        'SELECT file, sha256 FROM ops.lake_file WHERE removed_at IS NULL AND sha256 IS NOT NULL',
      )
    : []
  const findings = isSame ? compareFiles(files, manifest, 'the warehouse', () => true) : []
  // Empty after a kill.
  const sealed = await database
    .rows<{ file: string; sha256: string }>('SELECT file, sha256 FROM ops.sealed_file ORDER BY file')
    .catch(() => [])
  for (const { file, sha256 } of sealed) {
    const path = join(dirname(lake), file)
    const wrong = !existsSync(path)
      ? 'missing'
      : (await hashFile(path)) === sha256
        ? undefined
        : 'SHA-256 differs from what was published'
    if (wrong) findings.push({ path: relative(lake, path), wrong })
  }
  return findings
}

function compareFiles(
  known: readonly KnownFile[],
  manifest: Manifest,
  ledger: string,
  isCompared: (relation: string) => boolean,
): Finding[] {
  const files = manifest.relations
    .filter(({ name }) => isCompared(name))
    .flatMap((relation) => relation.files)
  const inManifest = new Map(files.map(({ path, sha256 }) => [path, sha256]))
  const inLedger = new Set(known.map(({ file }) => file))
  return [
    ...known.flatMap(({ file, sha256 }) => {
      const there = inManifest.get(file)
      if (there === undefined) return [{ path: file, wrong: `${ledger} has it, the manifest does not` }]
      return sha256 === undefined || sha256 === there
        ? []
        : [{ path: file, wrong: `${ledger} has another SHA-256 than the manifest` }]
    }),
    ...[...inManifest.keys()]
      .filter((path) => !inLedger.has(path))
      .map((path) => ({ path, wrong: `the manifest has it, ${ledger} does not` })),
  ]
}

/** Every publication writes the file of `ops.publication` anew. */
function isOfSamePublication(files: readonly KnownFile[], manifest: Manifest): boolean {
  const name = 'ops.publication'
  const relation = manifest.relations.find((each) => each.name === name)
  const published = files.filter(({ file }) => relationOf(file) === name).map(({ file }) => file)
  return JSON.stringify(published) === JSON.stringify(relation?.files.map(({ path }) => path))
}

/** `market/candle/2025/…` is of market.candle. */
function relationOf(file: string): string {
  return file.split('/').slice(0, 2).join('.')
}
