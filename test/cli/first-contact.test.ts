import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { renderDiagnoses } from '../../src/cli/render/diagnosis.js'
import { ok } from '../../src/doctor/diagnosis.js'
import type { Diagnosis, Machine } from '../../src/doctor/index.js'
import { fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'
import { type At, cli, type Ran } from '../support/program.js'
import { NOW } from './support/program.js'

const machine: Machine = {
  node: 'v22.4.0',
  cores: 2,
  memory: 8e9,
  freeBytes: () => 100e9,
  serverDate: async () => new Date(NOW).toUTCString(),
  tryKey: async () => 'key',
}

async function run(args: readonly string[], at: Partial<At> & { cwd: string }): Promise<Ran> {
  return await cli(args, { effects: fakeEffects(NOW), machine, ...at })
}

async function diagnoses(args: readonly string[], at: Partial<At> & { cwd: string }): Promise<Diagnosis[]> {
  const ran = await run([...args, '--json'], at)
  const list = ran.json<{ diagnoses: Diagnosis[] }>().diagnoses
  expect(ran.code).toBe(list.find(({ state }) => state === 'fail')?.exitCode ?? 0)
  return list
}

const of = (list: readonly Diagnosis[], check: string) => list.find((each) => each.check === check)

const SERVICE = { BROKER_BASE_URL: 'https://api.example', BROKER_API_KEY: 'key-1234', BROKER_API_SECRET: 's' }

describe('init', () => {
  test('without a terminal says what to type, and writes nothing', async () => {
    const cwd = temporaryFolder()
    const ran = await run(['init'], { cwd })
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain('next: candlehouse init --sandbox, or candlehouse init --base-url ADDRESS')
    expect(() => statSync(join(cwd, 'candlehouse.toml'))).toThrow()
  })

  test('asks, writes candlehouse.toml and a private .env that are read back, and ends with the doctor', async () => {
    const cwd = temporaryFolder()
    const typed = ['ftp://x', 'https://api.example', `k'e"y 1`, 'canary-secret', '', '']
    const ran = await run(['init'], { cwd, typed })
    expect(ran.stderr).toContain("'ftp://x': must be an http or https address")
    expect(ran.stderr + ran.stdout).not.toContain('canary-secret')
    expect(statSync(join(cwd, '.env')).mode & 0o777).toBe(0o600)
    expect(ran.stdout).toMatch(/ok {4}credentials {2}API key and secret are set for https:\/\/api\.example/)
    const { stdout } = await run(['config', 'show', '--json'], { cwd })
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ variable: 'BROKER_BASE_URL', origin: 'candlehouse.toml' }),
        expect.objectContaining({ variable: 'BROKER_API_KEY', origin: '.env' }),
      ]),
    )
    expect(readFileSync(join(cwd, '.env'), 'utf8')).toContain(`BROKER_API_KEY=\`k'e"y 1\``)
  })

  test('asks whether there are more keys, and names the variables of .env that hold each', async () => {
    const cwd = temporaryFolder()
    const first = ['https://api.example', 'key-1', 'canary-1', 'y']
    const second = ['Desk', 'default', 'desk-a', 'key-1', 'key-2', 'canary-2', 'yes']
    // The third has the variables of the second, then a name of its own and no secrets yet.
    const third = ['desk_a', '3rd', '', '', '']
    const ran = await run(['init'], { cwd, typed: [...first, ...second, ...third, ''] })
    const refused = [
      "'Desk': must be",
      "'default': is the name",
      'the API key of default',
      "'desk_a': has the",
    ]
    for (const said of refused) expect(ran.stderr).toContain(said)
    expect(ran.stderr + ran.stdout).not.toMatch(/canary|key-\d/)
    expect(statSync(join(cwd, '.env')).mode & 0o777).toBe(0o600)
    const toml = readFileSync(join(cwd, 'candlehouse.toml'), 'utf8')
    expect(toml).not.toMatch(/canary|key-\d/)
    const { stdout } = await run(['config', 'show', '--json'], { cwd })
    const accounts = (JSON.parse(stdout) as { variable: string; value: string; origin: string }[])
      .filter(({ variable }) => variable.startsWith('accounts.'))
      .map(({ variable, value, origin }) => `${variable} ${value} ${origin}`)
    expect(accounts).toEqual([
      expect.stringMatching(/^accounts\.default\.api_key \*+ \(BROKER_API_KEY\) \.env$/),
      expect.stringMatching(/^accounts\.default\.api_secret \*+ \(BROKER_API_SECRET\) \.env$/),
      expect.stringMatching(/^accounts\.desk-a\.api_key \*+ \(BROKER_API_KEY_DESK_A\) \.env$/),
      expect.stringMatching(/^accounts\.desk-a\.api_secret \*+ \(BROKER_API_SECRET_DESK_A\) \.env$/),
      'accounts.3rd.api_key not set (BROKER_API_KEY_3RD) default',
      'accounts.3rd.api_secret not set (BROKER_API_SECRET_3RD) default',
    ])
  })

  test('keeps an existing file unless the answer is yes', async () => {
    const cwd = temporaryFolder()
    const file = join(cwd, 'candlehouse.toml')
    writeFileSync(file, '# mine\n')
    expect((await run(['init'], { cwd, typed: ['', '', 'n'] })).stderr).toContain('was not changed')
    expect(readFileSync(file, 'utf8')).toBe('# mine\n')
    expect((await run(['init', '--sandbox'], { cwd })).code).toBe(2)
    expect((await run(['init'], { cwd, typed: ['', '', 'y'] })).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('candlehouse_home = "data"')
  })

  test('that is left at a question writes nothing', async () => {
    const cwd = temporaryFolder()
    const ran = await run(['init'], { cwd, typed: [''] })
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('nothing was written')])
    expect(() => statSync(join(cwd, 'candlehouse.toml'))).toThrow()
  })

  test('with options asks nothing, and takes credentials from the environment', async () => {
    const cwd = temporaryFolder()
    const { code } = await run(['init', '--base-url', 'https://api.example'], { cwd, env: SERVICE })
    expect(code).toBe(0)
    expect(readFileSync(join(cwd, '.env'), 'utf8')).toContain('BROKER_API_KEY=key-1234')
  })
})

describe('doctor', () => {
  test('on a fresh folder has nothing to repair, and names the first command', async () => {
    const list = await diagnoses(['doctor', '--deep'], { cwd: temporaryFolder() })
    expect(list.filter(({ state }) => state === 'fail')).toEqual([])
    expect(of(list, 'catalog')).toMatchObject({ state: 'note', next: 'candlehouse nightly' })
  })

  test.each<[string, Partial<Machine>, Diagnosis['state'], number]>([
    ['Node', { node: 'v20.18.1' }, 'fail', 3],
    ['Node', { node: 'v20.19.0' }, 'ok', 0],
    ['disk', { freeBytes: () => 1e8 }, 'fail', 6],
    ['disk', { freeBytes: () => 2e9 }, 'note', 0],
    ['machine', { memory: 5e8 }, 'note', 0],
    ['clock', { serverDate: async () => new Date(NOW + 60_000).toUTCString() }, 'note', 0],
    ['clock', { serverDate: async () => new Date(NOW - 3_600_000).toUTCString() }, 'fail', 3],
    ['clock', { serverDate: async () => undefined }, 'note', 0],
    ['service', { serverDate: async () => Promise.reject(new Error('refused')) }, 'fail', 5],
  ])('%s with %j is %s, exit %i', async (check, part, state, exitCode) => {
    const at = { cwd: temporaryFolder(), env: SERVICE, machine: { ...machine, ...part } }
    const found = of(await diagnoses(['doctor'], at), check)
    expect(found).toMatchObject({ state, exitCode })
    if (state !== 'ok') expect(found?.meaning ?? found?.finding).not.toBe('')
  })

  test('names missing credentials and wrong settings, with 3', async () => {
    const cwd = temporaryFolder()
    const missing = await diagnoses(['doctor'], { cwd, env: { BROKER_BASE_URL: 'https://api.example' } })
    expect(of(missing, 'credentials')).toMatchObject({ state: 'fail', exitCode: 3 })
    expect(of(missing, 'session')).toMatchObject({ next: 'candlehouse login' })
    const wrong = await diagnoses(['doctor'], { cwd, env: { BROKER_MAX_RPS: 'many' } })
    expect(of(wrong, 'settings')).toMatchObject({ state: 'fail', exitCode: 3 })
  })

  test("says whether the user's own rules can be used: runs refuse to start where they cannot", async () => {
    const cwd = temporaryFolder()
    expect(of(await diagnoses(['doctor', '--home', cwd], { cwd }), 'rules')).toBeUndefined()
    const written = async (value: string) => {
      writeFileSync(
        join(cwd, 'market_rules.csv'),
        `rule,scope,valid_from,value\nlot_size,HOSE,2027-01-04,${value}\n`,
      )
      return of(await diagnoses(['doctor', '--home', cwd], { cwd }), 'rules')
    }
    expect(await written('10')).toMatchObject({ state: 'ok' })
    expect(await written('ten')).toMatchObject({
      state: 'fail',
      exitCode: 3,
      finding: expect.stringContaining("market_rules.csv:2: lot_size is 'ten'"),
      next: expect.stringContaining('write a whole number'),
    })
  })

  test('shows a file that is not a warehouse, and what rebuilds it', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'warehouse.duckdb'), 'not a database, but long enough to be read as one', {
      mode: 0o600,
    })
    const list = await diagnoses(['doctor', '--home', cwd], { cwd })
    expect(of(list, 'warehouse')).toMatchObject({
      state: 'fail',
      exitCode: 6,
      meaning: expect.stringContaining('replay'),
    })
  })

  test('for people shows what each finding means and what to type', async () => {
    const { stdout } = await run(['doctor'], { cwd: temporaryFolder() })
    expect(stdout).toMatch(
      /note {2}catalog {6}nothing is published yet\n +There is nothing to read\.\n +next: candlehouse nightly\n/,
    )
    expect(stdout).toMatch(/\nno check fails; "next:" says what to type\n$/)
    expect(renderDiagnoses([ok('home', 'is there')])).toMatch(/\nnothing must be repaired$/)
  })
})
