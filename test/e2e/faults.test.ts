import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Fault } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli } from '../support/program.js'
import { ALWAYS, bars, CANARIES, echo } from './support/bad-answers.js'
import { leaks, secretsSeen } from './support/canaries.js'
import { hashes } from './support/hashes.js'
import {
  afterEve,
  expectCode,
  heldHashes,
  LAST,
  night,
  rowsOf,
  service,
  undisturbed,
} from './support/nights.js'

let plain: Awaited<ReturnType<typeof undisturbed>>
/** The home of the evening before: the test of one endpoint goes on where that of an outage ended, on the same evening. */
let eve: string

beforeAll(async () => {
  plain = await undisturbed()
  eve = await afterEve()
})

test('faults that pass are waited out: equal tables, each costs one request, no secret is shown', async () => {
  const faults: Fault[] = [
    { kind: 'html502', match: { path: '/data/securitiesByBoard', where: { board: 'HNX' } } },
    { kind: 'null', match: { path: '/data/indexList' } },
    { kind: 'truncate', match: { path: '/data/securitiesByBoard', where: { index: 'VN30' } } },
    { kind: 'body', transform: badUtf8, match: { path: '/securitiesByBoard', where: { board: 'UPCOM' } } },
    { kind: 'truncate', match: { path: '/data/securitiesSummary', where: { pageIndex: '3' } } },
    { kind: 'html200', match: { path: '/data/indexSummary', nth: 2 } },
    { kind: 'body', transform: () => '{}', match: { path: '/data/indexSummary', nth: 5 } },
    { kind: 'reset', match: { path: '/data/masterdata', where: { pageIndex: '2' } } },
    { kind: 'status', status: 502, body: echo(), match: { path: '/masterdata', where: { pageIndex: '3' } } },
    { kind: 'badGzip', how: 'truncated', ...bars('VCB') },
    { kind: 'badGzip', how: 'crc', ...bars('FPT', '2') },
    { kind: 'bom', ...bars('HPG') },
    { kind: 'emptyBody', ...bars('VRE') },
    { kind: 'body', transform: onlyRows, ...bars('PVS') },
    { kind: 'body', transform: () => '[]', ...bars('SHS', '2') },
    { kind: '429', retryAfter: 1, ...bars('ACV') },
    { kind: '429', retryAfter: '', ...bars('CVRE2505') },
  ]
  const date = faults.at(-1)
  // Two seconds from when it is asked.
  if (date)
    Object.defineProperty(date, 'retryAfter', { get: () => new Date(Date.now() + 2000).toUTCString() })
  const standIn = await service({ pageCap: 7, faults, ...CANARIES })
  const times: number[] = []
  standIn.onRequest = (ordinal, request) => {
    times[ordinal] = Date.now()
    if (!request.path.endsWith('/data/ohlc')) return
    const asked = standIn.count('/data/ohlc')
    if (asked === 20) standIn.expireToken()
    if (asked === 45) standIn.revokeSession()
  }
  const cwd = temporaryFolder()
  const ran = await night(standIn, cwd, {}, { writesReport: true })
  expectCode(ran, 0)
  expect(await heldHashes(cwd)).toEqual(plain.once)

  const { requests } = standIn
  expect(requests.filter((request) => request.fault).map((request) => request.fault)).toHaveLength(
    faults.length,
  )
  // One login, one refresh of the expired token, then a refresh in vain and one login for the stolen session.
  expect(standIn.count('/auth/token')).toBe(2)
  expect(standIn.count('/auth/refresh')).toBe(2)
  const data = requests.filter((request) => request.path.includes('/data/'))
  const questions = new Set(data.map((request) => `${request.path} ${JSON.stringify(request.query)}`))
  const unauthorized = data.filter((request) => request.status === 401)
  expect(unauthorized.length).toBeLessThanOrEqual(2 * 8)
  expect(data.length).toBeLessThanOrEqual(questions.size + faults.length + unauthorized.length)
  for (const [symbol, ms] of Object.entries({ ACV: 1000, CVRE2505: 1000 })) {
    const [first, second] = requests
      .filter((each) => each.query.symbol === symbol && each.query.timeFrame === '1m')
      .map((each) => times[each.at] ?? 0)
    expect((second ?? 0) - (first ?? 0), symbol).toBeGreaterThan(ms - 50)
  }

  const secrets = secretsSeen(standIn)
  expect([...new Set(secrets.values())]).toEqual(['API key', 'API secret', 'access token', 'refresh token'])
  expect(leaks(secrets, cwd, ran)).toEqual([])
  // The search looks into landed pages.
  expect(leaks(new Map([['FPT Company', 'name']]), cwd, ran).join()).toMatch(/name in data\/raw\/.*\.gz/)
})

test('an outage ends with 5 in a bounded number of requests; what was published stays until it is over', async () => {
  const standIn = await service()
  const cwd = eve
  const served = await hashes(cwd)
  const publications = await rowsOf(cwd, 'select publication_id from ops.publication')
  const outage = async (match: Fault['match'], ...others: Fault[]): Promise<number> => {
    standIn.setOptions({ faults: [{ kind: 'html502', match, times: ALWAYS }, ...others] })
    const before = standIn.requests.length
    const ran = await night(standIn, cwd)
    expectCode(ran, 5)
    expect(ran.stderr).toMatch(/HTTP 502, text\/html/)
    expect(ran.stderr).not.toContain('\r')
    expect(await hashes(cwd)).toEqual(served)
    expect(await rowsOf(cwd, 'select publication_id from ops.publication')).toEqual(publications)
    const status = await cli(['status', '--json'], { cwd })
    expect(status.json()).toMatchObject({ lastRun: { exitCode: 5, tradingDate: LAST } })
    return standIn.requests.length - before
  }
  // A login, then the four lists side by side, nine attempts each at the most, and probes of up to two other endpoints.
  expect(await outage((request) => request.path.includes('/data/'))).toBeLessThanOrEqual(1 + 4 * 9 + 2 * 3)
})

test(`one endpoint that fails is not an outage: 4, all else is published, few requests${LONG ? ', and the next night is whole' : ''}`, async () => {
  const standIn = await service()
  const cwd = eve
  const symbols = standIn.market.securities.length
  const candles: Fault['match'] = (request, nth) => request.path.endsWith('/data/ohlc') && nth > 3
  standIn.setOptions({ faults: [{ kind: 'html502', match: candles, times: ALWAYS }] })
  const ran = await night(standIn, cwd)
  expectCode(ran, 4)
  // Three are answered, eight are tried to their end, those after them once or, where they wait already, a little more.
  expect(standIn.count('/data/ohlc')).toBeLessThanOrEqual(3 + 8 * 9 + 2 * symbols)
  expect(ran.stdout).toMatch(/HPG 1m 2025-03-14: page 1: HTTP 502, text\/html/)
  const summaries = "select count(*) as rows from market.daily_summary where trading_date = '2025-03-14'"
  expect(await rowsOf(cwd, summaries)).not.toEqual([{ rows: '0' }])
  // In short: nights after nights of incomplete candles, test/e2e/wrong-answers.test.ts and test/e2e/damaged-pages.test.ts.
  if (!LONG) return
  standIn.setOptions({ faults: [] })
  expectCode(await night(standIn, cwd), 0)
  expect(await heldHashes(cwd)).toEqual(plain.twice)
})

test('a wrong secret: 3 after one try, names the setting, tells no secret', async () => {
  const wrong = 'canary "wrong"\\/+%\u00e9'
  const told = JSON.stringify({ code: '401', msg: `apiSecret ${wrong} does not fit ${CANARIES.apiKey}` })
  const standIn = await service({
    ...CANARIES,
    faults: [{ kind: 'status', status: 401, body: told, match: { path: '/auth/token' }, times: ALWAYS }],
  })
  const cwd = temporaryFolder()
  const ran = await night(standIn, cwd, { BROKER_API_SECRET: wrong })
  expectCode(ran, 3)
  expect(standIn.count('/auth/token')).toBeLessThanOrEqual(2)
  expect(standIn.requests.length).toBe(standIn.count('/auth/token'))
  expect(ran.stderr).toContain('BROKER_API_SECRET')
  expect(ran.json<{ error: { exitCode: number } }>().error.exitCode).toBe(3)
  expect(existsSync(join(cwd, 'data', 'catalog.duckdb'))).toBe(false)
  const secrets = secretsSeen(standIn).set(wrong, 'wrong secret')
  expect(leaks(secrets, cwd, ran)).toEqual([])
})

function onlyRows(text: string): string {
  return JSON.stringify(JSON.parse(text).data)
}

function badUtf8(text: string): Buffer {
  const bytes = Buffer.from(text)
  bytes[bytes.indexOf('Company')] = 0xff
  return bytes
}
