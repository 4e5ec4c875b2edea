import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Fault, NEVER_TRADED, type StandIn, type StandInMarket } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { cli } from '../support/program.js'
import { leaks, secretsSeen } from './support/canaries.js'
import { hashes } from './support/hashes.js'
import {
  afterEve,
  expectCode,
  FIRST,
  type Hashes,
  heldHashes,
  LAST,
  missingOf,
  night,
  rowsOf,
  SESSIONS,
  service,
  undisturbed,
} from './support/nights.js'
import { expectTruth } from './support/truth.js'

const ALWAYS = Number.POSITIVE_INFINITY
const CANARIES = { apiKey: 'canary-key/+%', apiSecret: 'canary "secret"\\/+%\u00e9' }

let plain: Awaited<ReturnType<typeof undisturbed>>

beforeAll(async () => {
  plain = await undisturbed()
})

/** A fault on minute bars of a symbol. */
const bars = (symbol: string, pageIndex = '1'): Pick<Fault, 'match'> => ({
  match: { path: '/data/ohlc', where: { symbol, timeFrame: '1m', pageIndex } },
})

test('faults that pass are waited out: equal tables, each costs one request, no secret is told', async () => {
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
  const ran = await night(standIn, cwd)
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
  const cwd = await afterEve()
  const served = await hashes(cwd)
  const publications = await rowsOf(cwd, 'select publication_id from ops.publication')
  const outage = async (match: Fault['match']): Promise<number> => {
    standIn.setOptions({ faults: [{ kind: 'html502', match, times: ALWAYS }] })
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
  // A login, then the four lists side by side, nine attempts each at the most.
  expect(await outage((request) => request.path.includes('/data/'))).toBeLessThanOrEqual(1 + 4 * 9)
  // A login, lists and daily datasets, three candles, then eight workers.
  const daily = 1 + 4 + 5 + 1 + 10 + 1
  expect(await outage((request, nth) => request.path.endsWith('/data/ohlc') && nth > 3)).toBeLessThanOrEqual(
    daily + 3 + 8 * 9,
  )
  standIn.setOptions({ faults: [] })
  expectCode(await night(standIn, cwd), 0)
  expect(await heldHashes(cwd)).toEqual(plain.twice)
})

test('pages that contradict themselves: incomplete and said so, never complete, and a rerun converges', async () => {
  const standIn = await service({
    pageCap: 7,
    faults: [
      { kind: 'short', match: { path: '/data/masterdata' }, times: ALWAYS },
      { kind: 'dup', match: { path: '/data/securitiesSummary', where: { pageIndex: '2' } } },
      { kind: 'samePage', match: { path: '/data/ohlc', where: { symbol: 'VCB' } }, times: ALWAYS },
      { kind: 'dup', edit: (row) => ({ ...row, close: '1' }), ...bars('FPT', '2') },
      {
        kind: 'short',
        match: { path: '/data/ohlc', where: { symbol: 'HPG', timeFrame: '1m' } },
        times: ALWAYS,
      },
      { kind: 'body', transform: oneMore, ...bars('VRE', '2'), times: ALWAYS },
      { kind: 'dup', ...bars('PVS', '2') },
      { kind: 'dup', shift: true, ...bars('SHS', '2') },
      { kind: 'body', transform: oneMore, ...bars('ACV', '3') },
    ],
  })
  const cwd = temporaryFolder()
  const ran = await night(standIn, cwd)
  expectCode(ran, 4)
  const asked = (symbol: string): number => standIn.count('/data/ohlc', { symbol, timeFrame: '1m' })
  expect(asked('VCB')).toBeLessThanOrEqual(4)
  expect(asked('HPG')).toBeLessThanOrEqual(8)
  expect(asked('VRE')).toBe(4)
  expect(standIn.count('/data/masterdata')).toBeLessThanOrEqual(8)

  const both = (symbol: string): string[] => SESSIONS.map((day) => `${symbol} 1m ${day}`)
  const { ohlc = [], ...others } = missingOf(ran)
  expect(ohlc.map((line) => line.replace(/:.*/, '')).sort()).toEqual(
    [`FPT 1m ${FIRST}`, ...both('HPG'), ...both('VCB'), ...both('VRE')].sort(),
  )
  expect(others).toEqual({ masterdata: SESSIONS.map((day) => `${day}: 21 rows where itemsCount says 25`) })
  expect(ohlc.find((line) => line.startsWith('HPG'))).toMatch(/2[01] rows where itemsCount says 24/)
  const status = await cli(['status', '--json'], { cwd })
  expect(status.json()).toMatchObject({ gapCount: 9, quarantined: 2, lastRun: { exitCode: 4 } })
  const rejected = await rowsOf<{ reason: string; payload: string }>(
    cwd,
    'select reason, payload from ops.quarantine order by payload',
  )
  const [bar] = standIn.market.minutes.filter((row) => row.symbol === 'FPT').slice(6)
  expect(rejected.map((row) => row.payload)).toEqual(
    [{ ...bar, close: '1' }, bar].map((row) => JSON.stringify(row)).sort(),
  )
  for (const { reason } of rejected) expect(reason).toBe('the same key twice with different values')
  const contradicted = `symbol = 'FPT' and local_time = '${bar?.tradingDate.replaceAll('/', '-')}'`
  expect(await rowsOf(cwd, `from market.candle where timeframe = '1m' and ${contradicted}`)).toEqual([])

  standIn.setOptions({ faults: [] })
  const again = await night(standIn, cwd)
  expectCode(again, 0)
  expect(missingOf(again)).toEqual({})
  expect(await heldHashes(cwd)).toEqual(plain.once)
})

test('an answer of nothing where there is something is asked again', async () => {
  const standIn = await service({
    faults: [
      { kind: 'status', status: 204, match: { path: '/data/indexSummary', where: { index: 'VNINDEX' } } },
      { kind: 'status', status: 204, match: { path: '/data/masterdata' } },
      { kind: 'body', transform: () => '{"code":204}', ...bars('VCB') },
      { kind: 'status', status: 204, ...bars('FPT') },
    ],
  })
  const cwd = temporaryFolder()
  const ran = await night(standIn, cwd)
  expect([0, 4]).toContain(ran.code)
  expectCode(await night(standIn, cwd), 0)
  expect(await heldHashes(cwd)).toEqual(plain.once)
})

const minutesSpoiled: [symbol: string, day: string, time: string, field: string, value: string][] = [
  ['VCB', FIRST, '09:15', 'open', '1,23,4'],
  ['FPT', LAST, '09:16', 'high', 'NaN'],
  ['HPG', FIRST, '09:17', 'low', 'Infinity'],
  ['VRE', LAST, '09:20', 'close', '1e400'],
  ['E1VFVN30', FIRST, '09:30', 'volume', '-'],
  ['CVRE2505', LAST, '10:00', 'value', '0x10'],
  ['PVS', FIRST, '10:30', 'volume', '1_000'],
  ['SHS', LAST, '11:29', 'volume', '12345678901234567890'],
  ['41I1F4000', FIRST, '13:00', 'open', '1350.1234567'],
  ['ACV', FIRST, '13:30', 'tradingDate', '2025/02/30 13:30:00'],
  ['VCB', LAST, '14:29', 'tradingDate', '2025/03/17 14:29:00'],
  ['FPT', FIRST, '14:45', 'tradingDate', '13-03-2025 14:45:00'],
  ['HPG', LAST, '13:00', 'volume', '12.6'],
]

test('a record that cannot be believed: quarantined with its own words, and nothing else with it', async () => {
  const standIn = await service()
  const { market } = standIn
  const spoiled = new Map<object, { field: string; value: string }>()
  const slashed = (day: string): string => day.replaceAll('-', '/')
  const spoil = (rows: { tradingDate: string }[], where: object, field: string, value: string): void => {
    const wanted = Object.entries(where)
    const row = rows.find((each) =>
      wanted.every(([name, is]) => (each as Record<string, unknown>)[name] === is),
    )
    if (!row) throw new RangeError(`no row ${JSON.stringify(where)}`)
    spoiled.set(row, { field, value })
  }
  for (const [symbol, day, time, field, value] of minutesSpoiled)
    spoil(market.minutes, { symbol, tradingDate: `${slashed(day)} ${time}:00` }, field, value)
  const last = slashed(LAST)
  spoil(market.summaries, { symbol: NEVER_TRADED, tradingDate: last }, 'totalMatch', '1e400')
  spoil(market.masterdata, { symbol: 'ACV', tradingDate: last }, 'ceiling', 'NaN')
  spoil(market.indexSummaries, { index: 'VN30', tradingDate: last }, 'indexValue', '0x10')

  // Rows are served as copies: found again by what they say.
  const key = (row: object): string => JSON.stringify({ ...row, index: undefined })
  const byContent = new Map([...spoiled].map(([row, spoilt]) => [key(row), spoilt]))
  const served: { field: string; text: string }[] = []
  standIn.setOptions({
    mutateRow: (_, row, request) => {
      // A bar of five minutes with one minute in it is written as that minute.
      const { timeFrame = '1m' } = request.query
      const spoilt = timeFrame === '1m' ? byContent.get(key(row)) : undefined
      if (!spoilt) return row
      const changed = { ...row, [spoilt.field]: spoilt.value }
      served.push({ field: spoilt.field, text: JSON.stringify(changed) })
      return changed
    },
  })
  const cwd = temporaryFolder()
  const ran = await night(standIn, cwd)
  expectCode(ran, 4)
  expect(served).toHaveLength(spoiled.size)
  const quarantined = await rowsOf<{ reason: string; payload: string }>(
    cwd,
    'select reason, payload from ops.quarantine',
  )
  expect(quarantined.map((row) => row.payload).sort()).toEqual(served.map((row) => row.text).sort())
  for (const { field, text } of served)
    expect(quarantined.find((row) => row.payload === text)?.reason).toMatch(new RegExp(`^${field}: `))
  const good = <Row extends object>(rows: Row[]): Row[] => rows.filter((row) => !spoiled.has(row))
  await expectTruth(
    withMarket(standIn, {
      minutes: good(market.minutes),
      summaries: good(market.summaries),
      masterdata: good(market.masterdata),
      indexSummaries: good(market.indexSummaries),
    }),
    cwd,
    { sessions: SESSIONS },
  )

  standIn.setOptions({ mutateRow: undefined })
  expectCode(await night(standIn, cwd), 0)
  expect(marketOf(await heldHashes(cwd))).toEqual(marketOf(plain.once))
})

test('unknown fields of any name and depth are no harm; JSON numbers beyond 2^53 stay exact; a refusal that repeats what it was given leaves no secret in the page that is kept', async () => {
  const deep = `${'[{"a":'.repeat(5000)}0${'}]'.repeat(5000)}`
  const odd = `{"__proto__":{"polluted":"yes"},"constructor":null,"deep":${deep},"symbol"`
  const refusal = JSON.stringify({ code: '400', msg: `unknown caller ${echo()}` })
  const standIn = await service({
    ...CANARIES,
    faults: [
      { kind: 'status', status: 400, body: refusal, ...bars('HPG'), times: ALWAYS },
      { kind: 'body', transform: (text) => text.replace('{"symbol"', odd), ...bars('VCB') },
      {
        kind: 'body',
        transform: (text) =>
          text.replace(
            /"volume":"\d+","value":"\d+"/,
            '"volume":9007199254740993,"value":9007199254740993.25',
          ),
        ...bars('FPT'),
      },
      {
        kind: 'body',
        transform: (text) =>
          text.replace(/"totalMatchValue":"\d+"/, '"totalMatchValue":90071992547409931234.5678'),
        match: { path: '/data/securitiesSummary' },
      },
    ],
  })
  const cwd = temporaryFolder()
  const ran = await night(standIn, cwd)
  expect([0, 4]).toContain(ran.code)
  const [told] = await rowsOf<{ reason: string }>(
    cwd,
    "select reason from ops.coverage where dataset = 'ohlc' and state = 'refused'",
  )
  expect(told?.reason).toContain('unknown caller')
  expect(leaks(secretsSeen(standIn), cwd, ran)).toEqual([])
  const { market } = standIn
  const answered = market.minutes.filter((row) => row.symbol !== 'HPG')
  const replaced = <Row extends object>(rows: Row[], row: Row | undefined, by: Partial<Row>): Row[] =>
    rows.map((each) => (each === row ? { ...each, ...by } : each))
  const fpt = market.minutes.find((row) => row.symbol === 'FPT')
  await expectTruth(
    withMarket(standIn, {
      minutes: replaced(answered, fpt, { volume: '9007199254740993', value: '9007199254740993.25' }),
      summaries: replaced(market.summaries, market.summaries[0], {
        totalMatchValue: '90071992547409931234.5678',
      }),
    }),
    cwd,
    { sessions: SESSIONS },
  )
  const drift = await rowsOf<{ drift: string }>(cwd, 'select drift from ops.request where drift is not null')
  expect(drift.flatMap((row) => row.drift.split(',').map((name) => name.trim())).sort()).toEqual([
    '__proto__',
    'constructor',
    'deep',
  ])
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

test('a wrong one-time password: the market side completes, and the run says so with 4', async () => {
  const standIn = await service()
  const cwd = temporaryFolder()
  const otp = 'canary-otp-135791'
  const ran = await night(standIn, cwd, { BROKER_OTP: otp })
  expect(await heldHashes(cwd)).toEqual(plain.once)
  const given = standIn.requests.filter((request) => request.body.includes(otp))
  expect(given).toHaveLength(1)
  expect(standIn.count('/auth/token')).toBe(2)
  expect(leaks(secretsSeen(standIn).set(otp, 'one-time password'), cwd, ran)).toEqual([])
  expectCode(ran, 4)
  expect(ran.json<{ notes: string[] }>().notes.join('\n')).toMatch(/one-time password/)
})

function withMarket(standIn: StandIn, changes: Partial<StandInMarket>): StandIn {
  return { ...standIn, market: { ...standIn.market, ...changes } }
}

/** Without the ledger: a record that was rejected leaves its question there. */
function marketOf(all: Hashes): Hashes {
  return Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith('market.')))
}

function onlyRows(text: string): string {
  return JSON.stringify(JSON.parse(text).data)
}

function oneMore(text: string): string {
  return text.replace(/"itemsCount":(\d+)/, (_, count: string) => `"itemsCount":${Number(count) + 1}`)
}

function badUtf8(text: string): Buffer {
  const bytes = Buffer.from(text)
  bytes[bytes.indexOf('Company')] = 0xff
  return bytes
}

/** A gateway that prints what it was given. */
function echo(): string {
  return `upstream failed for ${CANARIES.apiKey} with ${CANARIES.apiSecret}, ${JSON.stringify(CANARIES)}`
}
