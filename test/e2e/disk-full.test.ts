import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { LONG } from '../support/long.js'
import type { Environment } from '../support/program.js'
import { towards } from './support/cli.js'
import { hashes, restorableHashes } from './support/hashes.js'
import { afterEve, expectCode, NIGHT, night, nightForEach, service } from './support/nights.js'

/**
 * Where it is full: at a page, and in the rerun at the file of the warehouse. In the long form each on a home of its own,
 * at the journal and a file of the lake too.
 */
const ROUNDS = LONG ? [[200], [3_000], [90_000], [250_000]] : [[200, 90_000]]
const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0

/** The program where no file may grow beyond so many bytes: a disk that is full, to a program that looks. */
async function bounded(
  bytes: number,
  args: string[],
  cwd: string,
  env: Environment,
): Promise<{ code: number; stderr: string }> {
  const program = [process.execPath, join(packageRoot, 'dist/src/main.js'), ...args]
  const { PATH, HOME } = process.env
  const child = spawn('prlimit', [`--fsize=${bytes}`, ...program], {
    cwd,
    env: { PATH, HOME, CANDLEHOUSE_LAKE_MARTS: 'none', ...env },
  })
  let stderr = ''
  child.stderr.on('data', (text) => {
    stderr += text
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, stderr }
}

test.skipIf(!hasPrlimit)(
  'a disk that is full at any write: 6, the old catalog served, the rerun converges',
  async () => {
    const expected = await restorableHashes(await nightForEach())
    const standIn = await service()
    const ended: number[] = []
    for (const bounds of ROUNDS) {
      const cwd = await afterEve()
      const yesterday = await hashes(cwd)
      for (const bytes of bounds) {
        const ran = await bounded(bytes, NIGHT, cwd, towards(standIn))
        ended.push(ran.code)
        expect([0, 6], `${bytes}: ${ran.stderr}`).toContain(ran.code)
        // The catalog of the night before is whole and served until another takes its place.
        expect(await hashes(cwd), String(bytes)).toMatchObject(ran.code === 6 ? yesterday : expected)
      }
      expectCode(await night(standIn, cwd), 0)
      expect(await hashes(cwd), String(bounds)).toMatchObject(expected)
    }
    expect(ended.filter((code) => code === 6).length).toBeGreaterThan(ended.length / 2)
  },
)
