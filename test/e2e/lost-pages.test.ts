import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import type { Diagnosis } from '../../src/doctor/index.js'
import { openDatabase } from '../../src/duckdb/open.js'
import type { RawVerification } from '../../src/read/index.js'
import type { StandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli, type Ran } from '../support/program.js'
import { filesBelow } from '../support/published.js'
import { restorableHashes } from './support/hashes.js'
import {
  EVE,
  LAST,
  monthEndNight,
  monthEndService,
  nightsOverMonthEnd,
  SESSIONS,
} from './support/month-end.js'
import { expectCode, type Hashes, rowsOf } from './support/nights.js'

/** A night with accounts for each month: two runs. */
let nights: string
let undisturbed: Hashes
let standIn: StandIn
beforeAll(async () => {
  standIn = await monthEndService()
  nights = await nightsOverMonthEnd()
  undisturbed = await restorableHashes(nights)
})

/**
 * A copy to go on from; its catalog names the files of the original. It has no API session: copies would end that of each
 * other. @param without entries of the home that are lost
 */
function copyOfNights(without: readonly string[] = []): string {
  const cwd = temporaryFolder()
  cpSync(join(nights, 'data'), join(cwd, 'data'), { recursive: true })
  rmSync(join(cwd, 'data', 'session.json'))
  for (const entry of without) rmSync(join(cwd, 'data', entry), { recursive: true })
  return cwd
}

const journals = (cwd: string): string[] =>
  readdirSync(join(cwd, 'data/raw/journal')).map((name) => join(cwd, 'data/raw/journal', name))

const lines = (journal: string): string[] => readFileSync(journal, 'utf8').trimEnd().split('\n')

const write = (journal: string, all: readonly string[]): void =>
  writeFileSync(journal, all.map((line) => `${line}\n`).join(''))

const pageOf = (line: string): { id: string; file: string; walk: string; end: unknown } => JSON.parse(line)

const nightOf = (cwd: string, ...more: string[]): Promise<Ran> =>
  monthEndNight(standIn, cwd, LAST, SESSIONS.length, more)

const run = (cwd: string, ...args: string[]): Promise<Ran> => cli(args, { cwd })

/** What the verbs say that look at raw pages. */
async function looks(cwd: string): Promise<{ verify: Ran; found: RawVerification; raw: Diagnosis[] }> {
  const verify = await run(cwd, 'raw', 'verify', '--json')
  const diagnoses = async (...more: string[]): Promise<Diagnosis[]> =>
    (await run(cwd, 'doctor', '--json', ...more)).json<{ diagnoses: Diagnosis[] }>().diagnoses
  const all = [...(await diagnoses()), ...(await diagnoses('--deep'))]
  return { verify, found: verify.json(), raw: all.filter(({ check }) => check === 'raw') }
}

// In short: test/e2e/raw.test.ts and test/land/loss.test.ts.
test.runIf(LONG)(
  'nothing is lost, and a kill has cut off a line: verify and doctor say with what they compared, and a replay that it found every page',
  async () => {
    const cwd = copyOfNights()
    appendFileSync(journals(cwd)[1] ?? '', '{"id":"2025')
    const { verify, found, raw } = await looks(cwd)
    expectCode(verify, 0)
    expect(found).toMatchObject({ ledgers: ['the warehouse', 'the published lake'], lost: [] })
    expect(raw.map(({ state }) => state)).toEqual(['ok', 'ok'])
    const replay = await run(cwd, 'replay')
    expectCode(replay, 0)
    expect(replay.stdout).toContain('every page that the warehouse and the published lake have is in raw/')
    expectCode(await run(cwd, 'publish'), 0)
    expect(await restorableHashes(cwd)).toEqual(undisturbed)
  },
)

function flip(file: string, at: number): void {
  const bytes = readFileSync(file)
  bytes[at] = (bytes[at] ?? 0) ^ 0xff
  writeFileSync(file, bytes)
}

type Loss = readonly [string, (cwd: string) => void, { accounts: boolean; counted: boolean }]

/** Those of `make test`: a line that is there and cannot be read, and everything. Archives: test/land/loss.test.ts and test/e2e/raw.test.ts. */
const DIFFERING = /^(a byte|all)/

/** Ways to lose what raw/ has of a loaded run, and whether account pages go. */
const LOSSES: readonly Loss[] = [
  ['a file of raw/journal', (cwd) => rmSync(journals(cwd)[0] ?? ''), { accounts: true, counted: true }],
  [
    'the end of a file of raw/journal',
    (cwd) => {
      const [journal = ''] = journals(cwd)
      const text = readFileSync(journal, 'utf8')
      writeFileSync(journal, text.slice(0, text.length >> 1))
    },
    { accounts: true, counted: true },
  ],
  [
    'a line of a journal',
    (cwd) => {
      const [journal = ''] = journals(cwd)
      const all = lines(journal)
      write(
        journal,
        all.toSpliced(
          all.findIndex((line) => line.includes('raw/securitiesSummary/')),
          1,
        ),
      )
    },
    { accounts: false, counted: true },
  ],
  [
    'a byte of a journal',
    (cwd) => {
      const [journal = ''] = journals(cwd)
      const all = lines(journal)
      const index = all.findIndex((line) => line.includes('raw/accountBalance/'))
      write(journal, all.with(index, (all[index] ?? '').replace('"endpoint"', '"endpo{nt')))
    },
    { accounts: true, counted: false },
  ],
  [
    'all of raw/',
    (cwd) => rmSync(join(cwd, 'data/raw'), { recursive: true }),
    { accounts: true, counted: true },
  ],
  [
    'the pages of a dataset',
    (cwd) => rmSync(join(cwd, 'data/raw/position'), { recursive: true }),
    { accounts: true, counted: true },
  ],
  [
    'an archive, and a byte of another one,',
    (cwd) => {
      rmSync(join(cwd, 'data/raw/ohlc/archive-2025-03.tar'))
      // In the middle of the first page.
      flip(join(cwd, 'data/raw/indexSummary/archive-2025-03.tar'), 530)
    },
    { accounts: false, counted: true },
  ],
]

/** SHA-256 of every file that a replay or a publication writes. */
function storedFiles(cwd: string): Record<string, string> {
  const home = join(cwd, 'data')
  const ofLake = filesBelow(join(home, 'lake')).map((file) => join('lake', file))
  const digest = (file: string): string =>
    createHash('sha256')
      .update(readFileSync(join(home, file)))
      .digest('hex')
  const files = ['warehouse.duckdb', 'catalog.duckdb', 'lake.ducklake', ...ofLake]
  return Object.fromEntries(files.map((file) => [file, digest(file)]))
}

test.each(LOSSES.filter(([name]) => LONG || DIFFERING.test(name)))(
  '%s is lost: named by verify and doctor with 6; a replay refuses and replaces nothing',
  async (name, lose, { accounts, counted }) => {
    const cwd = copyOfNights()
    if (name.startsWith('an archive')) expectCode(await run(cwd, 'raw', 'pack', '--before', '2025-04-01'), 0)
    const before = storedFiles(cwd)
    lose(cwd)
    const { verify, found, raw } = await looks(cwd)
    expectCode(verify, 6)
    expect(found.lost.length).toBeGreaterThan(0)
    expect(found.lost.some(({ isOfAccounts }) => isOfAccounts)).toBe(accounts)
    expect((await run(cwd, 'raw', 'verify')).stdout).toMatch(
      /^lost: [\d,]+ pages? of \d runs? that the warehouse/m,
    )
    // Without --deep lines and files are counted, not read.
    expect(raw.map(({ state, exitCode }) => [state, exitCode])).toEqual([
      counted ? ['fail', 6] : ['ok', 0],
      ['fail', 6],
    ])
    const refused = await run(cwd, 'replay')
    expectCode(refused, 6)
    if (name !== 'all of raw/') expect(refused.stderr).toContain('candlehouse replay --without-missing')
    expect(refused.stderr).toMatch(/\d+ pages? of \d runs? \(run 2/)
    expect(refused.stderr.includes('account snapshots are among them')).toBe(accounts)
    if (name.startsWith('an archive')) expect(refused.stderr).toMatch(/: indexSummary 1 .*, ohlc \d+ /)
    expect(storedFiles(cwd)).toEqual(before)
    if (!LONG || name !== 'all of raw/') return
    expectCode(await run(cwd, 'publish'), 0)
    expect(await restorableHashes(cwd)).toEqual(undisturbed)
  },
)

test('without the warehouse the published lake is compared, for a replay and for a night', async () => {
  const cwd = copyOfNights()
  expectCode(await run(cwd, 'publish'), 0)
  rmSync(join(cwd, 'data/warehouse.duckdb'))
  const [journal = ''] = journals(cwd)
  const text = readFileSync(journal)
  rmSync(journal)
  expectCode(await run(cwd, 'raw', 'verify'), 6)
  const refused = await run(cwd, 'replay')
  expectCode(refused, 6)
  expect(refused.stderr).toContain('would lose what the published lake has')
  const before = await restorableHashes(cwd)
  for (const _ of LONG ? ['a night', 'the next one'] : ['a night']) {
    const rerun = await nightOf(cwd)
    expectCode(rerun, 6)
    expect(rerun.stderr).toContain('the warehouse is new, and the published lake has pages that are gone')
  }
  // The journal is back, but a page of accounts is another one: the lake has its snapshot.
  writeFileSync(journal, text)
  changePage(cwd, lines(journal), 'accountBalance')
  const changed = await nightOf(cwd)
  expectCode(changed, 6)
  expect(changed.stderr).toContain('accountBalance 1 ')
  expect(changed.stderr).toContain('account snapshots are among them')
  // Nor does a warehouse help that has rows, but not this run.
  const home = join(cwd, 'data')
  const newWarehouse = readFileSync(join(home, 'warehouse.duckdb'))
  cpSync(join(nights, 'data/warehouse.duckdb'), join(home, 'warehouse.duckdb'))
  await forgetRun(home, basename(journal, '.ndjson'))
  const older = await nightOf(cwd)
  expectCode(older, 6)
  expect(older.stderr).toContain('the warehouse is older than the lake, and the published lake has pages')
  expect(older.stderr).toMatch(/: 1 page of 1 run .*accountBalance 1 /)
  writeFileSync(join(home, 'warehouse.duckdb'), newWarehouse)
  rmSync(journal)
  expectCode(await run(cwd, 'publish'), 6)
  expect(await restorableHashes(cwd)).toEqual(before)

  // In short: of a home with a warehouse, below.
  if (!LONG) return
  const rebuilt = await run(cwd, 'replay', '--without-missing')
  expectCode(rebuilt, 0)
  expect(rebuilt.stdout).toMatch(/rebuilt without \d+ pages of 1 run/)
  expectCode(await run(cwd, 'publish'), 0)
  const days = 'select distinct trading_date::varchar as day from market.daily_summary order by 1'
  expect(await rowsOf(cwd, days)).toEqual([EVE, LAST].map((day) => ({ day })))
  expectCode(await nightOf(cwd), 0)
  expect((await restorableHashes(cwd))['market.daily_summary']).toBe(undisturbed['market.daily_summary'])
})

/** Makes the warehouse one of a backup from before this run. */
async function forgetRun(home: string, id: string): Promise<void> {
  const warehouse = await openDatabase(join(home, 'warehouse.duckdb'))
  try {
    for (const table of ['ops.run', 'ops.request'])
      await warehouse.run(`DELETE FROM ${table} WHERE run_id = ?`, [id])
  } finally {
    warehouse.close()
  }
}

// In short: pages that differ, below, and test/e2e/raw.test.ts.
test.runIf(LONG)(
  'with raw/ alone a replay goes on, and says that there was nothing to compare with; damage it names, and asks for the word; --without-missing skips what is gone or changed, whole walks and whole snapshots',
  async () => {
    const cwd = copyOfNights(['warehouse.duckdb', 'catalog.duckdb', 'lake', 'lake.ducklake'])
    const verify = await run(cwd, 'raw', 'verify')
    expectCode(verify, 0)
    expect(verify.stdout).toContain('no warehouse and no published lake to compare the journals with')
    const replay = await run(cwd, 'replay')
    expectCode(replay, 0)
    expect(replay.stdout).toContain('there was nothing to compare raw/ with')
    expectCode(await run(cwd, 'publish'), 0)
    expect(await restorableHashes(cwd)).toEqual(undisturbed)

    const damaged = copyOfNights(['warehouse.duckdb', 'catalog.duckdb', 'lake', 'lake.ducklake'])
    const [journal = ''] = journals(damaged)
    write(journal, lines(journal).with(1, '{"id":'))
    changePage(damaged, lines(journal).slice(2), 'securitiesSummary')
    changePage(damaged, lines(journal).slice(2), 'accountBalance')
    const refused = await run(damaged, 'replay')
    expectCode(refused, 6)
    expect(refused.stderr).toMatch(/damaged: raw\/journal\/.*\.ndjson, line 2;/)
    const unusable = /gone or not as received: 2 journalled pages, .*; account snapshots are among them/
    expect(refused.stderr).toMatch(unusable)
    const rebuilt = await run(damaged, 'replay', '--without-missing')
    expectCode(rebuilt, 0)
    expect(rebuilt.stdout).toMatch(unusable)
    expectCode(await run(damaged, 'publish'), 0)
    const count = 'select count(distinct snapshot_id) as n from account.equity_balance'
    expect(await rowsOf(damaged, count)).toEqual([{ n: '1' }])
    expect(await rowsOf(nights, count)).toEqual([{ n: '2' }])
  },
)

/** The first page of a dataset among these is one that can be read, with other bytes than received. */
function changePage(cwd: string, all: readonly string[], dataset: string): void {
  const page = all.map(pageOf).find(({ file }) => file.startsWith(`raw/${dataset}/`))
  const file = join(cwd, 'data', page?.file ?? '')
  writeFileSync(file, gzipSync(`${gunzipSync(readFileSync(file)).toString()} `))
}

test('pages that differ are lost like those that are gone: a replay names all of them and replaces nothing; --without-missing names the same pages, and rebuilds the rest', async () => {
  const cwd = copyOfNights()
  const before = storedFiles(cwd)
  for (const dataset of ['securitiesSummary', 'accountBalance'])
    changePage(cwd, lines(journals(cwd)[0] ?? ''), dataset)
  const verify = await run(cwd, 'raw', 'verify', '--json')
  expectCode(verify, 6)
  expect(verify.json<RawVerification>().lost.map(({ dataset, pages }) => [dataset, pages])).toEqual([
    ['accountBalance', 1],
    ['securitiesSummary', 1],
  ])
  const refused = await run(cwd, 'replay')
  expectCode(refused, 6)
  expect(storedFiles(cwd)).toEqual(before)
  const rebuilt = await run(cwd, 'replay', '--without-missing')
  expectCode(rebuilt, 0)
  expect(rebuilt.stdout).toContain('rebuilt without 2 pages of 1 run ')
  for (const words of [refused.stderr, rebuilt.stdout]) {
    expect(words).toMatch(/\(run 2\S+: accountBalance 1 \(.*\), securitiesSummary 1 \(.*\)\)/)
    expect(words).toContain('account snapshots are among them, which nobody can fetch again')
  }
  expectCode(await run(cwd, 'publish'), 0)
  const days = 'select distinct trading_date::varchar as day from market.daily_summary order by 1'
  // The other run has the session before its own too.
  expect(await rowsOf(cwd, days)).toEqual([EVE, LAST].map((day) => ({ day })))
  expect(await rowsOf(cwd, 'select distinct as_of::varchar as day from account.snapshot')).toEqual([
    { day: LAST },
  ])
})

type Unloaded = readonly [what: string, damage: (home: string, journal: string) => void]

const EVERY_LINE: Unloaded = [
  'every line',
  (_, journal) =>
    write(
      journal,
      lines(journal).map(() => 'garbage'),
    ),
]

/** Damage to the journal or the pages of a run that has loaded nothing yet: each kind to another dataset, or all of them. */
const UNLOADED: readonly Unloaded[] = [
  [
    'a line that is not JSON, a line whose SHA-256 is another one, a page that is gone',
    (home, journal) => {
      const all = lines(journal)
      const lineOf = (dataset: string): number => all.findIndex((line) => line.includes(`raw/${dataset}/`))
      const [cut, changed] = [lineOf('securitiesSummary'), lineOf('ohlc')]
      rmSync(join(home, pageOf(all[lineOf('indexSummary')] ?? '').file))
      const other = (all[changed] ?? '').replace(/"sha256":"..../, '"sha256":"0000')
      write(journal, all.with(cut, `${all[cut]?.slice(0, 40)}\u0000\u0000`).with(changed, other))
    },
  ],
  ...(LONG ? [EVERY_LINE] : []),
]

test.each(UNLOADED)(
  'a run that never loaded, with damage: %s: said once with 4, and later nights are whole',
  async (_, damage) => {
    // The first night as it was before it loaded anything: its pages and its journal.
    const cwd = copyOfNights(['warehouse.duckdb', 'catalog.duckdb', 'lake', 'lake.ducklake'])
    const [first = '', second = ''] = journals(cwd)
    rmSync(second)
    damage(join(cwd, 'data'), first)
    const noticed = await nightOf(cwd, ...(LONG ? [] : ['--skip-accounts']))
    expectCode(noticed, 4)
    expect(noticed.json<{ notes: string[] }>().notes.join('\n')).toMatch(/not loaded, .*raw verify/)
    expectCode(await run(cwd, 'raw', 'verify'), 6)
    expectCode(await nightOf(cwd, ...(LONG ? [] : ['--skip-accounts'])), 0)
    const after = await restorableHashes(cwd)
    for (const relation of ['market.daily_summary', 'market.index_summary'])
      expect([relation, after[relation]]).toEqual([relation, undisturbed[relation]])
    // Bars of other timeframes are those that a night compared.
    const minutes = `select symbol, local_time, open, high, low, close, volume, value from market.candle
      where timeframe = '1m' order by symbol, local_time`
    expect(await rowsOf(cwd, minutes)).toEqual(await rowsOf(nights, minutes))
    if (!LONG) return
    // Nothing that was loaded is lost: a replay gives the same.
    expectCode(await run(cwd, 'replay'), 0)
    expectCode(await run(cwd, 'publish'), 0)
    expect(await restorableHashes(cwd)).toEqual(after)
  },
)

test.runIf(LONG)('a damaged line of a run that was loaded stops no night; verify names it', async () => {
  const cwd = copyOfNights()
  const [, journal = ''] = journals(cwd)
  const all = lines(journal)
  write(journal, all.with(3, 'garbage'))
  expectCode(await nightOf(cwd), 0)
  const { found } = await looks(cwd)
  expect(found.damagedLines).toMatchObject([{ line: 4 }])
  expect(found.lost).toHaveLength(1)
})

test('the warehouse cannot be read: raw/ is compared with the published lake, and verify says so', async () => {
  const cwd = copyOfNights()
  renameSync(join(cwd, 'data/warehouse.duckdb'), join(cwd, 'data/kept'))
  writeFileSync(join(cwd, 'data/warehouse.duckdb'), 'damage'.repeat(1000))
  const verify = await run(cwd, 'raw', 'verify')
  expectCode(verify, 0)
  expect(verify.stdout).toContain('not compared with the warehouse: ')
  expect(verify.stdout).toContain('every page that the published lake has is there')
  expect(existsSync(join(cwd, 'data/kept'))).toBe(true)
})
