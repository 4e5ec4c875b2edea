import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { buildMarket, type StandIn, startStandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli, type Environment } from '../support/program.js'
import { towards } from './support/cli.js'
import { hashes } from './support/hashes.js'

const SESSIONS = ['2025-03-13', '2025-03-14', '2025-03-17']
const night = (date: string): string[] => ['nightly', '--date', date, '--sessions', '2']
/** Where it is full: at a page, the file of the warehouse; in the long form at the journal and a file of the lake too. */
const BOUNDS = LONG ? [200, 3_000, 90_000, 250_000] : [200, 90_000]
const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0

let standIn: StandIn
let env: Environment
beforeAll(async () => {
  standIn = await startStandIn({ market: buildMarket({ sessions: SESSIONS }), today: '2025-03-14' })
  env = towards(standIn)
})
afterAll(async () => await standIn.close())

/** The program where no file may grow beyond so many bytes: a disk that is full, to a program that looks. */
async function bounded(
  bytes: number,
  args: string[],
  cwd: string,
): Promise<{ code: number; stderr: string }> {
  const program = [process.execPath, join(packageRoot, 'dist/src/main.js'), ...args]
  const { PATH, HOME } = process.env
  const child = spawn('prlimit', [`--fsize=${bytes}`, ...program], { cwd, env: { PATH, HOME, ...env } })
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
    const [before, calm] = [temporaryFolder(), temporaryFolder()]
    await cli(night('2025-03-14'), { cwd: before, env })
    const yesterday = await hashes(before)
    standIn.setOptions({ today: '2025-03-17' })
    cpSync(before, calm, { recursive: true })
    await cli(night('2025-03-17'), { cwd: calm, env })
    const { 'ops.request': _, ...expected } = await hashes(calm)
    const ended: number[] = []
    for (const bytes of BOUNDS) {
      const cwd = temporaryFolder()
      cpSync(before, cwd, { recursive: true })
      await cli(['publish'], { cwd })
      const ran = await bounded(bytes, night('2025-03-17'), cwd)
      ended.push(ran.code)
      expect([0, 6], `${bytes}: ${ran.stderr}`).toContain(ran.code)
      // The catalog of the night before is whole and served until another takes its place.
      expect(await hashes(cwd), String(bytes)).toMatchObject(ran.code === 6 ? yesterday : expected)
      const again = await cli(night('2025-03-17'), { cwd, env })
      expect(again.code, `${bytes}: ${again.stderr}`).toBe(0)
      expect(await hashes(cwd), String(bytes)).toMatchObject(expected)
    }
    expect(ended.filter((code) => code === 6).length).toBeGreaterThan(BOUNDS.length / 2)
  },
)
