import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { temporaryFolder } from './folder.js'
import { cli } from './program.js'

/** Where a run of the tests keeps what several of them begin with; set by `baselines.ts`, gone with the run. */
export const BASELINES = 'CANDLEHOUSE_TEST_BASELINES'

type Make = (folder: string) => Promise<unknown>

const made = new Map<string, Promise<string>>()

/** A folder that is made once for all tests of a run, and only read. Workers that ask meanwhile wait for it. */
export async function baseline(name: string, make: Make): Promise<string> {
  let folder = made.get(name)
  if (!folder) {
    folder = makeOnce(name, make)
    made.set(name, folder)
  }
  return await folder
}

/**
 * A copy of a working folder that a test may change. It is published once more: a catalog names its files by absolute
 * path.
 */
export async function copyOfBaseline(name: string, make: Make): Promise<string> {
  const copy = await unpublishedCopyOf(name, make)
  const { code, stderr } = await cli(['publish'], { cwd: copy })
  if (code !== 0) throw new Error(stderr)
  return copy
}

/** The same for a test that publishes before it reads: until then the catalog is that of the baseline. */
export async function unpublishedCopyOf(name: string, make: Make): Promise<string> {
  const copy = temporaryFolder()
  cpSync(await baseline(name, make), copy, { recursive: true })
  return copy
}

async function makeOnce(name: string, make: Make): Promise<string> {
  const all = process.env[BASELINES] ?? mkdtempSync(join(tmpdir(), 'candlehouse-baselines-'))
  const pointer = join(all, `${name}.path`)
  const folder = join(all, name)
  const isMine = mkdirSync(folder, { recursive: true }) !== undefined
  if (!isMine) return await untilMade(pointer)
  try {
    await make(folder)
    writeWhole(pointer, folder)
  } catch (error) {
    writeWhole(pointer, '')
    throw error
  }
  return folder
}

/** What another worker makes, or has made. */
async function untilMade(pointer: string): Promise<string> {
  while (!existsSync(pointer)) await setTimeout(20)
  const folder = readFileSync(pointer, 'utf8')
  if (folder === '') throw new Error(`${pointer}: another file of tests failed to make it`)
  return folder
}

function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.tmp`, text)
  renameSync(`${path}.tmp`, path)
}
