import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/duckdb/open.js'
import type { PageRecord } from '../../src/land/journal.js'
import type { StandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli } from '../support/program.js'
import { damagedNight, damagedNights, nightWithDamage, randomDamage, setDamage } from './support/damaged.js'
import {
  expectCode,
  heldHashes,
  night,
  service,
  undisturbed,
  unpublishedCopyOfBoth,
} from './support/nights.js'

let plain: Awaited<ReturnType<typeof undisturbed>>
beforeAll(async () => {
  plain = await undisturbed()
})

const SEED = 20_250_314

let standIn: StandIn
beforeAll(async () => {
  standIn = await service()
})

test(`a night of pages with random damage: everything else loads${LONG ? ', and the rerun converges' : ''}`, async () => {
  const cwd = temporaryFolder()
  // In short, a rerun after broken pages: test/e2e/wrong-answers.test.ts.
  const damaged = LONG ? damagedNight : nightWithDamage
  expect(await damaged(standIn, cwd, SEED, 0.7)).toBeGreaterThanOrEqual(20)
})

// In short, with pages that an older version took for answers besides: below.
test.runIf(LONG)('more such nights: the rerun and the replay converge', async () => {
  expect(await damagedNights(100, SEED + 1, 0.7)).toBeGreaterThanOrEqual(100)
})

test.skipIf(!LONG)('damage that leaves a page ends no run either', async () => {
  const standIn = await service()
  const cwd = temporaryFolder()
  setDamage(standIn, randomDamage(7, 0.5, 'any'))
  expect([0, 4]).toContain((await night(standIn, cwd)).code)
  setDamage(standIn)
  expect([0, 4]).toContain((await night(standIn, cwd)).code)
  expectCode(await cli(['replay'], { cwd }), 0)
})

/**
 * How an older version landed and described a page that it had read in part: the journal, the warehouse and the published lake
 * name the bytes that it received. What a ledger names otherwise would be a lost page, and a replay would be refused.
 */
async function poison(cwd: string, damage: ReadonlyMap<string, (text: string) => string>): Promise<void> {
  const received = poisonRaw(cwd, damage)
  expect(received.size).toBeGreaterThanOrEqual(damage.size)
  const warehouse = await openDatabase(join(cwd, 'data/warehouse.duckdb'))
  try {
    for (const [id, sha256] of received)
      await warehouse.run('UPDATE ops.request SET sha256 = ? WHERE request_id = ?', [sha256, id])
  } finally {
    warehouse.close()
  }
  for (const name of ['lake', 'catalog.duckdb', 'catalog.duckdb.wal'])
    rmSync(join(cwd, 'data', name), { recursive: true, force: true })
  expectCode(await cli(['publish'], { cwd }), 0)
}

/** Returns the SHA-256 of the damaged pages by their ids. */
function poisonRaw(cwd: string, damage: ReadonlyMap<string, (text: string) => string>): Map<string, string> {
  const received = new Map<string, string>()
  const folder = join(cwd, 'data/raw/journal')
  for (const name of readdirSync(folder)) {
    const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n')
    const poisoned = lines.map((line) => {
      const { plain: _, ...record } = JSON.parse(line) as PageRecord
      const { dataset, key, timeframe } = record.window
      const change = damage.get(`${dataset} ${key} ${timeframe}`.trim())
      const file = join(cwd, 'data', record.file)
      const text = gunzipSync(readFileSync(file)).toString('utf8')
      if (!change || record.rows === 0) return JSON.stringify({ ...record, textual: true })
      const bytes = gzipSync(change(text))
      expect(change(text)).not.toBe(text)
      writeFileSync(file, bytes)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      received.set(record.id, sha256)
      return JSON.stringify({ ...record, sha256, textual: true })
    })
    writeFileSync(join(folder, name), `${poisoned.join('\n')}\n`)
  }
  return received
}

const POISON = new Map<string, (text: string) => string>([
  ['ohlc VCB 1m', (text) => text.replace('},{', '},},{')],
  ['ohlc FPT 1m', (text) => text.replace('},{', '},{"x":"\u0001",')],
  ['ohlc HPG 1m', (text) => text.replace('},{', '},{"x":"\\x41",')],
  ['ohlc ACV 1m', (text) => text.replace(/\}\s*$/, ',"data":[]}')],
  ['ohlc PVS 1m', (text) => text.replace('},{', '},{"symbol":"\\ud83d",')],
])
/** Candles of a board are requested once its list is there again: a night more. */
if (LONG) POISON.set('securities HOSE', (text) => text.replace('},{', '},}'))

test('a home with pages that an older version took for answers: replay and resume complete, the rerun heals it', async () => {
  const cwd = await unpublishedCopyOfBoth()
  await poison(cwd, POISON)
  const replayed = await cli(['replay'], { cwd })
  expectCode(replayed, 4)
  expect(replayed.stdout + replayed.stderr).toContain('landed pages are not JSON')
  if (LONG) {
    expectCode(await night(standIn, cwd), 0)
    expect(await heldHashes(cwd)).toEqual(plain.once)
    expectCode(await cli(['replay'], { cwd }), 0)
  }

  // The warehouse is gone: the night loads every journal again, and asks for what these do not have.
  for (const name of ['warehouse.duckdb', 'warehouse.duckdb.wal'])
    rmSync(join(cwd, 'data', name), { force: true })
  expect([0, 4]).toContain((await night(standIn, cwd)).code)
  if (LONG) expectCode(await night(standIn, cwd), 0)
  expect(await heldHashes(cwd)).toEqual(plain.once)
})
