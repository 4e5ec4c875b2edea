import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildMarket, type StandIn, startStandIn } from '../standin/index.js'
import { copyOfBaseline } from '../support/baseline.js'
import { temporaryFolder } from '../support/folder.js'
import { cli, type Ran } from '../support/program.js'
import { expectAccounts } from './support/account-truth.js'
import { leaks, secretsSeen } from './support/canaries.js'
import { towards } from './support/cli.js'
import { hashes } from './support/hashes.js'

const SESSIONS = ['2025-03-12', '2025-03-13', '2025-03-14']
const OTP = '246810'

const service = (): Promise<StandIn> =>
  startStandIn({ market: buildMarket({ sessions: SESSIONS }), otherSide: 'absent' })

let standIn: StandIn
beforeEach(async () => {
  standIn = await service()
})
afterEach(async () => await standIn.close())

const night = (date: string): string[] => ['nightly', '--date', date, '--sessions', '1', '--symbols', 'HPG']
const snapshot = (date = '2025-03-14'): string[] => ['snapshot', '--date', date]

async function states(cwd: string): Promise<Record<string, unknown>[]> {
  const query = 'select account_no, as_of, state, missing from account.snapshot order by all'
  return (await cli(['sql', '--json', query], { cwd })).json()
}

async function hasCandles(cwd: string): Promise<boolean> {
  const held = await cli(['sql', '--csv', 'select count(*) > 0 from market.candle'], { cwd })
  return held.stdout.includes('true')
}

/** Runs towards the stand-in with its one-time password. */
const withOtp = (args: string[], cwd: string): Promise<Ran> =>
  cli(args, { cwd, env: towards(standIn, { BROKER_OTP: OTP }) })

/** A night that nothing disturbed, and the hashes of its home. */
let calm: { standIn: StandIn; cwd: string; ran: Ran; hashes: Record<string, string> }
beforeAll(async () => {
  const [standIn, cwd] = [await service(), temporaryFolder()]
  const ran = await cli(night('2025-03-14'), { cwd, env: towards(standIn, { BROKER_OTP: OTP }) })
  calm = { standIn, cwd, ran, hashes: await hashes(cwd) }
})
afterAll(async () => await calm.standIn.close())

/** A copy of a home that holds the market of the last session. */
const afterMarket = (): Promise<string> =>
  copyOfBaseline('a night without accounts', (cwd) =>
    cli(night('2025-03-14'), { cwd, env: towards(standIn) }),
  )

describe('a nightly with a one-time password', () => {
  test('stores every account as the service returns it, to the last digit, requests once the maximum quantities of its symbols, and changes nothing when it runs again', async () => {
    const { standIn, cwd, ran, hashes: before } = calm
    expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)])
    await expectAccounts(standIn, cwd, '2025-03-14')
    expect(await states(cwd)).toEqual(
      ['0691234561', '0691234566', '0691234568'].map((account_no) => ({
        account_no,
        as_of: '2025-03-14',
        state: 'complete',
        missing: null,
      })),
    )

    // What held symbols can be bought and sold for is asked once, at the latest close.
    const rows = (
      await cli(['sql', '--json', 'select symbol, price, max_buy_qty from account.max_quantity order by 1'], {
        cwd,
      })
    ).json<{ symbol: string; price: string; max_buy_qty: string }[]>()
    expect(rows.map((row) => row.symbol)).toEqual(['41I1F4000', 'FPT', 'HPG', 'PVS'])
    for (const { symbol, price, max_buy_qty } of rows) {
      const close = standIn.market.summaries.find(
        (row) => row.symbol === symbol && row.tradingDate === '2025/03/14',
      )?.close
      expect(Number(price), symbol).toBe(Number(close))
      expect(Number(max_buy_qty), symbol).toBe(Math.floor(100_000_000 / Number(close) / 100) * 100)
      expect(standIn.count('/maxBuySell', { symbol })).toBe(1)
    }

    // That all is rebuilt from raw/: test/e2e/kill.test.ts.
    const env = towards(standIn, { BROKER_OTP: OTP })
    const again = await cli([...night('2025-03-14'), '--json'], { cwd, env })
    const { datasets } = again.json<{ datasets: { dataset: string; changed: number }[] }>()
    expect(datasets.find(({ dataset }) => dataset === 'snapshot')?.changed).toBe(0)
    const held = await hashes(cwd)
    expect(Object.keys(held)).toEqual(Object.keys(before))
    expect(Object.keys(held).filter((name) => name !== 'ops.request' && held[name] !== before[name])).toEqual(
      [],
    )
  })

  test('requests the next day only newer orders, and histories that can still change', async () => {
    const cwd = temporaryFolder()
    await withOtp(snapshot('2025-03-13'), cwd)
    standIn.accounts.histories['fco-1']?.push(
      { state: 'TRI', time: '2025/03/14 09:30:00', code: 0, detail: '' },
      { state: 'TER', time: '2025/03/14 09:31:00', code: 0, detail: 'cancelled' },
    )
    Object.assign(standIn.accounts.conditional[0] ?? {}, { status: 'TER' })
    const first = standIn.requests.length
    expect((await withOtp(snapshot('2025-03-14'), cwd)).code).toBe(0)
    const asked = standIn.requests.slice(first)
    const histories = asked.filter(({ path }) => path.endsWith('/statusHistory'))
    expect(histories.map(({ query }) => query.fcoId)).toEqual(['fco-1'])
    const books = asked.filter(({ path }) => path.endsWith('/orderBook'))
    expect(books.map(({ query }) => query.from)).toEqual(Array(3).fill('2025-03-13T00:00:00'))
    // The history that was not asked again came along: every snapshot is whole.
    const events =
      "select fco_id, state from account.conditional_order_event semi join (select snapshot_id from account.snapshot where as_of = date '2025-03-14') using (snapshot_id) order by fco_id, ordinal"
    expect((await cli(['sql', '--csv', events], { cwd })).stdout.trim().split(/\r?\n/)).toEqual([
      'fco_id,state',
      ...['fco-1,INIT', 'fco-1,TRI', 'fco-1,TER', 'fco-2,INIT', 'fco-2,TRI', 'fco-2,FIS'],
    ])
    const third = standIn.requests.length
    await withOtp(snapshot('2025-03-14'), cwd)
    expect(standIn.requests.slice(third).some(({ path }) => path.endsWith('/statusHistory'))).toBe(false)
  })

  test.each([
    [{ otherSide: 'null', numbers: 'commas', emptyAs: '204', dateFormat: 'DD/MM/YYYY' } as const],
    [
      {
        numbers: 'trailing',
        pageCap: 2,
        brokerSuffix: 'ABC',
        depositorySuffix: 'xyz',
        dateFormat: 'ISO',
      } as const,
    ],
  ])('reads a deployment of %j', async (dialect) => {
    standIn.setOptions(dialect)
    const cwd = temporaryFolder()
    const env = towards(standIn, {
      BROKER_OTP: OTP,
      BROKER_FIELD_SUFFIX: 'Abc',
      DEPOSITORY_FIELD_SUFFIX: 'Xyz',
    })
    const ran = await cli(snapshot(), { cwd, env })
    expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)])
    await expectAccounts(standIn, cwd, '2025-03-14')
  })
})

describe('an order book that is cut short', () => {
  const cut = { kind: 'short', match: { path: '/orderBook' }, times: 100 } as const

  test('makes the snapshot partial, ends with 4, names the part and withholds no market data; the next one is complete', async () => {
    const cwd = temporaryFolder()
    // Nor do accounts that the service refuses.
    const down = { kind: 'status', status: 400, match: { path: '/account/info' }, times: 1_000 } as const
    standIn.setOptions({ faults: [down] })
    const refused = await withOtp(night('2025-03-14'), cwd)
    expect([refused.code, refused.stdout]).toEqual([4, expect.stringContaining('accounts were not read: ')])
    expect(await hasCandles(cwd)).toBe(true)

    standIn.setOptions({ faults: [cut] })
    const ran = await withOtp(night('2025-03-14'), cwd)
    expect(ran.code).toBe(4)
    expect(ran.stdout).toContain('orders: 5 of the 6 that the service counts')
    expect((await states(cwd)).map((row) => row.state)).toEqual(['partial', 'partial', 'partial'])
    expect(await hasCandles(cwd)).toBe(true)

    // Of the same trading date, with large pages again.
    standIn.setOptions({ faults: [] })
    const first = standIn.requests.length
    expect((await withOtp(snapshot(), cwd)).code).toBe(0)
    const books = standIn.requests.slice(first).filter(({ path }) => path.endsWith('/orderBook'))
    expect(books.map(({ query }) => query.pageSize)).toEqual(Array(3).fill('1000'))
    const [after, whole] = [await hashes(cwd), calm.hashes]
    const differ = Object.keys(whole).filter((name) => name !== 'ops.request' && after[name] !== whole[name])
    expect(differ).toEqual([])
  })

  test('is complete when further pages have the rest', async () => {
    standIn.setOptions({ faults: [{ ...cut, times: 3 }], numbers: 'json', extraFields: true })
    const cwd = temporaryFolder()
    expect((await withOtp(snapshot(), cwd)).code).toBe(0)
    await expectAccounts(standIn, cwd, '2025-03-14')
  })
})

describe('without what accounts need', () => {
  test('a nightly completes the market, reports what it skipped and what to type, and ends with 0; a refused one-time password is exit 4', async () => {
    const cwd = temporaryFolder()
    const ran = await cli(night('2025-03-14'), { cwd, env: towards(standIn) })
    expect(ran.code).toBe(0)
    expect(ran.stdout).toContain('accounts were skipped: no one-time password was given')
    expect(ran.stdout).toContain('candlehouse login')
    expect(await hasCandles(cwd)).toBe(true)

    // --skip-accounts spends no one-time password and reports nothing.
    const skipped = await withOtp([...night('2025-03-14'), '--skip-accounts'], cwd)
    expect(skipped.code).toBe(0)
    expect(skipped.stdout).not.toContain('accounts')
    expect(standIn.requests.some(({ body }) => body.includes(OTP))).toBe(false)

    // A refused one-time password: the market completes, exit 4.
    const refused = await cli(night('2025-03-14'), { cwd, env: towards(standIn, { BROKER_OTP: '000000' }) })
    expect(refused.code).toBe(4)
    expect(refused.stdout).toContain('accounts were skipped: the one-time password was refused')
  })

  test('snapshot alone ends with 3 and names the login', async () => {
    const ran = await cli(snapshot(), { cwd: temporaryFolder(), env: towards(standIn) })
    expect(ran.code).toBe(3)
    expect(ran.stderr).toContain('next: candlehouse login')
  })
})

describe('a stored session', () => {
  const login = (cwd: string, ...more: string[]): Promise<Ran> =>
    cli(['login', ...more], { cwd, env: towards(standIn) })

  test('from login serves unattended runs, which refresh it; it appears in no output and in no file but session.json; it needs no key until it is lost; logout deletes it', async () => {
    const cwd = temporaryFolder()
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const key = join(temporaryFolder(), 'signing.pem')
    writeFileSync(key, pem, { mode: 0o600 })
    const shown = towards(standIn, { BROKER_OTP: OTP, BROKER_SIGNING_KEY_FILE: key })

    const logged = await login(cwd, '--otp', OTP)
    const document = await login(cwd, '--otp', OTP, '--json')
    expect([document.code, document.stderr]).toEqual([0, ''])
    expect(document.json()).toMatchObject({ baseUrl: standIn.url, refreshExpiresAt: expect.any(String) })
    const file = join(cwd, 'data', 'session.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const first = readFileSync(file, 'utf8')
    const night1 = await cli(night('2025-03-14'), { cwd, env: towards(standIn) })
    expect([night1.code, night1.stdout]).toEqual([0, expect.not.stringContaining('skipped')])
    expect(standIn.count('/auth/refresh')).toBe(1)
    expect(readFileSync(file, 'utf8')).not.toBe(first)
    const status = await cli(['status'], { cwd, env: towards(standIn) })
    expect(status.stdout).toContain('session stored: it expires at')

    const ran = [
      ...[logged, document, night1, status],
      await cli(['config', 'show'], { cwd, env: shown }),
      await cli(['status', '--json'], { cwd, env: towards(standIn) }),
    ]
    const lines = pem.split('\n').filter((line) => /^[A-Za-z0-9+/]{64}$/.test(line))
    const secrets = new Map([
      ...secretsSeen(standIn),
      [OTP, 'one-time password'],
      ...lines.map((line) => [line, 'PEM'] as const),
    ])
    for (const [secret] of secrets) expect(secret.length).toBeGreaterThan(5)
    for (const one of ran) expect(leaks(secrets, cwd, one)).toEqual([])

    // It needs no key until it expires, and names what is missing when it is lost.
    const keyless = { BROKER_BASE_URL: standIn.url, BROKER_MAX_RPS: '1000' }
    expect((await cli(snapshot(), { cwd, env: keyless })).code).toBe(0)
    standIn.revokeSession()
    const lost = await cli(snapshot(), { cwd, env: keyless })
    expect([lost.code, lost.stderr]).toEqual([3, expect.stringContaining('BROKER_API_KEY')])

    expect((await login(cwd, '--otp', OTP)).code).toBe(0)
    expect((await cli(['logout'], { cwd, env: towards(standIn) })).stdout).toContain('deleted')
    expect(readdirSync(join(cwd, 'data'))).not.toContain('session.json')
  })

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

  test('that was lost: the market completes, exit 4, and the run reports it', async () => {
    const cwd = await afterMarket()
    await login(cwd, '--otp', OTP)
    standIn.revokeSession()
    const ran = await cli(night('2025-03-14'), { cwd, env: towards(standIn) })
    expect(ran.code).toBe(4)
    expect(ran.stdout).toContain('accounts were skipped: the stored session was lost')
    const next = await cli(night('2025-03-14'), { cwd, env: towards(standIn) })
    expect([next.code, next.stdout]).toEqual([0, expect.stringContaining('no session is stored')])
  })

  test('asks for the password that was sent, or waits for the approval in the app', async () => {
    const cwd = temporaryFolder()
    const typed = await cli(['login'], { cwd, env: towards(standIn), input: `${OTP}\n` })
    expect([typed.code, typed.stderr]).toEqual([0, expect.stringContaining('one-time password:')])
    expect(standIn.count('/auth/requestOtp')).toBe(1)
    const nothing = await cli(['login'], { cwd, env: towards(standIn) })
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('login --otp CODE')])
    standIn.setOptions({ smartOtpPending: 0 })
    expect((await login(cwd, '--smart-otp')).code).toBe(0)
  })

  test('of another service or another key is not used', async () => {
    const cwd = await afterMarket()
    await login(cwd, '--otp', OTP)
    const other = await startStandIn({
      market: buildMarket({ sessions: SESSIONS }),
      // Its tokens are numbered too: another lifetime makes other tokens.
      tokenTtlSeconds: 7_200,
    })
    const ran = await cli(night('2025-03-14'), { cwd, env: towards(other) })
    const authorizations = other.requests.map(({ headers }) => headers.authorization ?? '')
    await other.close()
    expect(ran.code).toBe(0)
    expect(ran.stdout).toContain('belongs to another service')
    const kept = JSON.parse(readFileSync(join(cwd, 'data', 'session.json'), 'utf8') || '{}') as object
    expect(authorizations.join(' ')).not.toContain(String((kept as { accessToken: string }).accessToken))
  })

  test('that others can read is refused before any request', async () => {
    const cwd = temporaryFolder()
    await login(cwd, '--otp', OTP)
    const { chmodSync } = await import('node:fs')
    chmodSync(join(cwd, 'data', 'session.json'), 0o644)
    const before = standIn.requests.length
    const ran = await cli(night('2025-03-14'), { cwd, env: towards(standIn) })
    expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining('chmod 600')])
    expect(standIn.requests).toHaveLength(before)
  })
})
