import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemEffects } from '../../src/effects.js'
import type { Conclusion } from '../../src/night/conclusion.js'
import { readConclusion } from '../../src/night/conclusion-file.js'
import { buildMarket, defaultSymbols, type StandIn, startStandIn } from '../standin/index.js'
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli, type Environment, type Ran } from '../support/program.js'
import { expectAccounts } from './support/account-truth.js'
import { leaks, secretsSeen } from './support/canaries.js'
import { towards } from './support/cli.js'
import { hashes } from './support/hashes.js'
import { HELD, nightOfBoth, rowsOf } from './support/nights.js'

const SESSIONS = ['2025-03-12', '2025-03-13', '2025-03-14']
/** The session after the last one of the market. */
const NEXT = '2025-03-17'
const [FIRST = '', SECOND = '', LAST = ''] = SESSIONS
const OTP = '246810'

/** In short the market has what the accounts hold. */
const symbols = defaultSymbols().filter(({ symbol }) => LONG || HELD.includes(symbol))

const service = (): Promise<StandIn> =>
  startStandIn({ market: buildMarket({ sessions: SESSIONS, symbols }), otherSide: 'absent' })

let standIn: StandIn
beforeEach(async () => {
  standIn = await service()
})
afterEach(async () => await standIn.close())

const night = (date = LAST): string[] => ['nightly', '--date', date, '--sessions', '1', '--symbols', 'HPG']
const snapshot = (date = LAST): string[] => ['snapshot', '--date', date]

async function states(cwd: string): Promise<Record<string, unknown>[]> {
  const query = 'select account_no, as_of, state, missing from account.snapshot order by all'
  return await rowsOf(cwd, query)
}

async function hasCandles(cwd: string, session = LAST): Promise<boolean> {
  const query = `select 1 from market.candle where trading_date = date '${session}' limit 1`
  return (await rowsOf(cwd, query)).length > 0
}

/** Runs towards the stand-in with its one-time password. */
const withOtp = (args: string[], cwd: string): Promise<Ran> =>
  cli(args, { cwd, env: towards(standIn, { BROKER_OTP: OTP }) })

const loginAt = (to: StandIn, cwd: string, ...more: string[]): Promise<Ran> =>
  cli(['login', ...more], { cwd, env: towards(to) })

/** What another deployment writes; a test of another subject may run in it. */
const COMMAS = {
  otherSide: 'null',
  numbers: 'commas',
  emptyAs: '204',
  dateFormat: 'DD/MM/YYYY',
} as const

/** Hashes of the calm home after its first night. */
let calm: Record<string, string> = {}

const cut = { kind: 'short', match: { path: '/orderBook' }, times: 100 } as const

/** One home whose market nothing disturbs: each test goes on where the one before it ended. */
describe('evening after evening', () => {
  const cwd = temporaryHome()
  let calmService: StandIn
  let env: Environment
  beforeAll(async () => {
    calmService = await service()
    calmService.setOptions(COMMAS)
    env = towards(calmService)
  })
  afterAll(async () => await calmService.close())

  const ordersOf = async (day: string): Promise<string[]> => {
    const query = `select order_id from account.order_book semi join (select snapshot_id from account.snapshot where as_of = date '${day}') using (snapshot_id) order by 1`
    return (await rowsOf<{ order_id: string }>(cwd(), query)).map(({ order_id }) => order_id)
  }

  const login = (...more: string[]): Promise<Ran> => loginAt(calmService, cwd(), '--otp', OTP, ...more)

  const keyless = (): Environment => ({ BROKER_BASE_URL: calmService.url, BROKER_MAX_RPS: '1000' })

  test('a session from login serves an unattended nightly, which refreshes it; it appears in no output and in no file but session.json', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const key = join(temporaryFolder(), 'signing.pem')
    writeFileSync(key, pem, { mode: 0o600 })
    const shown = { ...env, BROKER_OTP: OTP, BROKER_SIGNING_KEY_FILE: key }

    const logged = await login()
    const document = await login('--json')
    expect([document.code, document.stderr]).toEqual([0, ''])
    expect(document.json()).toMatchObject({ baseUrl: calmService.url, refreshExpiresAt: expect.any(String) })
    const file = join(cwd(), 'data', 'session.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const first = readFileSync(file, 'utf8')
    const unattended = await cli(night(), { cwd: cwd(), env, writesReport: true })
    expect([unattended.code, unattended.stdout, unattended.stderr]).toEqual([
      0,
      expect.not.stringContaining('skipped'),
      expect.any(String),
    ])
    calm = await hashes(cwd())
    expect(calmService.count('/auth/refresh')).toBe(1)
    expect(readFileSync(file, 'utf8')).not.toBe(first)
    const status = await cli(['status'], { cwd: cwd(), env })
    expect(status.stdout).toContain('session stored: it expires at')

    const printed = [
      logged,
      document,
      unattended,
      status,
      await cli(['config', 'show'], { cwd: cwd(), env: shown }),
      await cli(['status', '--json'], { cwd: cwd(), env }),
    ]
    const lines = pem.split('\n').filter((line) => /^[A-Za-z0-9+/]{64}$/.test(line))
    const secrets = new Map([
      ...secretsSeen(calmService),
      [OTP, 'one-time password'],
      ...lines.map((line) => [line, 'PEM'] as const),
    ])
    for (const [secret] of secrets) expect(secret.length).toBeGreaterThan(5)
    expect(leaks(secrets, cwd(), ...printed)).toEqual([])
  })

  test('every account is stored as the service returns it, to the last digit, also from a deployment with other numbers, dates and empty responses; the maximum quantities of its symbols were requested once', async () => {
    await expectAccounts(calmService, cwd(), LAST)
    expect(await states(cwd())).toEqual(
      ['0691234561', '0691234566', '0691234568'].map((account_no) => ({
        account_no,
        as_of: LAST,
        state: 'complete',
        missing: null,
      })),
    )

    // What held symbols can be bought and sold for is asked once, at the latest close.
    const query = 'select symbol, price, max_buy_qty from account.max_quantity order by 1'
    const rows = await rowsOf<{ symbol: string; price: string; max_buy_qty: string }>(cwd(), query)
    expect(rows.map((row) => row.symbol)).toEqual(['41I1F4000', 'FPT', 'HPG', 'PVS'])
    for (const { symbol, price, max_buy_qty } of rows) {
      const close = calmService.market.summaries.find(
        (row) => row.symbol === symbol && row.tradingDate === '2025/03/14',
      )?.close
      expect(Number(price), symbol).toBe(Number(close))
      expect(Number(max_buy_qty), symbol).toBe(Math.floor(100_000_000 / Number(close) / 100) * 100)
      expect(calmService.count('/maxBuySell', { symbol })).toBe(1)
    }
  })

  // That all is rebuilt from raw/: test/e2e/kill.test.ts.
  test('after logout, which deletes the session, a snapshot of the same evening with a one-time password changes nothing', async () => {
    expect((await cli(['logout'], { cwd: cwd(), env })).stdout).toContain('deleted')
    expect(readdirSync(join(cwd(), 'data'))).not.toContain('session.json')
    const again = await cli([...snapshot(), '--json'], { cwd: cwd(), env: { ...env, BROKER_OTP: OTP } })
    expect(again.code).toBe(0)
    const { datasets } = again.json<{ datasets: { dataset: string; changed: number }[] }>()
    expect(datasets.find(({ dataset }) => dataset === 'snapshot')?.changed).toBe(0)
    const held = await hashes(cwd())
    expect(Object.keys(held)).toEqual(Object.keys(calm))
    expect(differences(held, calm)).toEqual([])
  })

  // In short: the case an-order-book-cut-short-is-partial of test/cases/account, and test/e2e/conclusions.test.ts.
  test.runIf(LONG)(
    'an order book that is cut short makes the snapshot partial, ends with 4 and names the part',
    async () => {
      await login()
      calmService.setOptions({ faults: [cut] })
      const ran = await cli(snapshot(NEXT), { cwd: cwd(), env })
      calmService.setOptions({ faults: [] })
      expect(ran.code).toBe(4)
      expect(ran.stdout).toMatch(/orders: \d+ of the \d+ that the service counts/)
      const ofNext = (await states(cwd())).filter((row) => row.as_of === NEXT)
      // Of the others one order at most is new: there is none to leave out.
      expect(ofNext.map((row) => row.state)).toEqual(['partial', 'complete', 'complete'])
    },
  )

  test('the next snapshot, with a stored session and no key, is complete, with large pages; only newer orders are requested, and histories that can still change', async () => {
    await login()
    calmService.accounts.histories['fco-1']?.push(
      { state: 'TRI', time: '2025/03/14 09:30:00', code: 0, detail: '' },
      { state: 'TER', time: '2025/03/14 09:31:00', code: 0, detail: 'cancelled' },
    )
    Object.assign(calmService.accounts.conditional[0] ?? {}, { status: 'TER' })
    const first = calmService.requests.length
    // A stored session needs no key.
    expect((await cli(snapshot(NEXT), { cwd: cwd(), env: keyless() })).code).toBe(0)
    const asked = calmService.requests.slice(first)
    const histories = asked.filter(({ path }) => path.endsWith('/statusHistory'))
    expect(histories.map(({ query }) => query.fcoId)).toEqual(['fco-1'])
    const books = asked.filter(({ path }) => path.endsWith('/orderBook'))
    expect(books.map(({ query }) => query.from)).toEqual(Array(3).fill(`${LAST}T00:00:00`))
    expect(books.map(({ query }) => query.pageSize)).toEqual(Array(3).fill('1000'))
    const newer = calmService.accounts.orders.filter(
      ({ inputTime }) => inputTime >= LAST.replaceAll('-', '/'),
    )
    expect(await ordersOf(NEXT)).toEqual(newer.map(({ orderId }) => orderId).sort())
    // The history that was not asked again came along: every snapshot is whole.
    const events = `select fco_id, state from account.conditional_order_event semi join (select snapshot_id from account.snapshot where as_of = date '${NEXT}') using (snapshot_id) order by fco_id, ordinal`
    const { stdout } = await cli(['sql', '--csv', events], { cwd: cwd() })
    expect(stdout.trim().split(/\r?\n/)).toEqual([
      'fco_id,state',
      'fco-1,INIT',
      'fco-1,TRI',
      'fco-1,TER',
      'fco-2,INIT',
      'fco-2,TRI',
      'fco-2,FIS',
    ])
  })

  test('a stored session that is lost needs a key', async () => {
    calmService.revokeSession()
    const lost = await cli(snapshot(NEXT), { cwd: cwd(), env: keyless() })
    expect([lost.code, lost.stderr]).toEqual([3, expect.stringContaining('BROKER_API_KEY')])
  })
})

// In short: the case figures-of-both-sides-under-any-suffix of test/cases/account.
test.runIf(LONG)('a deployment with suffixes of its own, small pages and ISO dates is read', async () => {
  standIn.setOptions({
    numbers: 'trailing',
    pageCap: 2,
    dateFormat: 'ISO',
    brokerSuffix: 'ABC',
    depositorySuffix: 'xyz',
  })
  const cwd = temporaryFolder()
  const suffixes = { BROKER_FIELD_SUFFIX: 'Abc', DEPOSITORY_FIELD_SUFFIX: 'Xyz' }
  const ran = await cli(snapshot(), { cwd, env: towards(standIn, { BROKER_OTP: OTP, ...suffixes }) })
  expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)])
  await expectAccounts(standIn, cwd, LAST)
})

/** A folder for the tests of a block, made before the first of them. */
function temporaryHome(): () => string {
  let folder = ''
  beforeAll(() => {
    folder = temporaryFolder()
  })
  return () => folder
}

const DAY_MS = 86_400_000

/** Milliseconds until it is seven in the evening in Vietnam. */
function untilEvening(): number {
  const sinceEvening = (Date.now() + DAY_MS / 2) % DAY_MS
  return DAY_MS - sinceEvening
}

/** Relations that differ; how often they were requested may. */
function differences(some: Record<string, string>, others: Record<string, string>): string[] {
  return Object.keys(others).filter((name) => name !== 'ops.request' && some[name] !== others[name])
}

/** One home without accounts: each test goes on where the one before it ended, on the same session. */
describe('without what accounts need', () => {
  const cwd = temporaryHome()

  test.runIf(LONG)('--skip-accounts spends no one-time password and reports nothing', async () => {
    const skipped = await withOtp([...night(FIRST), '--skip-accounts'], cwd())
    expect(skipped.code).toBe(0)
    expect(skipped.stdout).not.toContain('accounts')
    expect(standIn.requests.some(({ body }) => body.includes(OTP))).toBe(false)
    expect(await hasCandles(cwd(), FIRST)).toBe(true)
  })

  // A one-time password that is refused: test/e2e/wrong-answers.test.ts.
  test('a nightly without a one-time password completes the market, and reports what it skipped and what to type', async () => {
    const conclusion = readConclusion(join(await nightOfBoth(), 'data'))
    expect(conclusion).toMatchObject({ complete: true, night: { exitCode: 0 } })
    expect(conclusion?.next.map(({ command }) => command)).toEqual([
      'candlehouse login',
      'candlehouse snapshot',
    ])
    const skipped = conclusion?.reasons.find(({ kind }) => kind === 'accounts_skipped')
    expect(skipped?.text).toMatch(
      /accounts were skipped: no one-time password was given.*no session is stored/,
    )
  })

  test('a session that is lost after the one-time password was accepted: exit 4 before the accounts and among them, and what is advised, typed, completes them; after them it is said', async () => {
    const revokeAt = (path: string, nth: number): void => {
      const before = standIn.count(path)
      standIn.onRequest = (_, request) => {
        if (request.path.endsWith(path) && standIn.count(path) === before + nth) standIn.revokeSession()
      }
    }
    // A snapshot is of today: of a session that has ended.
    const ahead = untilEvening()
    const now = (): number => Date.now() + ahead
    const effects = { ...systemEffects, now }
    const typed = { cwd: cwd(), env: towards(standIn, { BROKER_OTP: OTP }), effects }
    const conclusionOf = (ran: Ran): Conclusion => ran.json<{ conclusion: Conclusion }>().conclusion
    const commandsOf = (ran: Ran): (string | null)[] => conclusionOf(ran).next.map(({ command }) => command)

    revokeAt('/data/masterdata', 1)
    const early = await withOtp([...night(SECOND), '--json'], cwd())
    expect([early.code, commandsOf(early)]).toEqual([4, ['candlehouse login', 'candlehouse snapshot']])
    // The first night of a home may also have a note on the calendar.
    const lostFirst = conclusionOf(early).reasons.filter(({ kind }) => kind !== 'note')
    expect(lostFirst.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'session_lost: accounts were skipped: the session opened with the one-time password was lost',
    ])
    expect(await hasCandles(cwd(), SECOND)).toBe(true)

    revokeAt('/trading/position', 2)
    const amid = await withOtp([...night(SECOND), '--json'], cwd())
    expect([amid.code, commandsOf(amid)]).toEqual([4, ['candlehouse login', 'candlehouse snapshot']])
    expect(conclusionOf(amid).reasons.map(({ kind }) => kind)).toEqual(['session_lost', 'accounts_partial'])
    expect(amid.stdout).toContain('positions: page 1: the verified session was lost')
    expect((await states(cwd())).map((row) => row.state)).toContain('partial')
    // As a number of its own: an instant may have the digits.
    expect(amid.stdout).not.toMatch(/\b403\b/)
    // Requests under way; the other parts are not requested.
    expect(standIn.requests.filter(({ status }) => status === 403).length).toBeLessThanOrEqual(4)
    standIn.onRequest = undefined
    standIn.setOptions({ now })
    for (const command of commandsOf(amid)) {
      const ran = await cli((command ?? '').split(' ').slice(1), typed)
      expect([command, ran.code, ran.stderr]).toEqual([command, 0, expect.any(String)])
    }
    // The snapshot is of today: a past one cannot be fetched again.
    const latest = (await states(cwd())).filter((row) => String(row.as_of) > LAST)
    expect(latest.map((row) => row.state)).toEqual(['complete', 'complete', 'complete'])
    expect(readConclusion(join(cwd(), 'data'))).toMatchObject({ complete: true, reasons: [], next: [] })

    revokeAt('/data/ohlc', 1)
    const ofFpt = night(SECOND).map((word) => (word === 'HPG' ? 'FPT' : word))
    const late = await cli([...ofFpt, '--json'], { cwd: cwd(), env: towards(standIn), effects })
    expect([late.code, commandsOf(late)[0]]).toEqual([0, 'candlehouse login'])
    expect(conclusionOf(late).reasons[0]?.text).toBe('the stored session was lost: candlehouse login')
  })

  test('snapshot alone ends with 3 and names the login: without a session, and with one of another service, which is not used; with 4 where its session is lost', async () => {
    const home = temporaryFolder()
    const alone = async (service = standIn): Promise<string> => {
      const ran = await cli(snapshot(), { cwd: home, env: towards(service) })
      expect(ran.code).toBe(3)
      expect(ran.stderr).toContain('next: candlehouse login')
      return ran.stderr
    }
    expect(await alone()).toContain('no session is stored')
    await loginAt(standIn, home, '--otp', OTP)
    const other = await startStandIn({
      market: buildMarket({ sessions: SESSIONS, symbols }),
      // Its tokens are numbered too: another lifetime makes other tokens.
      tokenTtlSeconds: 7_200,
    })
    onEnd(() => other.close())
    const kept = JSON.parse(readFileSync(join(home, 'data', 'session.json'), 'utf8')) as object
    expect(await alone(other)).toContain('the stored session belongs to another service')
    const authorizations = other.requests.map(({ headers }) => headers.authorization ?? '')
    expect(authorizations.join(' ')).not.toContain(String((kept as { accessToken: string }).accessToken))
    // A session that is lost is known when it reads.
    standIn.revokeSession()
    const lost = await cli(snapshot(), { cwd: home, env: towards(standIn) })
    expect(lost.code).toBe(4)
    expect(lost.stdout).toContain('accounts were not read to the end: the stored session was lost')
  })

  // In short: the case an-order-book-cut-short-is-partial of test/cases/account.
  test.runIf(LONG)(
    'what was skipped is read with a one-time password; an order book that is cut short is complete when further pages have the rest',
    async () => {
      // A home of its own: after a complete snapshot only the orders since then are requested.
      const home = temporaryFolder()
      const without = await cli(night(), { cwd: home, env: towards(standIn) })
      expect(without.stdout).toContain('accounts were skipped: no one-time password was given')
      standIn.setOptions({ faults: [{ ...cut, times: 3 }], numbers: 'json', extraFields: true })
      expect((await withOtp(snapshot(), home)).code).toBe(0)
      await expectAccounts(standIn, home, LAST)
    },
  )
})

describe('a stored session', () => {
  const login = (cwd: string, ...more: string[]): Promise<Ran> => loginAt(standIn, cwd, ...more)

  test('is refreshed by keepalive, which requests nothing else', async () => {
    const cwd = temporaryFolder()
    await login(cwd, '--otp', OTP)
    const before = standIn.requests.length
    expect((await cli(['keepalive'], { cwd, env: towards(standIn) })).code).toBe(0)
    expect(standIn.requests.slice(before).map(({ path }) => path)).toEqual(['/api/v3/auth/refresh'])
    standIn.revokeSession()
    const lost = await cli(['keepalive'], { cwd, env: towards(standIn) })
    expect(lost.code).toBe(3)
    expect(lost.stderr).toContain('next: candlehouse login')
    expect(standIn.requests.at(-1)?.path).toBe('/api/v3/auth/refresh')
  })

  test('does not exist without a service, and without a login', async () => {
    const cwd = temporaryFolder()
    for (const env of [{}, towards(standIn)]) {
      const ran = await cli(['keepalive'], { cwd, env })
      expect([ran.code, ran.stdout]).toEqual([0, 'no session is stored\n'])
    }
    expect(standIn.requests).toEqual([])
  })

  test('asks for the password that was sent, or waits for the approval in the app', async () => {
    const cwd = temporaryFolder()
    const typed = await cli(['login'], { cwd, env: towards(standIn), input: `${OTP}\n` })
    expect([typed.code, typed.stderr]).toEqual([0, expect.stringContaining('one-time password:')])
    expect(standIn.count('/auth/requestOtp')).toBe(1)
    const session = readFileSync(join(cwd, 'data/session.json'), 'utf8')
    standIn.requests.length = 0
    for (const blank of ['', '  ']) {
      const refused = await cli(['login', '--otp', blank], { cwd, env: towards(standIn) })
      expect([refused.code, refused.stdout]).toEqual([2, ''])
      const unset = await cli(['login'], { cwd, env: towards(standIn, { BROKER_OTP: blank }) })
      expect([unset.code, unset.stderr]).toEqual([2, expect.stringContaining('no one-time password')])
    }
    expect(standIn.count('/auth/token')).toBe(0)
    // A service that takes the code and answers with a session for market data only.
    const forbidden = { path: '/account/info' }
    standIn.setOptions({
      faults: [{ kind: 'status', status: 403, body: '{"code":"403","msg":"Forbidden"}', match: forbidden }],
    })
    const unverified = await cli(['login', '--otp', OTP], { cwd, env: towards(standIn) })
    expect([unverified.code, unverified.stdout, unverified.stderr]).toEqual([
      3,
      '',
      expect.stringContaining('may not read the accounts, so it is not stored: 403 Forbidden'),
    ])
    expect(readFileSync(join(cwd, 'data/session.json'), 'utf8')).toBe(session)
    const nothing = await cli(['login'], { cwd, env: towards(standIn) })
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('login --otp CODE')])
    standIn.setOptions({ smartOtpPending: 0 })
    const approved = await login(cwd, '--smart-otp')
    expect([approved.code, approved.stderr]).toEqual([0, expect.stringContaining('approve the login')])
    const nobody = await cli(['login', '--smart-otp'], { cwd })
    expect([nobody.code, nobody.stderr]).toEqual([3, expect.not.stringContaining('approve the login')])
  })

  test('that others can read is refused before any request', async () => {
    const cwd = temporaryFolder()
    await login(cwd, '--otp', OTP)
    const { chmodSync } = await import('node:fs')
    chmodSync(join(cwd, 'data', 'session.json'), 0o644)
    const before = standIn.requests.length
    const ran = await cli(night(), { cwd, env: towards(standIn) })
    expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining('chmod 600')])
    expect(standIn.requests).toHaveLength(before)
  })
})
