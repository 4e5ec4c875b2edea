import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { LockedError } from 'candlehouse-foundation/errors'
import { type Database, openDatabase } from '../duckdb/open.js'
import { hashFile } from '../lake/lake-files.js'
import type { Manifest } from '../lake/manifest.js'

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
export async function compareLedger(lake: string, manifest: Manifest): Promise<Finding[]> {
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
