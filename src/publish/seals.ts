import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import { DUCKLAKE } from '../lake/ducklake.js'
import { hashFile } from '../lake/files.js'
import { MANIFEST } from '../lake/manifest.js'

export const CATALOG = 'catalog.duckdb'
const SEALED_MANIFEST = `lake/${MANIFEST}`
const SEALED = [SEALED_MANIFEST, CATALOG, DUCKLAKE] as const

/** Which files differ from what the last publication wrote. A file that is gone is not among them. */
export interface BrokenSeals {
  readonly manifest: boolean
  readonly catalog: boolean
  readonly duckLake: boolean
}

/** Compares the files beside the tables of the lake with what was written, and forgets that until `seal`. */
export async function breakSeals(warehouse: Database, home: string): Promise<BrokenSeals> {
  const rows = await warehouse.rows<{ file: string; sha256: string }>(
    'SELECT file, sha256 FROM ops.sealed_file',
  )
  const broken = new Set<string>()
  for (const { file, sha256 } of rows)
    if (existsSync(join(home, file)) && (await hashFile(join(home, file))) !== sha256) broken.add(file)
  if (rows.length > 0) await warehouse.run('DELETE FROM ops.sealed_file')
  return {
    manifest: broken.has(SEALED_MANIFEST),
    catalog: broken.has(CATALOG),
    duckLake: broken.has(DUCKLAKE),
  }
}

/** Records the files as they are now. */
export async function seal(warehouse: Database, home: string): Promise<void> {
  const rows: string[] = []
  for (const file of SEALED)
    if (existsSync(join(home, file))) rows.push(`('${file}', '${await hashFile(join(home, file))}')`)
  if (rows.length > 0) await warehouse.run(`INSERT INTO ops.sealed_file VALUES ${rows.join(', ')}`)
}
