import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BASELINES } from './baseline.js'

/** Before all tests: a folder for baselines. After them it goes. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'candlehouse-baselines-'))
  process.env[BASELINES] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
