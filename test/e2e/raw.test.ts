import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { RawVerification, Trace } from '../../src/read/index.js'
import type { Deleted, Packed } from '../../src/run/verbs/raw.js'
import type { StandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli, type Ran } from '../support/program.js'
import { start } from './support/cli.js'
import { hashes } from './support/hashes.js'
import { LAST, monthEndNight, monthEndService, nightsOverMonthEnd } from './support/month-end.js'

const PACK = ['raw', 'pack', '--before', '2025-03-01']
const DELETE = ['raw', 'delete', '--before', '2025-03-01']

let standIn: StandIn
/** Two nights, one in February and one in March, which restates a day of February; published. */
let nights: string
let undisturbed: Record<string, string>
beforeAll(async () => {
  standIn = await monthEndService()
  nights = await nightsOverMonthEnd()
  undisturbed = await hashes(nights)
})

async function done(running: Promise<Ran>): Promise<Ran> {
  const ran = await running
  expect(ran.code, ran.stderr).toBe(0)
  return ran
}

function copyOfNights(): string {
  const cwd = temporaryFolder()
  cpSync(join(nights, 'data'), join(cwd, 'data'), { recursive: true })
  return cwd
}

async function verifyRaw(cwd: string): Promise<RawVerification & { code: number | null }> {
  const ran = await cli(['raw', 'verify', '--json'], { cwd })
  return { ...ran.json<RawVerification>(), code: ran.code }
}

function files(cwd: string): string[] {
  return readdirSync(join(cwd, 'data/raw'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.gz'),
  )
}

/** What a replay gives that has nothing but `raw/`. */
async function rebuilt(cwd: string): Promise<Record<string, string>> {
  for (const entry of readdirSync(join(cwd, 'data')))
    if (entry !== 'raw') rmSync(join(cwd, 'data', entry), { recursive: true })
  for (const verb of ['replay', 'publish']) await done(cli([verb], { cwd }))
  return await hashes(cwd)
}

test('packed months: replay without anything else gives equal hashes, trace reads the page, verify finds all', async () => {
  const cwd = copyOfNights()
  const before = files(cwd).length
  const packed = (await done(cli([...PACK, '--json'], { cwd }))).json<Packed>()
  expect(packed.damaged).toEqual([])
  expect(packed.archives.map(({ archive }) => archive)).toEqual(
    expect.arrayContaining(['raw/ohlc/archive-2025-02.tar', 'raw/accountBalance/archive-2025-02.tar']),
  )
  expect(packed.archives.reduce((sum, { pages }) => sum + pages, 0)).toBe(packed.removed)
  expect(files(cwd)).toHaveLength(before - packed.removed)
  expect(files(cwd).length).toBeGreaterThan(0)
  expect(await verifyRaw(cwd)).toMatchObject({
    code: 0,
    pages: before,
    inArchives: packed.removed,
    inFiles: before - packed.removed,
    missing: [],
    changed: [],
    foreign: [],
  })
  expect(await rebuilt(cwd)).toEqual(undisturbed)
  const key = ['market.daily_summary', 'FPT', '2025-02-27', '--json']
  const { raw, record } = (await done(cli(['trace', ...key], { cwd }))).json<Trace>()
  expect(raw).toMatchObject({ state: 'as landed', archive: expect.stringMatching(/^raw\/.*\.tar$/) })
  expect(record?.text).toContain('FPT')
  expect(readdirSync(join(cwd, 'data/tmp'))).toEqual([])
  // Nothing is left to pack.
  expect((await done(cli([...PACK, '--json'], { cwd }))).json<Packed>()).toMatchObject({
    archives: [],
    removed: 0,
  })
})

test.runIf(LONG)('a run that was killed is resumed from archives', async () => {
  const cwd = copyOfNights()
  for (const file of ['warehouse.duckdb', 'warehouse.duckdb.wal'])
    rmSync(join(cwd, 'data', file), { force: true })
  await done(cli(PACK, { cwd }))
  await done(monthEndNight(standIn, cwd, LAST))
  const { 'market.daily_summary': summaries, 'market.candle': candles } = await hashes(cwd)
  expect([summaries, candles]).toEqual([undisturbed['market.daily_summary'], undisturbed['market.candle']])
})

test('verify names what is missing, changed and foreign, with 6 only where pages are damaged', async () => {
  const cwd = copyOfNights()
  await done(cli(PACK, { cwd }))
  const raw = join(cwd, 'data/raw')
  writeFileSync(join(raw, 'ohlc/notes.txt'), 'mine')
  expect(await verifyRaw(cwd)).toMatchObject({ code: 0, foreign: ['raw/ohlc/notes.txt'] })
  const [gone = '', other = ''] = files(cwd)
  rmSync(join(raw, gone))
  writeFileSync(join(raw, other), 'other')
  const archive = join(raw, 'securitiesSummary/archive-2025-02.tar')
  const bytes = readFileSync(archive)
  // In the middle of the first page.
  bytes[600] = (bytes[600] ?? 0) ^ 0xff
  writeFileSync(archive, bytes)
  const { code, missing, changed, lost } = await verifyRaw(cwd)
  expect(code).toBe(6)
  expect(missing).toEqual([`raw/${gone}`])
  expect(changed).toContain('raw/securitiesSummary/archive-2025-02.tar')
  expect(changed).toContain(`raw/${other}`)
  expect(changed).toHaveLength(3)
  // The archive itself is no page.
  expect(lost.reduce((sum, { pages }) => sum + pages, 0)).toBe(3)
  const replay = await cli(['replay'], { cwd })
  expect([replay.code, replay.stderr]).toEqual([6, expect.stringContaining('candlehouse raw verify')])
})

test('deleting needs --yes and says what goes; then replay keeps what only the warehouse has', async () => {
  const cwd = copyOfNights()
  await done(cli(PACK, { cwd }))
  const asked = await cli([...DELETE, '--json'], { cwd })
  expect(asked.code).toBe(2)
  expect(asked.stderr).toContain('candlehouse raw delete --before 2025-03-01 --yes')
  const named = await cli([...DELETE, '--home', 'data'], { cwd })
  expect(named.stderr).toContain('next: candlehouse raw delete --home data --before 2025-03-01 --yes')
  const plan = asked.json<Deleted>()
  expect(plan.months.map(({ dataset, month }) => `${dataset} ${month}`)).toContain('ohlc 2025-02')
  expect((await verifyRaw(cwd)).deleted).toBe(0)

  const deleted = (await done(cli([...DELETE, '--yes', '--json'], { cwd }))).json<Deleted>()
  expect(deleted.months).toEqual(plan.months)
  const verified = await verifyRaw(cwd)
  expect(verified).toMatchObject({ code: 0, inArchives: 0, missing: [], foreign: [] })
  expect(verified.deleted).toBe(plan.months.reduce((sum, { pages }) => sum + pages, 0))

  const replay = await done(cli(['replay'], { cwd }))
  expect(replay.stdout).toMatch(/raw pages were deleted \(.*ohlc 2025-02.*\): their sessions stay/)
  await done(cli(['publish'], { cwd }))
  expect(await hashes(cwd)).toEqual(undisturbed)
  const key = ['market.daily_summary', 'FPT', '2025-02-27', '--json']
  expect((await done(cli(['trace', ...key], { cwd }))).json<Trace>().raw).toMatchObject({ state: 'deleted' })
  // Nothing is left to delete.
  expect((await done(cli([...DELETE, '--yes', '--json'], { cwd }))).json<Deleted>().months).toEqual([])

  // Without any page left no page says which day the run is for.
  await done(cli(['raw', 'delete', '--before', '2025-05-01', '--yes'], { cwd }))
  const empty = await done(cli(['replay'], { cwd }))
  expect(empty.stdout).toMatch(/^replay for \d{4}-\d\d-\d\d: complete/)
  expect(empty.stderr).not.toContain('Invalid')
})

test('after a deletion, a warehouse that cannot be read is not replaced; without one, replay rebuilds what it can', async () => {
  const cwd = copyOfNights()
  await done(cli([...DELETE, '--yes'], { cwd }))
  const warehouse = join(cwd, 'data/warehouse.duckdb')
  renameSync(warehouse, `${warehouse}.kept`)
  writeFileSync(warehouse, 'damage'.repeat(1000))
  const refused = await cli(['replay'], { cwd })
  expect(refused.code).toBe(6)
  expect(refused.stderr).toContain('the only place that has their rows')
  if (!LONG) return
  rmSync(warehouse)
  const replay = await done(cli(['replay'], { cwd }))
  expect(replay.stdout).toContain('what only they brought cannot be rebuilt')
  await done(cli(['publish'], { cwd }))
  const sql = 'select distinct trading_date::varchar as day from market.daily_summary order by 1'
  const days = (await done(cli(['sql', sql, '--json'], { cwd }))).json<{ day: string }[]>()
  expect(days.map(({ day }) => day)).toContain('2025-03-03')
})

test('pages of a killed run that no run has loaded yet are not deleted', async () => {
  const cwd = copyOfNights()
  for (const file of ['warehouse.duckdb', 'warehouse.duckdb.wal'])
    rmSync(join(cwd, 'data', file), { force: true })
  const ran = await cli([...DELETE, '--yes'], { cwd })
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain('nothing was deleted')
  expect((await verifyRaw(cwd)).missing).toEqual([])
})

const KILLER = ['--import', join(import.meta.dirname, 'support/killer.mjs')]
/** Steps of files, in short those that replace and remove; what only the warehouse does has tests of its own. */
const FILE_STEP = LONG ? /^(rename raw|rm raw|sync file|appendFile file)/ : /^(rename raw|rm raw)/

test.each([
  ['pack', PACK],
  ['delete', [...DELETE, '--yes']],
] as const)(
  'SIGKILL at the steps of raw %s: no page is lost by accident, and the same command converges',
  async (_, args) => {
    const folder = copyOfNights()
    const trace = join(temporaryFolder(), 'trace')
    await done(start(args, { cwd: folder, env: { KILLER_TRACE: trace }, node: KILLER }).ended)
    const expected = await verifyRaw(folder)
    const kinds = new Map<string, number>()
    for (const kind of readFileSync(trace, 'utf8').trim().split('\n'))
      if (FILE_STEP.test(kind)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    const points = [...kinds].flatMap(([kind, count]) => {
      const middle = `before ${Math.ceil(count / 2)} ${kind}`
      return LONG ? [...new Set([`before 1 ${kind}`, middle, `after ${count} ${kind}`])] : [middle]
    })
    expect(points.length).toBeGreaterThan(0)
    const failures: string[] = []
    for (const point of points) {
      const cwd = copyOfNights()
      const killed = await start(args, { cwd, env: { KILLER_AT: point }, node: KILLER }).ended
      expect(killed.signal, `${point}: ${killed.stderr}`).toBe('SIGKILL')
      const between = await verifyRaw(cwd)
      if (between.missing.length + between.changed.length > 0) failures.push(`${point}: pages are lost`)
      await done(cli(args, { cwd }))
      const { home: _home, ...after } = await verifyRaw(cwd)
      const { home: _expectedHome, ...whole } = expected
      if (JSON.stringify(after) !== JSON.stringify(whole)) failures.push(`${point}: ${JSON.stringify(after)}`)
    }
    expect(failures).toEqual([])
  },
)
