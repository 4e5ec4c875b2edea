import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { onEnd } from './cleanup.js'

/** An empty folder that goes with the test, or with the file of tests where none runs yet. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'candlehouse-test-'))
  onEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A copy with permissions as they are: `cpSync` of Node 24 gives folders those of the process. */
export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
  chmodSync(to, statSync(from).mode)
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const folder = join(entry.parentPath, entry.name)
    chmodSync(join(to, relative(from, folder)), statSync(folder).mode)
  }
}
