import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { entryFile } from '../lake/delta/log.js'
import { hashFile } from '../lake/files.js'
import { type ManifestRelation, tablePath } from '../lake/manifest.js'

/** Whether a log has every file that a reader of the manifest's version needs, as the manifest was written for it. */
export async function isLogWhole(lake: string, { log }: ManifestRelation): Promise<boolean> {
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
