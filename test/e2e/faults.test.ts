import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Fault, NEVER_TRADED, type StandIn, type StandInMarket } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { cli, type Ran } from '../support/program.js'
import { leaks, secretsSeen } from './support/canaries.js'
import { hashes } from './support/hashes.js'
import {
  afterEve,
  expectCode,
  FIRST,
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

/** What is wrong in pages that are JSON: each contradicts itself, or another page of its walk. */
const CONTRADICTIONS: Fault[] = [
  { kind: 'short', match: { path: '/data/masterdata' }, times: ALWAYS },
  { kind: 'dup', match: { path: '/data/securitiesSummary', where: { pageIndex: '2' } } },
  { kind: 'samePage', match: { path: '/data/ohlc', where: { symbol: 'VCB' } }, times: ALWAYS },
  { kind: 'dup', edit: (row) => ({ ...row, close: '1' }), ...bars('FPT', '2') },
  { kind: 'short', match: { path: '/data/ohlc', where: { symbol: 'HPG', timeFrame: '1m' } }, times: ALWAYS },
  { kind: 'body', transform: oneMore, ...bars('VRE', '2'), times: ALWAYS },
  { kind: 'dup', ...bars('PVS', '2') },
  { kind: 'dup', shift: true, ...bars('SHS', '2') },
  { kind: 'body', transform: oneMore, ...bars('ACV', '3') },
]

const [BROKEN_PAGE, ENDLESS] = ['CVRE2505', 'E1VFVN30']
const BROKEN: Fault[] = [
  {
    kind: 'body',
    transform: (text) => text.replace('},{', '},},{'),
    match: { path: '/data/ohlc', where: { symbol: BROKEN_PAGE, timeFrame: '1m' } },
    times: ALWAYS,
  },
  {
    kind: 'body',
    transform: endless(),
    match: { path: '/data/ohlc', where: { symbol: ENDLESS, timeFrame: '1m' } },
    times: ALWAYS,
  },
]

const NOTHING_BARS = ['41I1F4000', 'VGT']
/** Nothing, once, where there is something. */
const NOTHING: Fault[] = [
  { kind: 'status', status: 204, match: { path: '/data/indexSummary', where: { index: 'VNINDEX' } } },
  { kind: 'body', transform: () => '{"code":204}', ...bars('41I1F4000') },
  { kind: 'status', status: 204, ...bars('VGT') },
]

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
  const cwd = await afterEve()
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
  // A login, then the four lists side by side, nine attempts each at the most.
  expect(await outage((request) => request.path.includes('/data/'))).toBeLessThanOrEqual(1 + 4 * 9)
  // A login, lists and daily datasets, three candles, then eight workers.
  const daily = 1 + 4 + 5 + 1 + 10 + 1
  const candles: Fault['match'] = (request, nth) => request.path.endsWith('/data/ohlc') && nth > 3
  const nothing: Fault = { kind: 'status', status: 204, match: { path: '/data/masterdata' } }
  expect(await outage(candles, nothing)).toBeLessThanOrEqual(daily + 3 + 8 * 9)
  // Limits are asked again too, which that run received as nothing.
  standIn.setOptions({ faults: [] })
  expectCode(await night(standIn, cwd), 0)
  expect(await heldHashes(cwd)).toEqual(plain.twice)
})

describe('one night of answers that are wrong', () => {
  let standIn: StandIn
  let cwd: string
  let ran: Ran
  const asked = (symbol: string): number => standIn.count('/data/ohlc', { symbol, timeFrame: '1m' })
  const missing = (symbol: string): string[] =>
    (missingOf(ran).ohlc ?? []).filter((line) => line.startsWith(`${symbol} `))

  beforeAll(async () => {
    standIn = await service({ pageCap: 7, faults: [...NOTHING, ...CONTRADICTIONS, ...BROKEN] })
    cwd = temporaryFolder()
    ran = await night(standIn, cwd)
  })

  test('pages that contradict themselves: incomplete and said so, never complete, and a rerun converges', async () => {
    expectCode(ran, 4)
    expect(asked('VCB')).toBeLessThanOrEqual(4)
    expect(asked('HPG')).toBeLessThanOrEqual(8)
    expect(asked('VRE')).toBe(4)
    expect(standIn.count('/data/masterdata')).toBeLessThanOrEqual(8)

    const { ohlc = [], ...others } = missingOf(ran)
    const both = ['HPG', 'VCB', 'VRE', BROKEN_PAGE, ENDLESS].flatMap((symbol) =>
      SESSIONS.map((day) => `${symbol} 1m ${day}`),
    )
    expect(ohlc.map((line) => line.replace(/:.*/, '')).sort()).toEqual([`FPT 1m ${FIRST}`, ...both].sort())
    expect(others).toEqual({ masterdata: SESSIONS.map((day) => `${day}: 21 rows where itemsCount says 25`) })
    expect(missing('HPG')[0]).toMatch(/2[01] rows where itemsCount says 24/)
    const status = await cli(['status', '--json'], { cwd })
    const rejected = await rowsOf<{ payload: string }>(
      cwd,
      `select payload from ops.quarantine where payload not like '%${ENDLESS}%' order by payload`,
    )
    const quarantined = 2 + 2 * asked(ENDLESS)
    expect(status.json()).toMatchObject({ gapCount: 13, quarantined, lastRun: { exitCode: 4 } })
    const [bar] = standIn.market.minutes.filter((row) => row.symbol === 'FPT').slice(6)
    expect(rejected.map((row) => row.payload)).toEqual(
      [{ ...bar, close: '1' }, bar].map((row) => JSON.stringify(row)).sort(),
    )
    expect(await rowsOf(cwd, 'select distinct reason from ops.quarantine')).toEqual([
      { reason: 'the same key twice with different values' },
    ])
    const contradicted = `symbol = 'FPT' and local_time = '${bar?.tradingDate.replaceAll('/', '-')}'`
    expect(await rowsOf(cwd, `from market.candle where timeframe = '1m' and ${contradicted}`)).toEqual([])
  })

  test('one broken page costs three requests and ends no run', () => {
    expect(asked(BROKEN_PAGE)).toBe(3)
    expect(missing(BROKEN_PAGE)).toHaveLength(2)
    for (const line of missing(BROKEN_PAGE)) expect(line).toMatch(/: page 1: not one whole JSON document: /)
  })

  test('a page count of 2^53 - 1 is asked for no more than its windows can hold, and everything else loads', () => {
    expect(asked(ENDLESS)).toBeLessThan(2000)
    expect(missing(ENDLESS)).toHaveLength(2)
  })

  test('a wrong one-time password: the market side completes, and the run says so with 4', async () => {
    standIn.setOptions({ faults: [] })
    const otp = 'canary-otp-135791'
    const before = standIn.count('/auth/token')
    const again = await night(standIn, cwd, { BROKER_OTP: otp })
    // Nothing of the night before is missing: the code is that of the password alone.
    expect(missingOf(again)).toEqual({})
    expect(await heldHashes(cwd)).toEqual(plain.once)
    const given = standIn.requests.filter((request) => request.body.includes(otp))
    expect(given).toHaveLength(1)
    expect(standIn.count('/auth/token') - before).toBe(2)
    expect(leaks(secretsSeen(standIn).set(otp, 'one-time password'), cwd, again)).toEqual([])
    expectCode(again, 4)
    expect(again.json<{ notes: string[] }>().notes.join('\n')).toMatch(/one-time password/)
  })

  test('an answer of nothing where there is something is asked again', async () => {
    expect(standIn.requests.filter(({ status }) => status === 204)).toHaveLength(2)
    for (const symbol of NOTHING_BARS) expect(asked(symbol), symbol).toBeGreaterThan(1)
    // By the night before this test, which had no faults.
    expect(await heldHashes(cwd)).toEqual(plain.once)
  })
})

const REFUSED = 'HPG'
/** Of a board where bars may have more volume than the summary (rule 8). */
const LARGE = 'VGT'
/** Fields of any name and depth, numbers beyond 2^53, and a refusal with secrets in it. */
const ODD_VALUES: Fault[] = [
  {
    kind: 'status',
    status: 400,
    body: JSON.stringify({ code: '400', msg: `unknown caller ${echo()}` }),
    ...bars(REFUSED),
    times: ALWAYS,
  },
  { kind: 'body', transform: (text) => text.replace('{"symbol"', oddFields()), ...bars('VCB') },
  {
    kind: 'body',
    transform: (text) =>
      text.replace(/"volume":"\d+","value":"\d+"/, '"volume":9007199254740993,"value":9007199254740993.25'),
    ...bars(LARGE),
  },
  {
    kind: 'body',
    transform: (text) =>
      text.replace(/"totalMatchValue":"\d+"/, '"totalMatchValue":90071992547409931234.5678'),
    match: { path: '/data/securitiesSummary' },
  },
]

function oddFields(): string {
  const deep = `${'[{"a":'.repeat(5000)}0${'}]'.repeat(5000)}`
  return `{"__proto__":{"polluted":"yes"},"constructor":null,"deep":${deep},"symbol"`
}

const minutesSpoiled: [symbol: string, day: string, time: string, field: string, value: string][] = [
  ['VRE', FIRST, '09:15', 'open', '1,23,4'],
  ['PVS', LAST, '09:16', 'high', 'NaN'],
  ['SHS', FIRST, '09:17', 'low', 'Infinity'],
  ['VRE', LAST, '09:20', 'close', '1e400'],
  ['E1VFVN30', FIRST, '09:30', 'volume', '-'],
  ['CVRE2505', LAST, '10:00', 'value', '0x10'],
  ['PVS', FIRST, '10:30', 'volume', '1_000'],
  ['SHS', LAST, '11:29', 'volume', '12345678901234567890'],
  ['41I1F4000', FIRST, '13:00', 'open', '1350.1234567'],
  ['ACV', FIRST, '13:30', 'tradingDate', '2025/02/30 13:30:00'],
  ['ACV', LAST, '14:29', 'tradingDate', '2025/03/17 14:29:00'],
  ['PVS', FIRST, '14:45', 'tradingDate', '13-03-2025 14:45:00'],
  ['VRE', LAST, '13:00', 'volume', '12.6'],
]

describe('a night of values as no specification has them', () => {
  let standIn: StandIn
  let cwd: string
  let ran: Ran
  const spoiled = new Map<object, { field: string; value: string }>()
  const served: { field: string; text: string }[] = []
  const good = <Row extends object>(rows: Row[]): Row[] => rows.filter((row) => !spoiled.has(row))

  beforeAll(async () => {
    standIn = await service({ ...CANARIES, faults: ODD_VALUES })
    spoilRecords(standIn.market, spoiled)
    // Rows are served as copies: found again by what they say.
    const key = (row: object): string => JSON.stringify({ ...row, index: undefined })
    const byContent = new Map([...spoiled].map(([row, spoilt]) => [key(row), spoilt]))
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
    cwd = temporaryFolder()
    ran = await night(standIn, cwd)
  })

  /** What the service holds as it told it: without what it refused, with the numbers that it wrote. */
  const told = (rows: <Row extends object>(all: Row[]) => Row[]): StandIn => {
    const { market } = standIn
    const [summary] = market.summaries
    const derived = market.daily.find((row) => row.symbol === summary?.symbol)
    const large = market.minutes.find((row) => row.symbol === LARGE)
    return withMarket(standIn, {
      minutes: replaced(
        rows(market.minutes).filter((row) => row.symbol !== REFUSED),
        large,
        { volume: '9007199254740993', value: '9007199254740993.25' },
      ),
      summaries: replaced(rows(market.summaries), summary, {
        totalMatchValue: '90071992547409931234.5678',
      }),
      // A bar has no room for it.
      daily: replaced(market.daily, derived, { value: '' }),
      masterdata: rows(market.masterdata),
      indexSummaries: rows(market.indexSummaries),
    })
  }

  test('a record that cannot be believed: quarantined with its own words, and nothing else with it', async () => {
    expectCode(ran, 4)
    expect(served).toHaveLength(spoiled.size)
    const quarantined = await rowsOf<{ reason: string; payload: string }>(
      cwd,
      'select reason, payload from ops.quarantine',
    )
    expect(quarantined.map((row) => row.payload).sort()).toEqual(served.map((row) => row.text).sort())
    for (const { field, text } of served)
      expect(quarantined.find((row) => row.payload === text)?.reason).toMatch(new RegExp(`^${field}: `))
    await expectTruth(told(good), cwd, { sessions: SESSIONS })
  })

  test('unknown fields of any name and depth are no harm; JSON numbers beyond 2^53 stay exact; a refusal that repeats what it was given leaves no secret in the page that is kept', async () => {
    const [refused] = await rowsOf<{ reason: string }>(
      cwd,
      "select reason from ops.coverage where dataset = 'ohlc' and state = 'refused'",
    )
    expect(refused?.reason).toContain('unknown caller')
    expect(leaks(secretsSeen(standIn), cwd, ran)).toEqual([])
    const drift = await rowsOf<{ drift: string }>(
      cwd,
      'select drift from ops.request where drift is not null',
    )
    expect(drift.flatMap((row) => row.drift.split(',').map((name) => name.trim())).sort()).toEqual([
      '__proto__',
      'constructor',
      'deep',
    ])
  })

  test('a record that was rejected is asked again, until it can be believed', async () => {
    standIn.setOptions({ mutateRow: undefined })
    expectCode(await night(standIn, cwd), 0)
    // Summaries are asked again with the record that was rejected: without the number that was written once.
    const { summaries, daily } = standIn.market
    await expectTruth(
      withMarket(
        told((rows) => rows),
        { summaries, daily },
      ),
      cwd,
      { sessions: SESSIONS },
    )
  })
})

/** Values that no number and no date is, in records of every dataset. */
function spoilRecords(market: StandInMarket, spoiled: Map<object, { field: string; value: string }>): void {
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
}

function replaced<Row extends object>(rows: Row[], row: Row | undefined, by: Partial<Row>): Row[] {
  return rows.map((each) => (each === row ? { ...each, ...by } : each))
}

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

function withMarket(standIn: StandIn, changes: Partial<StandInMarket>): StandIn {
  return { ...standIn, market: { ...standIn.market, ...changes } }
}

function onlyRows(text: string): string {
  return JSON.stringify(JSON.parse(text).data)
}

/**
 * A page count that no walk can reach; every page has another bar, and no page says how many there are. The bar comes twice
 * with different values, so that none of it is believed: both records go to quarantine.
 */
function endless(): (text: string) => string {
  let page = 0
  return (text) => {
    page++
    const { itemsCount: _, ...body } = JSON.parse(text) as { data: object[]; itemsCount?: unknown }
    const minute = `${String(9 + (Math.floor(page / 60) % 6)).padStart(2, '0')}:${String(page % 60).padStart(2, '0')}`
    const bar = {
      ...body.data[0],
      symbol: ENDLESS,
      tradingDate: `2025/03/14 ${minute}:00`,
      volume: String(page),
    }
    const data = [bar, { ...bar, volume: String(-page) }]
    return JSON.stringify({ ...body, pageCount: Number.MAX_SAFE_INTEGER, data })
  }
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
