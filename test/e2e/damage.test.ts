import {
  closeSync,
  cpSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { StandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli } from '../support/program.js'
import { start, towards } from './support/cli.js'
import { restorableHashes } from './support/hashes.js'
import {
  copyOfBoth,
  expectCode,
  type Hashes,
  NIGHT,
  night,
  nightOfBoth,
  service,
  unpublishedCopyOfBoth,
} from './support/nights.js'

const LOG = 'data/warehouse.duckdb.wal'

let standIn: StandIn
/** Hashes after a night that nothing has disturbed. */
let undisturbed: Hashes
/** A night that was killed after its last batch: what it committed stands in the log of the warehouse. In short a whole one. */
let killed: string
beforeAll(async () => {
  standIn = await service()
  undisturbed = await restorableHashes(await nightOfBoth())
  killed = LONG ? await killedNight() : await unpublishedCopyOfBoth()
})

async function killedNight(): Promise<string> {
  const cwd = temporaryFolder()
  const running = start(NIGHT, { cwd, env: towards(standIn) })
  const first = standIn.requests.length
  standIn.onRequest = (ordinal) => {
    if (ordinal === first + 40) running.child.kill('SIGKILL')
  }
  await running.ended
  standIn.onRequest = undefined
  expect(statSync(join(cwd, LOG)).size).toBeGreaterThan(1000)
  return cwd
}

/** DuckDB refuses it: the rerun says what to do. */
const LOGS: readonly [string, (log: string) => void][] = [
  ['garbage', (log) => writeFileSync(log, 'garbage'.repeat(1000))],
]
/** DuckDB reads a part of the first. The others are as if nothing had been written since the last checkpoint. */
const OTHER_LOGS: typeof LOGS = [
  ['cut short', (log) => truncateSync(log, statSync(log).size >> 1)],
  ['missing', (log) => rmSync(log)],
  ['empty', (log) => truncateSync(log, 0)],
]
const BLOCKS: readonly [string, number][] = [['middle', 0.5]]
const OTHER_BLOCKS: typeof BLOCKS = [
  ['header', 0.0],
  ['end', 0.97],
]

test.each([...LOGS, ...(LONG ? OTHER_LOGS : [])])(
  'a log of the warehouse that is %s: the rerun converges, or says what to do',
  async (_, damage) => {
    const cwd = temporaryFolder()
    cpSync(killed, cwd, { recursive: true })
    damage(join(cwd, LOG))
    // In a process of its own: whatever DuckDB makes of damage happens there.
    let ran = await start(NIGHT, { cwd, env: towards(standIn) }).ended
    if (ran.code !== 0) {
      expect(ran.code, ran.stderr).toBe(6)
      expect(ran.stderr).toContain('candlehouse replay')
      expect((await cli(['replay'], { cwd })).code).toBe(0)
      ran = await night(standIn, cwd)
    }
    expect(ran.code, ran.stderr).toBe(0)
    expect(await restorableHashes(cwd)).toEqual(undisturbed)
  },
)

/** In short: a damaged warehouse that a publication meets, test/e2e/damaged-home.test.ts. */
test.runIf(LONG).each([...BLOCKS, ...OTHER_BLOCKS])(
  'a warehouse damaged at its %s is not written on; replay restores every hash',
  async (_, where) => {
    const cwd = await copyOfBoth()
    const file = join(cwd, 'data/warehouse.duckdb')
    const handle = openSync(file, 'r+')
    writeSync(handle, Buffer.alloc(8192, 0xa5), 0, 8192, Math.floor(statSync(file).size * where))
    closeSync(handle)
    const ran = await start(NIGHT, { cwd, env: towards(standIn) }).ended
    // A block that nobody read may have been damaged: then nothing was lost either.
    if (ran.code !== 0) {
      expect(ran.code, ran.stderr).toBe(6)
      expect(ran.stderr).toContain('candlehouse replay')
    }
    expect((await cli(['sql', 'from market.candle limit 1'], { cwd })).code).toBe(0)
    expect((await cli(['replay'], { cwd })).code).toBe(0)
    expect((await cli(['publish'], { cwd })).code).toBe(0)
    expect(await restorableHashes(cwd)).toEqual(undisturbed)
  },
)

test('a warehouse of no length is not written on; one that is gone is made anew from its journals', async () => {
  const cwd = await unpublishedCopyOfBoth()
  const file = join(cwd, 'data/warehouse.duckdb')
  rmSync(`${file}.wal`, { force: true })
  truncateSync(file, 0)
  const ran = await night(standIn, cwd)
  expect(ran.code).toBe(6)
  expect(ran.stderr).toContain('candlehouse replay')
  expect(statSync(file).size).toBe(0)
  rmSync(file)
  expectCode(await night(standIn, cwd), 0)
  expect(await restorableHashes(cwd)).toEqual(undisturbed)
})
