import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StandIn, startStandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { cli } from '../support/program.js'
import { start, towards } from './support/cli.js'
import { gate } from './support/gate.js'
import { restorableHashes } from './support/hashes.js'
import { copyOfBoth, nightOfBoth, smallMarket } from './support/nights.js'

const NIGHT = ['nightly', '--date', '2025-03-14', '--sessions', '2']

let standIn: StandIn
beforeAll(async () => {
  standIn = await startStandIn({ market: smallMarket() })
})
afterAll(async () => await standIn.close())

describe('the command line', () => {
  test.each([
    [[], 'no command given'],
    [['nihgtly'], 'Did you mean nightly'],
    [['nightly', '--dat', '2025-03-14'], 'unknown option'],
    [['nightly', '--date', '2025-02-30'], 'an existing day'],
    [['nightly', '--date', '2999-01-01'], 'is in the future'],
    [['nightly', '--sessions', '0'], 'whole number'],
    [['backfill'], 'missing required argument'],
    [
      ['backfill', 'ohlc', '--from', '2025-03-14', '--to', '2025-03-13', '--date', '2025-03-14'],
      'is after --to',
    ],
    [['plan', 'backfill'], 'needs a dataset'],
    [['schedule', 'print', 'launchd'], 'Allowed choices'],
  ])('%j is a usage error with a next step', async (args, words) => {
    const ran = await cli(args, { cwd: temporaryFolder() })
    expect(ran.code).toBe(2)
    expect(ran.stdout).toBe('')
    expect(ran.stderr).toContain(words)
    expect(ran.stderr).toContain('\n  next: ')
  })

  // That every verb has its help is tested without starting a process each (test/cli/options.test.ts).
  test('--help goes to stdout and ends with 0', async () => {
    const cwd = temporaryFolder()
    const top = await start(['--help'], { cwd }).ended
    const verbs = [...top.stdout.matchAll(/^ {2}(\w+) (\[|<| )/gm)].map(([, verb]) => verb ?? '')
    expect(verbs.length).toBeGreaterThan(20)
    for (const verb of ['nightly', 'schedule print', 'config show']) {
      const ran = await cli([...verb.split(' '), '--help'], { cwd })
      expect(ran.code, verb).toBe(0)
      expect(ran.stdout, verb).toContain('Usage: candlehouse')
    }
    expect(readdirSync(cwd)).toEqual([])
  })

  test('failures with --json are one document on stdout', async () => {
    const ran = await start(['sql', '--json', 'select 1'], { cwd: temporaryFolder() }).ended
    expect(ran.code).toBe(6)
    expect(ran.json()).toEqual({
      error: {
        exitCode: 6,
        message: expect.stringContaining('nothing is published yet'),
        hint: 'run candlehouse nightly',
      },
    })
  })

  test('config show masks secrets and says where settings come from', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, '.env'), 'BROKER_API_SECRET=canary-secret-77\n', { mode: 0o600 })
    const env = { BROKER_API_KEY: 'canary-key-66' }
    for (const flags of [[], ['--json']]) {
      const ran = await cli(['config', 'show', ...flags], { cwd, env })
      expect(ran.stdout + ran.stderr).not.toMatch(/canary-(key|secret)/)
      expect(ran.stdout).toMatch(/BROKER_API_SECRET[\s\S]*\.env/)
      expect(ran.stdout).toMatch(/BROKER_API_KEY[\s\S]*environment/)
    }
  })
})

describe('places', () => {
  test('a home that cannot be made ends with 6 before any request', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'file'), '')
    const before = standIn.requests.length
    for (const home of ['missing/home', 'file/home']) {
      const ran = await cli([...NIGHT, '--home', home], { cwd, env: towards(standIn) })
      expect(ran.code).toBe(6)
      expect(ran.stderr).toContain('CANDLEHOUSE_HOME')
    }
    expect(standIn.requests.length).toBe(before)
    expect(readdirSync(cwd)).toEqual(['file'])
  })

  test('missing credentials end with 3 and name the settings', async () => {
    const ran = await cli(NIGHT, { cwd: temporaryFolder(), env: { BROKER_BASE_URL: standIn.url } })
    expect(ran.code).toBe(3)
    expect(ran.stderr).toContain('BROKER_API_KEY and BROKER_API_SECRET')
  })

  test('a failed run shows in status', async () => {
    const cwd = temporaryFolder()
    const env = towards(standIn, { BROKER_API_SECRET: 'not the secret' })
    expect((await cli(NIGHT, { cwd, env })).code).toBe(3)
    const status = await cli(['status', '--json'], { cwd, env })
    expect(status.json()).toMatchObject({ publication: null, lastRun: { job: 'nightly', exitCode: 3 } })
  })
})

describe('one published night', () => {
  let cwd: string
  let undisturbed: Record<string, string>
  /** A night that signals stop, and that then runs to its end. */
  let stopped: string
  beforeAll(async () => {
    cwd = await copyOfBoth()
    stopped = temporaryFolder()
    // The address at the terminal wins over that of the folder, also for keys of the environment.
    writeFileSync(join(stopped, 'candlehouse.toml'), 'broker_base_url = "https://elsewhere.example"\n')
    undisturbed = await restorableHashes(await nightOfBoth())
  })

  /** A night in the folder of the stopped one, as a process. */
  const startNight = (env: Record<string, string>, ...more: string[]) => {
    const { BROKER_BASE_URL = '', ...keys } = towards(standIn, env)
    return start([...NIGHT, '--base-url', BROKER_BASE_URL, ...more], { cwd: stopped, env: keys })
  }

  test('sql: stdin, table, JSON, CSV and Arrow', async () => {
    const query = 'select symbol, open, volume from market.candle order by all limit 2'
    const fromStdin = await cli(['sql', '--json'], { cwd, input: query })
    expect(fromStdin.json<unknown[]>()).toHaveLength(2)
    const table = await cli(['sql', query], { cwd })
    expect(table.stdout.split('\n')[0]).toMatch(/^symbol +open +volume$/)
    const csv = await cli(['sql', '--csv', query], { cwd })
    expect(csv.stdout.split('\r\n')[0]).toBe('symbol,open,volume')
    expect((await cli(['sql', '--arrow', 'x.arrow', query], { cwd })).code).toBe(0)
    expect(tableFromIPC(readFileSync(join(cwd, 'x.arrow'))).numRows).toBe(2)
  })

  test('sql: bad statements, several, and writing ones end with 2', async () => {
    for (const bad of ['selec 1', 'select 1; select 2', "copy (select 1) to 'x.csv'", 'from nowhere', '']) {
      const ran = await cli(['sql', bad], { cwd })
      expect([bad, ran.code, ran.stdout]).toEqual([bad, 2, ''])
    }
    expect(existsSync(join(cwd, 'x.csv'))).toBe(false)
  })

  // That plan sends nothing and is what the run then requests: test/e2e/nightly.test.ts.
  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('%s stops after the page in hand', async (signal, code) => {
    // The time zone of the exchange, which is not that of other tests.
    const notify = { CANDLEHOUSE_NOTIFY_COMMAND: 'cat > stopped.json' }
    const running = startNight({ TZ: 'Asia/Ho_Chi_Minh', ...notify })
    const first = standIn.requests.length
    standIn.onRequest = (ordinal) => {
      if (ordinal === first + 10) running.child.kill(signal)
    }
    const ran = await running.ended
    standIn.onRequest = undefined
    expect([ran.code, ran.signal]).toEqual([code, null])
    expect(ran.stderr).toContain('run the same command again')
    const result = JSON.parse(readFileSync(join(stopped, 'stopped.json'), 'utf8'))
    expect(result).toMatchObject({ job: 'nightly', outcome: 'stopped', exitCode: code })
  })

  test('a second run while one holds the warehouse ends with 75 and names its pid; the rerun of what both signals stopped converges, without a word where --quiet says so; in another time zone of the host: the same tables', async () => {
    const first = startNight({ TZ: 'America/New_York' }, '--quiet')
    const arrived = gate()
    const released = gate()
    standIn.onRequest = async () => {
      arrived.open()
      await released.passed
    }
    await arrived.passed
    const notify = { PATH: process.env.PATH, CANDLEHOUSE_NOTIFY_COMMAND: 'touch notified' }
    const second = await cli(NIGHT, { cwd: stopped, env: towards(standIn, notify) })
    expect(second.code).toBe(75)
    // Nothing began, so nothing has ended.
    expect(existsSync(join(stopped, 'notified'))).toBe(false)
    expect(second.stderr).toContain(`pid ${first.child.pid}`)
    expect((await cli(['plan'], { cwd: stopped })).code).toBe(75)
    standIn.onRequest = undefined
    released.open()
    const { code, stdout, stderr } = await first.ended
    expect([code, stdout, stderr]).toEqual([0, '', ''])
    expect(await restorableHashes(stopped)).toEqual(undisturbed)
  })

  test('a second signal stops at once, whatever hangs', async () => {
    const running = start(NIGHT, { cwd: temporaryFolder(), env: towards(standIn) })
    const hang = gate()
    standIn.onRequest = async () => {
      running.child.kill('SIGINT')
      await hang.passed
    }
    await once(running.child.stderr ?? process.stderr, 'data')
    running.child.kill('SIGINT')
    expect((await running.ended).code).toBe(130)
    standIn.onRequest = undefined
    hang.open()
  })

  test('fetched candles win over derived ones; what is beyond one year is said and not asked', async () => {
    const env = towards(standIn)
    // A year later, on which the first session is the last one of the service.
    standIn.setOptions({ today: '2026-03-13' })
    const before = standIn.requests.length
    const args = ['--from', '2025-03-11', '--to', '2025-03-14', '--date', '2026-03-13']
    const ran = await cli(['backfill', 'ohlc', ...args, '--timeframe', '5m', '--symbols', 'FPT', '--json'], {
      cwd,
      env,
    })
    expect(ran.json<{ notes: string[] }>().notes.join(' ')).toContain('older than the one year')
    const asked = standIn.requests.slice(before).filter((request) => request.path.endsWith('/ohlc'))
    expect(asked.every(({ query }) => (query.from ?? '') >= '2025/03/13')).toBe(true)
    expect(asked.length).toBeGreaterThan(0)
    const bars = `select distinct symbol, is_derived from market.candle where timeframe = '5m' and symbol in ('FPT', 'HPG')`
    expect((await cli(['sql', '--json', `${bars} order by symbol`], { cwd })).json()).toEqual([
      { symbol: 'FPT', is_derived: false },
      { symbol: 'HPG', is_derived: true },
    ])
  })

  // Pages that are gone or changed: test/e2e/lost-pages.test.ts.
  test('replay refuses without journals', async () => {
    expect((await cli(['replay'], { cwd: temporaryFolder() })).code).toBe(6)
  })

  // A nightly against it: test/e2e/trade.test.ts.
  test('the sandbox says where it listens', async () => {
    const sandbox = start(['sandbox', '--port', '0', '--date', '2025-03-14'], { cwd: temporaryFolder() })
    const [line] = (await once(sandbox.child.stdout ?? process.stdin, 'data')) as [string]
    const { openapi } = JSON.parse(line) as { openapi: string }
    expect((await fetch(openapi)).status).toBe(200)
    sandbox.child.kill('SIGINT')
    expect((await sandbox.ended).code).toBe(0)
  })

  test('schedule run says what comes next, whatever became of a run, and ends with the signal', async () => {
    const kept = temporaryFolder()
    // The nightly that it begins with is refused at once.
    const env = towards(standIn, { BROKER_API_SECRET: 'not the secret' })
    const running = start(['schedule', 'run'], { cwd: kept, env })
    running.child.stderr?.on('data', (text: string) => {
      if (text.includes('next backfill')) running.child.kill('SIGINT')
    })
    const ran = await running.ended
    expect(ran.stderr).toContain('next nightly: ')
    expect(ran.code).toBe(130)
  })

  test('a reader that closes the pipe early ends a statement with 141, as other tools end, without words', async () => {
    const { child, ended } = start(['sql', '--csv', 'select * from range(10000000)'], { cwd })
    child.stdout?.once('data', () => child.stdout?.destroy())
    const ran = await ended
    expect([ran.code, ran.stderr]).toEqual([141, ''])
  })
})
