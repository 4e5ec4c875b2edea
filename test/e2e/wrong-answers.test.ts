import { beforeAll, describe, expect, test } from 'vitest'
import type { Fault, StandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { cli, type Ran } from '../support/program.js'
import { ALWAYS, bars } from './support/bad-answers.js'
import { leaks, secretsSeen } from './support/canaries.js'
import {
  expectCode,
  FIRST,
  heldHashes,
  missingOf,
  night,
  rowsOf,
  SESSIONS,
  service,
  undisturbed,
} from './support/nights.js'

let plain: Awaited<ReturnType<typeof undisturbed>>

beforeAll(async () => {
  plain = await undisturbed()
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
    const both = ['HPG', 'VCB', 'VRE', BROKEN_PAGE, ENDLESS, ...NOTHING_BARS].flatMap((symbol) =>
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
    expect(status.json()).toMatchObject({ gapCount: 17, quarantined, lastRun: { exitCode: 4 } })
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
