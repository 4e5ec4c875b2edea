import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli, type Environment, type Ran } from '../support/program.js'
import { ask, filesBelow } from '../support/published.js'
import { refusing } from '../support/refusing.js'
import { sharedHome } from '../support/shared-home.js'

const kept = sharedHome()
const CSV = 'symbol,trading_date,close\nHPG,2025-03-13,27050\n'

/** The shared home's own folder: what a test damages, it repairs. A copy would have to be published once more. */
function workingFolder(): string {
  const cwd = dirname(kept.home)
  writeFileSync(join(cwd, 'history.csv'), CSV)
  return cwd
}

let pristine: string
beforeAll(() => {
  pristine = temporaryFolder()
  cpSync(kept.home, join(pristine, 'data'), { recursive: true })
  writeFileSync(join(pristine, 'history.csv'), CSV)
})

/** A copy of it as it was made. Its catalog names the files of the shared home: for tests that read none of them. */
function copyOfKept(): string {
  const cwd = temporaryFolder()
  cpSync(pristine, cwd, { recursive: true })
  return cwd
}

async function run(args: readonly string[], cwd: string, env: Environment = {}): Promise<Ran> {
  return await cli(args, { cwd, env, effects: fakeEffects(Date.parse('2025-06-30T12:00:00Z')) })
}

/** A failure of storage: its family, its words and what to type, and never a bug of ours. */
function expectStorage(ran: Ran): void {
  expect(ran.code, ran.stderr).toBe(6)
  expect(ran.stderr).toMatch(/\n {2}next: \S/)
  expect(ran.stderr).not.toMatch(/this is a bug|\n\s+at /)
}

/** The one Parquet file of the candles. */
function candleFile(cwd: string): string {
  const folder = join(cwd, 'data', 'lake', 'market', 'candle')
  const [name = ''] = filesBelow(folder).filter((file) => file.endsWith('.parquet'))
  return join(folder, name)
}

const VERBS: readonly (readonly string[])[] = [
  ['sql', 'from market.candle'],
  ['sql', 'from market.candle', '--arrow', 'rows.arrow'],
  ['export', 'market.candle', '--out', 'rows.parquet'],
  ['export', 'market.candle', '--out', 'rows.arrow'],
  ['export', 'market.candle', '--partition-by', 'symbol', '--out', 'rows'],
  ['status', '--hashes'],
  ['trace', 'market.candle'],
  ['plan'],
  ['lake', 'verify'],
  ['lake', 'sweep'],
  ['attach', '--lake', 'data/lake', '--out', 'other.duckdb'],
  ['check'],
  ['publish'],
  ['reconcile'],
  ['replay'],
  ['import', 'securitiesSummary', 'history.csv'],
  ['import', 'securitiesSummary', 'history.csv', '--dry-run'],
  ['login', '--otp', '1'],
  ['logout'],
  ['config', 'show'],
  ['schedule', 'print', 'cron'],
]

const CODES = ['EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EIO']

describe('a call that the file system refuses', () => {
  test('is a failure of storage with words, or a warning, whatever verb and code; the next run works', async () => {
    const cwd = workingFolder()
    const numRuns = Number(process.env.REFUSALS ?? (LONG ? 200 : 6))
    let refusals = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...VERBS),
        fc.constantFrom(...CODES),
        fc.integer({ min: 1, max: LONG ? 40 : 10 }),
        async (args, code, nth) => {
          const { value, refused } = await refusing({ code, nth, folder: cwd }, () => run(args, cwd))
          if (refused === undefined) return
          refusals += 1
          const told = `${args.join(' ')} · ${code} ${nth} ${refused}\n${value.stderr}`
          expect(value.code, told).not.toBe(1)
          expect(value.stderr, told).not.toMatch(/this is a bug|refused by the test/)
          if (value.code === 6)
            expect(value.stderr + value.stdout, told).toMatch(/next: \S|candlehouse publish/)
          expect((await run(['publish'], cwd)).code, told).toBe(0)
        },
      ),
      { numRuns, seed: 14 },
    )
    expect(refusals).toBeGreaterThan(numRuns / 4)
    expect(
      await ask(join(cwd, 'data'), "select count(*) as n from market.candle where timeframe = '1m'"),
    ).toEqual([{ n: '1' }])
  })
})

describe('a home whose path DuckDB cannot use', () => {
  test.each(['?', '*'])('is refused at once, and the character is named: %s', async (character) => {
    const cwd = temporaryFolder()
    const home = `da${character}ta`
    for (const args of [['nightly'], ['sql', 'select 1'], ['import', 'securitiesSummary', 'history.csv']]) {
      writeFileSync(join(cwd, 'history.csv'), CSV)
      const ran = await run([...args, '--home', home], cwd)
      expectStorage(ran)
      expect(ran.stderr).toContain(`the character ${character}`)
      expect(ran.stderr).toContain(`next: choose a folder without ${character}: CANDLEHOUSE_HOME or --home`)
      expect(existsSync(join(cwd, home))).toBe(false)
    }
  })

  const OTHERS = ['!"#$%&\'()+,-.:;<=>@[\\]^_`{|}~ \t\n\u0001', 'é Đ 中 😀 \u200b \u202e', '[a-z]{a,b}']

  // DuckDB was tried with each of these characters alone and between others. In short all of them in one name.
  test.each(LONG ? OTHERS : [OTHERS.join('')])(
    'is only one with such a character: %j works',
    async (part) => {
      const cwd = temporaryFolder()
      const home = join(cwd, `x${part}y`)
      cpSync(kept.home, home, { recursive: true })
      expect((await run(['publish', '--home', home], cwd)).code).toBe(0)
      // A statement that begins with a comment is not an option.
      const commented = ['sql', '--of every symbol\nfrom market.candle', '--csv', '--home', home]
      expect((await run(commented, cwd)).stdout).toContain('HPG')
    },
  )
})

describe('temporary files', () => {
  test('are in the home, so that no TMPDIR is needed', async () => {
    const cwd = workingFolder()
    const former = process.env.TMPDIR
    process.env.TMPDIR = '/nowhere/at/all'
    try {
      const ran = await run(['import', 'securitiesSummary', 'history.csv'], cwd)
      expect(ran.code, ran.stderr).toBe(0)
    } finally {
      if (former === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = former
    }
    expect(statSync(join(cwd, 'data', 'tmp')).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(cwd, 'data', 'tmp'))).toEqual([])
  })

  test('of killed processes are removed by the next run that has the lock; those of others stay', async () => {
    const cwd = workingFolder()
    const home = kept.home
    const machine = hostname().replaceAll(/[^A-Za-z0-9-]/g, '-')
    const dead = [
      join('tmp', `${machine}.999999999.abcdef`),
      join('tmp', `${machine}.${process.pid}.abcdef`),
      join('tmp', 'elsewhere.7.abcdef'),
      join('tmp', 'notes'),
      'session.json.4711.tmp',
      'warehouse.duckdb.4711.tmp',
      'warehouse.duckdb.tmp',
      join('logs', 'last-run.json.4711.tmp'),
    ]
    const live = [join('tmp', `${machine}.${process.ppid}.abcdef`), join('tmp', 'elsewhere.8.abcdef')]
    mkdirSync(join(home, 'logs'), { recursive: true })
    for (const path of [...dead, ...live]) mkdirSync(join(home, path))
    writeFileSync(join(home, dead[0] ?? '', 'records.ndjson'), 'x')
    const now = Date.parse('2025-06-30T12:00:00Z') / 1000
    utimesSync(join(home, 'tmp', 'elsewhere.7.abcdef'), now, now - 90_000)
    expect((await run(['check'], cwd)).code).toBe(0)
    expect(dead.filter((path) => existsSync(join(home, path)))).toEqual([])
    expect(live.filter((path) => !existsSync(join(home, path)))).toEqual([])
  })

  test('a reader that spills has a folder of its own, which is gone behind it', async () => {
    const cwd = workingFolder()
    rmSync(join(cwd, 'data', 'tmp'), { recursive: true })
    const settings = `select current_setting('temp_directory') as folder, current_setting('memory_limit') as memory,
      current_setting('max_temp_directory_size') as spill`
    type Settings = { folder: string; memory: string; spill: string }
    const [row] = (await run(['sql', settings, '--json'], cwd)).json<Settings[]>()
    expect(row?.folder).toMatch(new RegExp(`^${join(cwd, 'data', 'tmp')}/`))
    expect(row?.memory).toMatch(/^\d+(\.\d+)? [MG]iB$/)
    expect(row?.spill).toMatch(/^\d+(\.\d+)? [MGT]iB$/)
    expect(readdirSync(join(cwd, 'data', 'tmp'))).toEqual([])
  })

  test('a reader who may not write to the home still reads', async () => {
    const cwd = workingFolder()
    rmSync(join(cwd, 'data', 'tmp'), { recursive: true })
    writeFileSync(join(cwd, 'data', 'tmp'), 'a file where the folder would be')
    const settings = `select current_setting('temp_directory') as folder, count(*) as n from market.candle where timeframe = '1m'`
    const [row] = (await run(['sql', settings, '--json'], cwd)).json<{ folder: string; n: string }[]>()
    expect(row?.n).toBe('1')
    expect(row?.folder.startsWith(cwd)).toBe(false)
    expect((await run(['export', 'market.candle', '--out', 'rows.csv'], cwd)).code).toBe(0)
    rmSync(join(cwd, 'data', 'tmp'))
  })
})

test('a log that cannot be written is a warning and never ends a run', async () => {
  const cwd = copyOfKept()
  for (const name of ['logs', 'metrics.prom'])
    rmSync(join(cwd, 'data', name), { recursive: true, force: true })
  writeFileSync(join(cwd, 'data', 'logs'), 'a file where the folder would be')
  mkdirSync(join(cwd, 'data', 'metrics.prom'))
  const ran = await run(['import', 'securitiesSummary', 'history.csv'], cwd)
  expect(ran.code, ran.stderr).toBe(0)
  for (const name of ['last-run.json', 'metrics.prom', 'candlehouse.ndjson'])
    expect(ran.stderr).toMatch(new RegExp(`warning: \\S*${name} (was|is) not written`))
})

describe('a lake that lost or damaged a file', () => {
  const READERS = [
    ['sql', 'from market.candle'],
    ['export', 'market.candle', '--out', 'rows.parquet'],
    ['lake', 'verify'],
  ]
  /** Each test leaves it whole, but for the last one. */
  test('a missing file is a failure of storage, and publish is the next command, whatever reads', async () => {
    const cwd = workingFolder()
    const file = candleFile(cwd)
    rmSync(file)
    for (const args of READERS) {
      const ran = await run(args, cwd)
      expect(ran.code, ran.stderr).toBe(6)
      expect(ran.stdout + ran.stderr).toContain(file.split('/').at(-1) ?? '')
      expect(ran.stdout + ran.stderr).toContain('candlehouse publish')
      expect(ran.stdout + ran.stderr).not.toContain('replay')
    }
    expect((await run(['publish'], cwd)).stdout).toContain('restored 1 missing or damaged file of the lake')
    for (const args of READERS) expect((await run(args, cwd)).code).toBe(0)
  })

  test('a missing catalog is not taken for a lake that was never published; a lost warehouse beside it empties no lake', async () => {
    const cwd = copyOfKept()
    const home = join(cwd, 'data')
    const manifest = readFileSync(join(home, 'lake', 'manifest.json'), 'utf8')
    for (const name of ['catalog.duckdb', 'warehouse.duckdb']) rmSync(join(home, name))
    for (const args of [['sql', 'from market.candle'], ['status']]) {
      const ran = await run(args, cwd)
      expectStorage(ran)
      expect(ran.stderr).toMatch(
        /catalog\.duckdb is missing, .*\n {2}next: write it again: candlehouse publish\n/,
      )
    }
    const doctor = await run(['doctor', '--json'], cwd)
    expect(doctor.code).toBe(6)
    const next = new Map(
      doctor
        .json<{ diagnoses: { check: string; next: string | null }[] }>()
        .diagnoses.map((each) => [each.check, each.next]),
    )
    expect(next.get('warehouse')).toBe('candlehouse replay, then candlehouse publish')
    expect(next.get('catalog')).toBe('write it again: candlehouse publish')
    const refused = await run(['publish'], cwd)
    expectStorage(refused)
    expect(refused.stderr).toContain('next: candlehouse replay    # rebuilds the warehouse from raw/')
    expect(readFileSync(join(home, 'lake', 'manifest.json'), 'utf8')).toBe(manifest)
  })

  test('a folder in place of the catalog is named by publish', async () => {
    const cwd = copyOfKept()
    const catalog = join(cwd, 'data', 'catalog.duckdb')
    rmSync(catalog)
    mkdirSync(catalog)
    const ran = await run(['publish'], cwd)
    expectStorage(ran)
    expect(ran.stderr).toContain(`cannot read ${catalog}: it is a folder`)
  })

  test('a home that was copied is a failure of storage until it is published there', async () => {
    const cwd = copyOfKept()
    for (const args of [['sql', 'from market.candle'], ['status'], ['doctor']]) {
      const ran = await run(args, cwd)
      expect(ran.code, ran.stderr).toBe(6)
      expect(ran.stdout + ran.stderr).toContain('the catalog reads a file of another folder')
      expect(ran.stdout + ran.stderr).toContain('candlehouse publish')
    }
    expect((await run(['publish'], cwd)).code).toBe(0)
    expect((await run(['sql', 'from market.candle'], cwd)).code).toBe(0)
  })

  test('a file that the statement itself names is a matter of the statement', async () => {
    const nothing = join(kept.home, 'lake', 'nothing.csv')
    expect((await run(['sql', `from read_csv('${nothing}')`], workingFolder())).code).toBe(2)
  })

  test('publish says what else it wrote again', async () => {
    const cwd = workingFolder()
    const home = join(cwd, 'data')
    const notes = async (): Promise<string[]> =>
      (await run(['publish', '--json'], cwd)).json<{ notes: string[] }>().notes
    rmSync(join(home, 'catalog.duckdb'))
    rmSync(join(home, 'lake', 'market', 'candle', '_delta_log'), { recursive: true })
    const both = await notes()
    expect(both).toContain('wrote the catalog again: it was missing, damaged or out of date')
    expect(both).toContain('repaired the Delta log of market.candle: a part of it was missing or damaged')
    rmSync(join(home, 'lake', 'manifest.json'))
    rmSync(join(home, 'lake.ducklake'))
    const others = await notes()
    expect(others).toContain('wrote manifest.json of the lake again: it was missing or damaged')
    expect(others).toContain('wrote the DuckLake again: it was missing or damaged')
    expect(await notes()).toEqual([expect.stringContaining('nothing has changed since')])
  })

  test('a file that is cut short, empty, a folder or a circle of links is a failure of storage', async () => {
    const cwd = workingFolder()
    const file = candleFile(cwd)
    const damages = [
      () => truncateSync(file, 100),
      () => truncateSync(file, 0),
      () => {
        rmSync(file)
        mkdirSync(file)
      },
      () => {
        rmSync(file, { recursive: true })
        symlinkSync(file, file)
      },
    ]
    for (const damage of LONG ? damages : damages.slice(1)) {
      damage()
      for (const args of READERS.slice(0, 2)) expectStorage(await run(args, cwd))
      const healed = await run(['publish'], cwd)
      expect([healed.code, healed.stderr]).toEqual([0, expect.not.stringContaining('bug')])
      for (const args of READERS.slice(0, 2)) expect((await run(args, cwd)).code).toBe(0)
    }
  })
})

test('a warehouse that may not be opened does not advise a replay; a damaged one does', async () => {
  const cwd = copyOfKept()
  const file = join(cwd, 'data', 'warehouse.duckdb')
  renameSync(file, `${file}.kept`)
  symlinkSync(file, file)
  const refused = await run(['check'], cwd)
  expectStorage(refused)
  expect(refused.stderr).not.toContain('replay')
  rmSync(file)
  writeFileSync(file, 'torn'.repeat(5000))
  const damaged = await run(['check'], cwd)
  expectStorage(damaged)
  expect(damaged.stderr).toContain('candlehouse replay')
})

/** The page of the kept home. */
function pageFile(cwd: string): string {
  const folder = join(cwd, 'data', 'raw', 'ohlc')
  const [name = ''] = filesBelow(folder)
  return join(folder, name)
}

test('a page that may not be read now is not lost: a replay says why, and does not advise to go on without it', async () => {
  const cwd = copyOfKept()
  const replay = ['replay', '--without-missing']
  for (const code of ['EACCES', 'EMFILE']) {
    const { value, refused } = await refusing({ code, nth: 1, folder: pageFile(cwd) }, () => run(replay, cwd))
    expect(refused).toContain('readFile')
    expectStorage(value)
    expect(value.stderr).toMatch(
      /cannot read the landed page \S+: (permission denied|too many files are open)/,
    )
    expect(value.stderr).not.toContain('--without-missing')
  }
})

test('a replay that fails while it loads leaves the warehouse, and writes the metrics of it', async () => {
  const cwd = copyOfKept()
  const metrics = join(cwd, 'data', 'metrics.prom')
  rmSync(metrics, { force: true })
  // The first reading compares, in one call or two; later ones load.
  const { value } = await refusing({ code: 'EIO', nth: 3, folder: pageFile(cwd) }, () => run(['replay'], cwd))
  expectStorage(value)
  expect(value.stderr).toContain('replay: 1 run')
  expect(value.stderr).not.toContain('warning')
  const written = readFileSync(metrics, 'utf8')
  expect(written).toContain('candlehouse_last_run_exit_code{job="replay"} 6')
  expect(written).toContain('candlehouse_rows{relation="market.candle"} 1')
  expect((await run(['replay'], cwd)).code).toBe(0)
})

describe('settings that this user may not read', () => {
  test('verbs that read go on with a warning; nightly says how to mend it', async () => {
    const cwd = temporaryFolder()
    // Also root cannot read a folder as a file.
    mkdirSync(join(cwd, '.env'))
    const home = ['--home', kept.home]
    for (const args of [
      ['sql', 'from market.candle'],
      ['status'],
      ['export', 'market.candle', '--out', 'rows.csv'],
      ['trace', 'market.candle'],
      ['plan'],
      ['config', 'show'],
    ]) {
      const ran = await run([...args, ...home], cwd)
      expect(ran.code, ran.stderr).toBe(0)
      expect(ran.stderr).toMatch(/warning: \S*\.env cannot be read/)
    }
    for (const args of [['nightly'], ['publish'], ['snapshot']]) {
      const ran = await run([...args, ...home], cwd)
      expect(ran.code).toBe(3)
      expect(ran.stderr).toMatch(/\.env cannot be read: .*\n {2}next: .*chmod 600/)
    }
  })
})
