import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Effects, systemEffects } from '../../src/effects.js'
import type { Conclusion } from '../../src/night/conclusion.js'
import { isCommand } from '../../src/night/reasons.js'
import { buildMarket, type RequestLog, type StandIn, startStandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli, type Environment, type Ran } from '../support/program.js'
import { leaks, secretsSeen } from './support/canaries.js'
import { start } from './support/cli.js'
import { hashes, restorableHashes } from './support/hashes.js'

const SESSIONS = ['2025-03-12', '2025-03-13', '2025-03-14']
const LAST = '2025-03-14'
/** The session after the one of the first nights. */
const NEXT = '2025-03-17'
const [CASH, MARGIN, DERIVATIVE] = ['0691234561', '0691234566', '0691234568']

/** One key has its secrets in a file: the others in variables. */
const TOML = `
[[accounts]]
name = "old"
api_key_env = "OLD_KEY"
api_secret_env = "OLD_SECRET"
otp_env = "OLD_OTP"

[[accounts]]
name = "main"
api_key_env = "MAIN_KEY"
api_secret_file = "main.secret"
otp_env = "MAIN_OTP"

[[accounts]]
name = "third"
api_key_env = "THIRD_KEY"
api_secret_env = "THIRD_SECRET"
otp_env = "THIRD_OTP"
`
const OTPS = { OLD_OTP: 'otp-of-old-5519', MAIN_OTP: 'otp-of-main-9027', THIRD_OTP: 'otp-of-third-7731' }

const SYMBOLS = 'HPG,FPT,PVS,41I1F4000'

function night(date: string, ...more: string[]): string[] {
  return ['nightly', '--date', date, '--sessions', '1', '--symbols', SYMBOLS, '--json', ...more]
}

/** Market data: everything that is no account, order or login. */
const isMarket = ({ path }: RequestLog): boolean => !/\/(auth|account|trading)\//.test(path)

const requestsOf = (key: string, requests: readonly RequestLog[]): RequestLog[] =>
  requests.filter((request) => request.key?.startsWith(`${key}-key`))

interface Summary {
  conclusion: Pick<Conclusion, 'reasons' | 'next'>
  keys: { name: string; market: boolean; accounts: string; why: string | null }[]
}

/** One home with three keys; each test goes on where the one before it ended. The later ones are nights of their own: `make soak`. */
describe('a home with three keys', () => {
  let service: StandIn
  let cwd = ''
  let env: Environment
  /** The first night, which nothing disturbed, its requests, and hashes after it. */
  let first: Ran
  let firstRequests: readonly RequestLog[]
  let undisturbed: Record<string, string>
  beforeAll(async () => {
    service = await startStandIn({
      market: buildMarket({ sessions: [...SESSIONS, NEXT] }),
      apiKey: 'main-key-0001',
      apiSecret: 'main-secret-0001',
      otp: 'otp-of-main-9027',
      ownAccounts: [CASH, MARGIN],
      keys: [
        { apiKey: 'old-key-0002', apiSecret: 'old-secret-0002', otp: 'otp-of-old-5519', accounts: [CASH] },
        {
          apiKey: 'third-key-0003',
          apiSecret: 'third-secret-0003',
          otp: 'otp-of-third-7731',
          accounts: [MARGIN, DERIVATIVE],
        },
      ],
    })
    cwd = workingFolder()
    env = {
      BROKER_BASE_URL: service.url,
      BROKER_MAX_RPS: '1000',
      OLD_KEY: 'old-key-0002',
      OLD_SECRET: 'a-wrong-secret',
      MAIN_KEY: 'main-key-0001',
      THIRD_KEY: 'third-key-0003',
      THIRD_SECRET: 'third-secret-0003',
    }
    first = await run(night(LAST), OTPS)
    firstRequests = [...service.requests]
    undisturbed = await restorableHashes(cwd)
  })
  afterAll(async () => await service.close())

  const workingFolder = (): string => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'candlehouse.toml'), TOML)
    writeFileSync(join(folder, 'main.secret'), 'main-secret-0001\n', { mode: 0o600 })
    return folder
  }
  const run = (args: string[], more: Environment = {}): Promise<Ran> =>
    cli(args, { cwd, env: { ...env, ...more } })
  const rows = async (query: string): Promise<Record<string, unknown>[]> =>
    (await run(['sql', '--json', query])).json()
  const states = (day: string): Promise<Record<string, unknown>[]> =>
    rows(`select account_no, key_name, state from account.snapshot where as_of = date '${day}' order by all`)
  /** Requests of one key since a request. */
  const requestsSince = (key: string, since: number): RequestLog[] =>
    requestsOf(key, service.requests.slice(since))

  test('of which one is refused: exit 4, two complete, market data once, an account that two may read once', async () => {
    expect([first.code, first.stderr]).toEqual([4, expect.any(String)])
    expect(first.json<Summary>().keys).toEqual([
      {
        name: 'old',
        market: false,
        accounts: 'refused',
        why: expect.stringContaining('OLD_KEY and OLD_SECRET'),
      },
      { name: 'main', market: true, accounts: 'complete', why: null },
      { name: 'third', market: false, accounts: 'complete', why: null },
    ])
    const market = firstRequests.filter(isMarket)
    expect(market.length).toBeGreaterThan(5)
    expect(market.every(({ key }) => key === 'main-key-0001')).toBe(true)
    const asked = market.map(({ path, query }) => JSON.stringify([path, query]))
    expect(new Set(asked).size).toBe(asked.length)
    const balances = (key: string): unknown[] =>
      requestsOf(key, firstRequests)
        .filter(({ path }) => path.endsWith('/accountBalance'))
        .map(({ query }) => query.accountNo)
        .sort()
    expect([balances('old'), balances('main'), balances('third')]).toEqual([[], [CASH, MARGIN], [DERIVATIVE]])
  })

  test('what to check about the refused key is words of the reason; what to type is a command', () => {
    const { reasons, next } = first.json<Summary>().conclusion
    const [refused] = reasons.filter(({ kind }) => kind === 'key')
    expect(refused?.text).toContain('check OLD_KEY and OLD_SECRET')
    const commands = next.map(({ command }) => command)
    expect(commands).toEqual(['candlehouse doctor', 'candlehouse snapshot --key old'])
    expect(commands.every((command) => isCommand(command ?? ''))).toBe(true)
  })

  test('the refused key tries to log in and does nothing else; the third requests no market data', () => {
    const old = requestsOf('old', firstRequests)
    expect([...new Set(old.map(({ path }) => path.split('/').at(3)))]).toEqual(['auth'])
    expect(old).toHaveLength(2)
    expect(requestsOf('third', firstRequests).filter(isMarket)).toEqual([])
  })

  test('the accounts of all keys are read before the candles: the first key goes on after the others', () => {
    const order = firstRequests.map(({ key }) => key ?? '')
    expect(order.filter((key, at) => key !== order[at - 1])).toEqual([
      'old-key-0002',
      'main-key-0001',
      'third-key-0003',
      'main-key-0001',
    ])
    const afterThird = firstRequests.slice(order.lastIndexOf('third-key-0003') + 1)
    expect(new Set(afterThird.map(({ path }) => path.split('/').at(-1)))).toEqual(new Set(['ohlc']))
  })

  test('snapshots, orders and every page name the key that read them', async () => {
    expect(await states(LAST)).toEqual([
      { account_no: CASH, key_name: 'main', state: 'complete' },
      { account_no: MARGIN, key_name: 'main', state: 'complete' },
      { account_no: DERIVATIVE, key_name: 'third', state: 'complete' },
    ])
    expect(
      await rows(`select key_name, count(*)::int as n from account.order_book group by 1 order by 1`),
    ).toEqual([
      { key_name: 'main', n: expect.any(Number) },
      { key_name: 'third', n: expect.any(Number) },
    ])
    const pages = (key: string): number =>
      requestsOf(key, firstRequests).filter(({ path }) => !path.includes('/auth/')).length
    expect(
      await rows('select key_name, count(*)::int as pages from ops.request group by 1 order by 1'),
    ).toEqual([
      { key_name: 'main', pages: pages('main') },
      { key_name: 'third', pages: pages('third') },
    ])
  })

  test('commands name the keys and show no secret', async () => {
    const shown = [
      first,
      await run(['config', 'show'], OTPS),
      await run(['doctor'], OTPS),
      await run(['status']),
      await run(['plan', '--date', NEXT]),
    ]
    const secrets = new Map([
      ...secretsSeen(service),
      ...['old-key-0002', 'third-key-0003', 'third-secret-0003', 'a-wrong-secret'].map(
        (secret) => [secret, secret] as const,
      ),
      ...Object.entries(OTPS).map(([name, otp]) => [otp, name] as const),
    ])
    expect(leaks(secrets, cwd, ...shown).filter((leak) => !leak.endsWith('main.secret'))).toEqual([])
    const [, config, doctor, status, plan] = shown.map(({ stdout }) => stdout)
    expect(config).toMatch(/accounts\.main\.api_secret +\*+ \(.*main\.secret\)/)
    expect(doctor).toContain('session of third')
    expect(status).toMatch(/old +no session is stored/)
    expect(plan).toContain('old, main, third')
  })

  test('each key has its own session, and another one is never used with it', async () => {
    const files = readdirSync(join(cwd, 'data')).filter((name) => name.startsWith('session'))
    expect(files.sort()).toEqual(['session-main.json', 'session-third.json'])
    const tokenOf = (name: string): string =>
      (JSON.parse(readFileSync(join(cwd, 'data', name), 'utf8')) as { accessToken: string }).accessToken
    const sent = (key: string): boolean =>
      service.requests.some(
        (request) =>
          request.headers.authorization === `Bearer ${tokenOf('session-main.json')}` && request.key === key,
      )
    expect([sent('main-key-0001'), sent('third-key-0003')]).toEqual([true, false])

    const unnamed = await run(['login', '--otp', 'otp-of-main-9027'])
    expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('old, main, third')])
    const unknown = await run(['logout', '--key', 'fourth'])
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("no key is named 'fourth'")])
    const kept = await run(['keepalive', '--json'])
    expect(kept.code).toBe(0)
    expect(kept.json()).toMatchObject({
      keys: [
        { name: 'old', session: null },
        { name: 'main', session: { baseUrl: service.url } },
        { name: 'third', failure: null },
      ],
    })
  })

  test.runIf(LONG)(
    'killed between two keys: what the first one read stays, and the next run reads the others',
    async () => {
      const before = service.requests.length
      const running = start(night(NEXT), { cwd, env })
      service.onRequest = (_, { key }) => {
        if (key === 'third-key-0003') running.child.kill('SIGKILL')
      }
      expect((await running.ended).signal).toBe('SIGKILL')
      service.onRequest = undefined
      expect(requestsSince('main', before).length).toBeGreaterThan(5)
      // The kill came before the answer to a refresh, which ended the session of the third key.
      const again = await run(night(NEXT), { ...OTPS, OLD_SECRET: 'old-secret-0002' })
      expect([again.code, again.json<Summary>().keys.map(({ accounts }) => accounts)]).toEqual([
        0,
        ['complete', 'complete', 'complete'],
      ])
      // The first key of the file that reads an account has it: now the one that was refused before.
      const stored = await states(NEXT)
      expect(stored).toEqual([
        { account_no: CASH, key_name: 'main', state: 'complete' },
        { account_no: CASH, key_name: 'old', state: 'complete' },
        { account_no: MARGIN, key_name: 'main', state: 'complete' },
        { account_no: MARGIN, key_name: 'main', state: 'complete' },
        { account_no: DERIVATIVE, key_name: 'third', state: 'complete' },
      ])
      expect(await rows('select account_no, key_name from account.account order by 1')).toEqual([
        { account_no: CASH, key_name: 'old' },
        { account_no: MARGIN, key_name: 'main' },
        { account_no: DERIVATIVE, key_name: 'third' },
      ])
      expect(
        await rows(
          `select account_no, key_name from mart.account_day where trading_date = date '${NEXT}' order by 1`,
        ),
      ).toEqual([
        { account_no: CASH, key_name: 'old' },
        { account_no: MARGIN, key_name: 'main' },
        { account_no: DERIVATIVE, key_name: 'third' },
      ])
    },
  )

  test.runIf(LONG)(
    'a replay restores every key’s rows, also after a key was removed from candlehouse.toml',
    async () => {
      const stored = await hashes(cwd)
      writeFileSync(join(cwd, 'candlehouse.toml'), TOML.slice(0, TOML.lastIndexOf('[[accounts]]')))
      expect((await run(['replay'])).code).toBe(0)
      expect((await run(['publish'])).code).toBe(0)
      expect(await hashes(cwd)).toEqual(stored)
      const doctor = await run(['doctor', '--json'], OTPS)
      expect(doctor.stdout).toContain('candlehouse logout --key third')
      expect((await run(['logout', '--key', 'third'])).stdout).toContain('deleted')
    },
  )

  test.runIf(LONG)(
    'a snapshot of one key reads its accounts alone; where every key is refused the run ends with 3',
    async () => {
      const before = service.requests.length
      const alone = await run(['snapshot', '--date', NEXT, '--key', 'old'], {
        ...OTPS,
        OLD_SECRET: 'old-secret-0002',
      })
      expect(alone.code).toBe(0)
      expect(new Set(service.requests.slice(before).map(({ key }) => key))).toEqual(new Set(['old-key-0002']))
      await run(['logout', '--key', 'old'])
      await run(['logout', '--key', 'main'])
      const none = await run(night(NEXT), { OLD_SECRET: 'wrong', MAIN_KEY: '' })
      expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('OLD_KEY and OLD_SECRET')])
      expect(none.stderr).not.toContain('BROKER_API_KEY')
    },
  )

  test.runIf(LONG)('ended by its deadline within a key: the same command again, equal hashes', async () => {
    const at = { cwd: workingFolder(), env: { ...env, ...OTPS } }
    const late = await cli(night(LAST, '--max-hours', '4'), { ...at, effects: hourPerRequest('third') })
    expect([late.code, late.json<Summary>().keys.map(({ name }) => name)]).toEqual([4, ['old', 'main']])
    expect(late.stdout).toContain('not finished because of the deadline')
    await expectAsUndisturbed(at)
  })

  test.runIf(LONG)('killed at every request for accounts: the same command again, equal hashes', async () => {
    const at = { cwd: workingFolder(), env: { ...env, ...OTPS } }
    const isAccount = (request: RequestLog): boolean => !isMarket(request) && request.key !== 'old-key-0002'
    for (let nth = 1; await killNightAt(at, isAccount, nth); nth += 1) expect(nth).toBeLessThan(60)
    await expectAsUndisturbed(at)
  })

  type Place = { cwd: string; env: Environment }

  /** Kills the night at the nth request of a kind; false where the night ended before it came. */
  async function killNightAt(
    at: Place,
    isOfKind: (request: RequestLog) => boolean,
    nth: number,
  ): Promise<boolean> {
    const before = service.requests.length
    const running = start(night(LAST), at)
    service.onRequest = () => {
      if (service.requests.slice(before).filter(isOfKind).length === nth) running.child.kill('SIGKILL')
    }
    const { signal, code } = await running.ended
    service.onRequest = undefined
    expect([signal, code]).toEqual(signal ? ['SIGKILL', null] : [null, 4])
    return signal === 'SIGKILL'
  }

  async function expectAsUndisturbed(at: Place): Promise<void> {
    const again = await cli(night(LAST), at)
    const accounts = again.json<Summary>().keys.map((key) => key.accounts)
    expect([again.code, accounts]).toEqual([4, ['refused', 'complete', 'complete']])
    expect(await restorableHashes(at.cwd)).toEqual(undisturbed)
  }

  /** A monotonic clock that sleeping moves, and every request of one key by an hour. */
  function hourPerRequest(key: string): Effects {
    const before = service.requests.length
    let slept = 0
    const sleep = async (ms: number): Promise<void> => {
      slept += ms
    }
    const monotonic = (): number => slept + requestsSince(key, before).length * 3_600_000
    return { ...systemEffects, random: () => 0.01, monotonic, sleep }
  }
})
