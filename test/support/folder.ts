import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onEnd } from './cleanup.js'

/** An empty folder that goes with the test, or with the file of tests where none runs yet. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'candlehouse-test-'))
  onEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
