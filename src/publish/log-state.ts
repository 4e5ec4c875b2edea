import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { entryFile } from '../lake/delta/delta-log.js'
import { hashFile } from '../lake/lake-files.js'
import { type Manifest, type ManifestRelation, tablePath } from '../lake/manifest.js'

/** Relations whose logs lack a file, or have a damaged one, that a reader of the manifest's versions needs. */
export async function damagedLogs(lake: string, manifest: Manifest | undefined): Promise<Set<string>> {
  const damaged = new Set<string>()
  for (const relation of manifest?.relations ?? [])
    if (!(await isLogWhole(lake, relation))) damaged.add(relation.name)
  return damaged
}

async function isLogWhole(lake: string, { log }: ManifestRelation): Promise<boolean> {
  for (const { path, sha256 } of log) {
    const hash = await hashFile(join(lake, path)).catch(() => undefined)
    if (hash !== sha256) return false
  }
  return true
}

/** Whether the log has a version after that of the manifest: a kill came in between, or another program has committed. */
export function isLogAhead(lake: string, { name, version }: ManifestRelation): boolean {
  return existsSync(join(lake, tablePath(name), entryFile(version + 1)))
}
