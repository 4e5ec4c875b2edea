import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import type { Manifest } from '../lake/manifest.js'

/** What of an earlier publication was missing or damaged, and was written again. */
export interface Repairs {
  /** Parquet files. */
  readonly files: number
  /** Relations whose Delta log lacked a file. */
  readonly logs: readonly string[]
  readonly manifest: boolean
  /** It was missing or damaged, or showed an older publication. */
  readonly catalog: boolean
}

export const NOTHING_REPAIRED: Repairs = { files: 0, logs: [], manifest: false, catalog: false }

/**
 * What is missing of the latest publication. Called before a publication, which writes it again.
 *
 * @param manifest undefined if it is missing or damaged
 */
export async function missingParts(
  warehouse: Database,
  lake: string,
  catalog: string,
  manifest: Manifest | undefined,
): Promise<Repairs> {
  const live = await warehouse.rows<{ file: string }>(
    'SELECT file FROM ops.lake_file WHERE removed_at IS NULL',
  )
  const isMissing = (path: string): boolean => !existsSync(join(lake, path))
  const broken = (manifest?.relations ?? []).filter(({ log }) => log.some(({ path }) => isMissing(path)))
  return {
    files: live.filter(({ file }) => isMissing(file)).length,
    logs: broken.map(({ name }) => name),
    manifest: manifest === undefined,
    catalog: !existsSync(catalog),
  }
}

/** One line per kind of repair, for the summary of a run. */
export function repairNotes({ files, logs, manifest, catalog }: Repairs): string[] {
  return [
    ...(files > 0 ? [`restored ${files} missing ${files === 1 ? 'file' : 'files'} of the lake`] : []),
    ...(logs.length > 0 ? [`wrote the Delta log of ${logs.join(', ')} again: a part of it was missing`] : []),
    ...(manifest ? ['wrote manifest.json of the lake again: it was missing or unreadable'] : []),
    ...(catalog ? ['wrote the catalog again: it was missing, unreadable or out of date'] : []),
  ]
}
