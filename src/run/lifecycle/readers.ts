import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from 'candlehouse-foundation/system-fault'
import type { Effects } from '../../effects.js'
import { READERS, type Settings } from '../../settings/index.js'

/** What analysts read, in the home. Whoever may not open a folder may not read what is below it. */
const PUBLISHED = { file: ['catalog.duckdb', 'lake.ducklake'], folder: ['lake', 'reports'] } as const

/**
 * Gives what is published to those who may read it, also where an earlier version or another setting wrote it. A file of another
 * user cannot be changed: that is a warning, and the publication stands.
 */
export function allowReaders(
  { home, readers }: Pick<Settings, 'home' | 'readers'>,
  { log, disk }: Effects,
): void {
  for (const kind of ['file', 'folder'] as const) {
    const mode = READERS[readers][kind]
    for (const path of PUBLISHED[kind].map((name) => join(home, name))) {
      if (!existsSync(path) || (statSync(path).mode & 0o777) === mode) continue
      try {
        disk.setMode(path, mode)
      } catch (error) {
        log.warn(`who may read ${path} (CANDLEHOUSE_READERS) was not changed: ${reasonOf(error)}`)
      }
    }
  }
}
