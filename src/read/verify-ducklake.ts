import { type Database, openDatabase } from '../duckdb/open.js'
import { sqlFile } from '../duckdb/sqlfile.js'
import type { Manifest } from '../lake/manifest.js'

/** A file of a DuckLake, and the snapshots that have it. */
interface NamedFile {
  path: string
  rows: number
  bytes: number
  begin: number
  end: number | null
}

/**
 * What is wrong with a DuckLake: undefined if its snapshot of the manifest's publication has exactly the files of the manifest,
 * and if every other file that its snapshots name is there. One that is ahead of the manifest is not a fault, because a
 * publication may be in progress; nor is one that reads another lake.
 *
 * @param lake folder or address of the lake
 * @param isThere whether the lake has a file
 */
export async function compareDuckLake(
  file: string,
  lake: string,
  manifest: Manifest,
  isThere: (path: string) => boolean,
): Promise<string | undefined> {
  using database = await openDatabase(file, { readOnly: true }).catch(() => undefined)
  if (!database) return 'cannot be read'
  try {
    if ((await dataPath(database)) !== `${lake}/`) return undefined
    // With their paths below the lake.
    const named = await database.rows<NamedFile>(sqlFile('read/ducklake_files.sql'))
    // Files of the manifest are compared with it by the caller.
    const live = new Set(manifest.relations.flatMap(({ files }) => files.map(({ path }) => path)))
    const missing = named.find(({ path }) => !live.has(path) && !isThere(path))
    if (missing) return `names a file that is missing: ${missing.path}`
    return await compareSnapshot(database, named, manifest)
  } catch {
    return 'cannot be read'
  }
}

async function compareSnapshot(
  database: Database,
  named: readonly NamedFile[],
  manifest: Manifest,
): Promise<string | undefined> {
  const { publication } = manifest
  const ids = await database.column<number>('SELECT snapshot_id::INTEGER AS id FROM ducklake_snapshot')
  const latest = Math.max(-1, ...ids)
  if (latest < publication) return `shows publication ${latest}, the manifest ${publication}`
  if (!ids.includes(publication)) return undefined
  const shown = named
    .filter(({ begin, end }) => begin <= publication && (end === null || end > publication))
    .map(({ path, rows, bytes }) => [path, rows, bytes])
  const expected = manifest.relations.flatMap(({ files }) =>
    files.map(({ path, rows, bytes }) => [path, rows, bytes]),
  )
  const isSame = JSON.stringify(shown.sort()) === JSON.stringify(expected.sort())
  return isSame ? undefined : `snapshot ${publication} lists other files than the manifest`
}

async function dataPath(database: Database): Promise<string | undefined> {
  const [row] = await database.rows<{ value: string }>(
    "SELECT value FROM ducklake_metadata WHERE key = 'data_path'",
  )
  return row?.value
}
