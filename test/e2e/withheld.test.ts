import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { StandIn, StandInOptions } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli, type Ran } from '../support/program.js'
import { start, towards } from './support/cli.js'
import { hashes, restorableHashes } from './support/hashes.js'
import { expectCode, FIRST, firstNight, LAST, NIGHT, rowsOf, service } from './support/nights.js'

const WARRANT = 'CVRE2505'
/** In short, marts that lack withheld rows: test/publish/withheld.test.ts. */
const MARTS = LONG ? 'daily,daily_factor,daily_adjusted,universe' : 'none'

type Mutation = NonNullable<StandInOptions['mutateRow']>
type Fields = Record<string, unknown>

interface Withheld {
  relation: string
  tradingDate: string
  rule: number
  keys: string[] | null
}

/** Settings of every night here: accounts are read, and marts are tables of the lake. */
const environment = (standIn: StandIn) =>
  towards(standIn, { BROKER_OTP: standIn.otp, CANDLEHOUSE_LAKE_MARTS: MARTS })

async function nightOf(standIn: StandIn, cwd: string, writesReport = false): Promise<Ran> {
  return await cli(NIGHT, { cwd, env: environment(standIn), writesReport })
}

/** The same without accounts. */
async function marketNightOf(standIn: StandIn, cwd: string): Promise<Ran> {
  return await cli([...NIGHT, '--skip-accounts'], { cwd, env: environment(standIn) })
}

const run = (cwd: string, ...args: string[]): Promise<Ran> =>
  cli(args, { cwd, env: { CANDLEHOUSE_LAKE_MARTS: MARTS } })

/** Changes fields of the summary of a symbol on the last session. */
const summaryOf =
  (symbol: string, change: (row: Fields) => Fields): Mutation =>
  (dataset, row) =>
    dataset === 'securitiesSummary' && row.symbol === symbol && row.tradingDate === LAST.replaceAll('-', '/')
      ? ({ ...row, ...change(row as Fields) } as typeof row)
      : row

/** The warrant's high is 1. */
const badWarrant = summaryOf(WARRANT, () => ({ high: '1' }))

/** A number per relation over its rows but those of some symbols of the last session, and but for what differs between runs. */
async function digests(cwd: string, symbols: readonly string[]): Promise<Record<string, unknown>> {
  const relations = {
    'market.daily_summary': 'trading_date',
    'market.price_limit': 'trading_date',
    'market.candle': 'trading_date',
    'mart.intraday': 'trading_date',
    'mart.session_factor': 'trading_date',
    'mart.daily': 'trading_date',
    'mart.adjustment_event': 'ex_date',
    'mart.chain_gap': 'trading_date',
    'mart.daily_factor': 'trading_date',
    'mart.daily_adjusted': 'trading_date',
    'mart.position_value': 'trading_date',
  }
  const named = ['', ...symbols].map((symbol) => `'${symbol}'`).join(', ')
  const counted = Object.entries(relations).map(
    ([name, day]) => `select '${name}' as name, count(*) as n, bit_xor(hash(rest)) as digest from (
       select columns(lambda c: c not in ('request_id', 'loaded_at', 'snapshot_id')) from ${name}
       where not (symbol in (${named}) and ${day} = '${LAST}')) rest`,
  )
  const whole = [
    'market.index_summary',
    'market.security',
    'market.security_history',
    'mart.account_equity_curve',
  ].map(
    (name) => `select '${name}', count(*), bit_xor(hash(rest)) from (
       select columns(lambda c: c not in ('request_id', 'loaded_at')) from ${name}) rest`,
  )
  const rows = await rowsOf<{ name: string }>(cwd, [...counted, ...whole].join(' union all '))
  return Object.fromEntries(rows.map(({ name, ...digest }) => [name, digest]))
}

/** Hashes of the facts and of what is computed from them; not of evidence kept beside them. */
async function facts(cwd: string): Promise<Record<string, string>> {
  const kept = Object.entries(await hashes(cwd)).filter(
    ([name]) => /^(market|mart)\./.test(name) && name !== 'market.revision',
  )
  expect(kept.length).toBeGreaterThan(12)
  return Object.fromEntries(kept)
}

const withheldBy = (ran: Ran): Withheld[] => ran.json<{ checks: { withheld: Withheld[] } }>().checks.withheld
const closeOf = (cwd: string, symbol: string): Promise<Fields[]> =>
  rowsOf(cwd, `select trading_date, close from market.daily_summary where symbol = '${symbol}' order by 1`)
const highOf = (symbol: string): string =>
  `select high from market.daily_summary where symbol = '${symbol}' and trading_date = '${LAST}'`
/** Candles that the next nightly would request, and why. */
async function plannedCandles(standIn: StandIn, cwd: string): Promise<string[]> {
  const plan = await cli(['plan', ...NIGHT.slice(1)], { cwd, env: environment(standIn) })
  const { stages } = plan.json<{ stages: { requests: Record<'dataset' | 'key' | 'why', string>[] }[] }>()
  return stages
    .flatMap(({ requests }) => requests)
    .filter(({ dataset }) => dataset === 'ohlc')
    .map(({ key, why }) => `${key}: ${why}`)
}

const publications = (cwd: string): Promise<Fields[]> =>
  rowsOf(cwd, 'select max(publication_id) as id from ops.publication')

/** Copies of a folder: catalogs name files by their path, so each is published again before it is read. */
function copyOf(cwd: string): string {
  const copy = temporaryFolder()
  cpSync(cwd, copy, { recursive: true })
  rmSync(join(copy, 'data', 'catalog.duckdb'))
  return copy
}

/** A home after the night of the first session, and the same after an undisturbed night of the last one. */
let eve: string
let plain: string
beforeAll(async () => {
  eve = await firstNight()
  if (!LONG) return
  plain = copyOf(eve)
  expectCode(await nightOf(await service(), plain), 0)
})

/** The lows of the minute bars of PVS are above their highs. */
const lowMinutes: Mutation = (dataset, row, request) =>
  dataset === 'ohlc' && request.query.timeFrame === '1m' && request.query.symbol === 'PVS'
    ? ({ ...row, low: '99000' } as typeof row)
    : row

/** Shares that are not in the summary: more than the hundredth that rule 8 allows sums of minutes. */
const EXTRA = 10_000_000

const isClosingAuction = (row: object): boolean =>
  String((row as { tradingDate: string }).tradingDate).includes('14:45')

/** A digit too many in the volume of the last minute bar of HPG. */
const wrongVolume: Mutation = (dataset, row, request) =>
  dataset === 'ohlc' &&
  request.query.timeFrame === '1m' &&
  request.query.symbol === 'HPG' &&
  isClosingAuction(row)
    ? ({ ...row, volume: String(Number((row as { volume: string }).volume) + EXTRA) } as typeof row)
    : row

const BAD = [WARRANT, 'PVS', 'HPG']

/** A bad summary and bad bars, of three symbols. */
const badRows: Mutation = (dataset, row, request) =>
  [badWarrant, lowMinutes, wrongVolume].reduce((changed, change) => change(dataset, changed, request), row)

/** What the night with bad rows leaves that nothing kills. */
let withBadRows: Record<string, string> = {}

interface Break {
  rule: number
  severity: string
  expected: string
  actual: string
}

const breaksOf = (ran: Ran): Break[] => ran.json<{ checks: { breaks: Break[] } }>().checks.breaks

/** Sessions of which readers see bars of a symbol. */
const barsOf = async (cwd: string, symbol: string): Promise<unknown[]> =>
  (
    await rowsOf<Fields>(
      cwd,
      `select distinct trading_date from market.candle where timeframe = '1m' and symbol = '${symbol}' order by 1`,
    )
  ).map(({ trading_date }) => trading_date)

/** One home: each test goes on where the one before it ended. */
describe('one warrant with a high of 1, bars of a share with lows above highs, a wrong digit in the volume of another one', () => {
  let standIn: StandIn
  let cwd: string
  let ran: Ran
  beforeAll(async () => {
    standIn = await service({ mutateRow: badRows })
    cwd = copyOf(eve)
    ran = await nightOf(standIn, cwd, true)
  })

  test('these rows alone are withheld and named, and accounts have prices of the session', async () => {
    expectCode(ran, 4)
    withBadRows = await restorableHashes(cwd)
    expect(withheldBy(ran)).toMatchObject([
      { relation: 'market.candle', tradingDate: LAST, rule: 1, keys: ['PVS'] },
      { relation: 'market.daily_summary', tradingDate: LAST, rule: 1, keys: [WARRANT] },
      { relation: 'market.candle', tradingDate: LAST, rule: 8, keys: ['HPG'] },
    ])
    const broken = breaksOf(ran).find(({ rule }) => rule === 8)
    expect(broken).toMatchObject({ rule: 8, severity: 'error' })
    expect(Number(broken?.actual) - Number(broken?.expected)).toBe(EXTRA)
    // In short: test/e2e/proportion/evidence.test.ts.
    if (LONG) expect(await digests(cwd, BAD)).toEqual(await digests(plain, BAD))
    expect(await closeOf(cwd, WARRANT)).toMatchObject([{ trading_date: FIRST }])
    const bars = `select timeframe from market.candle where symbol = '${WARRANT}' and trading_date = '${LAST}' and timeframe in ('1m', '1d') group by 1`
    expect(await rowsOf(cwd, bars)).toEqual([{ timeframe: '1m' }])
    // Readers keep the session before; the summary of the session confirms its volume by its value, and is published.
    for (const symbol of ['PVS', 'HPG']) expect(await barsOf(cwd, symbol)).toEqual([FIRST])
    expect(await barsOf(cwd, 'FPT')).toEqual([FIRST, LAST])
    expect((await closeOf(cwd, 'HPG')).at(-1)).toMatchObject({ trading_date: LAST })
    const prices = 'select distinct priced_on, is_current from mart.position_value where price is not null'
    expect(await rowsOf(cwd, prices)).toEqual([{ priced_on: LAST, is_current: true }])
    const status = await run(cwd, 'status')
    const named = /readers see market\.candle, market\.daily_summary of [^(]*PVS[^(]* as before/
    expect(status.stdout).toMatch(named)
    expect(status.stdout).toMatch(/rule 8 is broken .*HPG/)
    expect(JSON.stringify(ran.json<{ conclusion: unknown }>().conclusion)).toMatch(named)
    const report = readFileSync(join(cwd, 'data/reports', `${LAST}.html`), 'utf8')
    expect(report).toMatch(new RegExp(`New rows of this session are withheld: [^.<]*${WARRANT}`))
    expectCode(await run(cwd, 'lake', 'verify'), 0)
    const [offender] = await rowsOf<{ key: string }>(
      cwd,
      "select key from recon.offender where rule = 8 and state = 'break'",
    )
    const traced = await run(cwd, 'trace', 'market.candle', offender?.key ?? '')
    expect([traced.code, traced.stderr]).toEqual([2, expect.stringContaining('is withheld: rule 8')])
    expect((await plannedCandles(standIn, cwd)).sort()).toEqual([
      'HPG: rule 8 is broken',
      'PVS: rule 1 is broken',
    ])
  })

  test('a person overrides a rule that has an open finding, with a reason: its rows are published, the others stay withheld; a rerun writes nothing', async () => {
    const before = await publications(cwd)
    const refused = await run(cwd, 'publish', '--accept', '13', '--because', 'never mind')
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('rule 13 has no open finding'),
    ])
    const unexplained = await run(cwd, 'publish', '--accept', '8')
    expect([unexplained.code, unexplained.stderr]).toEqual([2, expect.stringContaining('given together')])
    expectCode(await run(cwd, 'publish'), 4)
    expect(await publications(cwd)).toEqual(before)
    expectCode(await run(cwd, 'publish', '--accept', '8', '--because', 'the broker confirmed it'), 4)
    expect(await barsOf(cwd, 'HPG')).toEqual([FIRST, LAST])
    expect(await barsOf(cwd, 'PVS')).toEqual([FIRST])
    expect(await rowsOf(cwd, 'select rule, trading_date, because from recon.acceptance')).toEqual([
      { rule: 8, trading_date: LAST, because: 'the broker confirmed it' },
    ])
  })

  test('a replay gives the same: what is withheld and what was accepted', async () => {
    const withBreak = await hashes(cwd)
    const rebuilt = temporaryFolder()
    cpSync(join(cwd, 'data/raw'), join(rebuilt, 'data/raw'), { recursive: true })
    expectCode(await run(rebuilt, 'replay'), 0)
    expectCode(await run(rebuilt, 'publish'), 4)
    expect(await hashes(rebuilt)).toEqual(withBreak)
  })

  test('with the other rule overridden too all is published, stays accepted by the next night, and nothing is requested again', async () => {
    expectCode(await run(cwd, 'publish', '--accept', '1', '--because', 'seen'), 0)
    expect(await plannedCandles(standIn, cwd)).toEqual([])
    expect(await rowsOf(cwd, highOf(WARRANT))).toEqual([{ high: '1.000000' }])
    const lows = `select distinct low from market.candle where symbol = 'PVS' and trading_date = '${LAST}' and timeframe = '1m'`
    expect(await rowsOf(cwd, lows)).toEqual([{ low: '99000.000000' }])
    expectCode(await marketNightOf(standIn, cwd), 0)
    for (const symbol of ['PVS', 'HPG']) expect(await barsOf(cwd, symbol)).toEqual([FIRST, LAST])
    expect(await rowsOf(cwd, highOf(WARRANT))).toEqual([{ high: '1.000000' }])
  })

  test.runIf(LONG)(
    'the next healthy night is equal everywhere, but for bars that stay accepted',
    async () => {
      // Summaries are fetched every night. Without the warrant, the override no longer covers the bars: the next night requests them.
      standIn.setOptions({ mutateRow: undefined })
      await nightOf(standIn, cwd)
      expect(await plannedCandles(standIn, cwd)).toContain('PVS: rule 1 is broken')
      await nightOf(standIn, cwd)
      // Bars that break a rule which a person has overridden are requested by nobody: those of HPG stay.
      expect(await digests(cwd, ['HPG'])).toEqual(await digests(plain, ['HPG']))
    },
  )
})

// In short: test/publish/withheld.test.ts.
test.runIf(LONG)(
  'a published summary that goes bad stays as it was, beside all other rows; where the only copy of what readers see is damaged, the row is absent and named, all others stay, and the next healthy night is equal everywhere',
  async () => {
    const standIn = await service({ mutateRow: summaryOf('VCB', () => ({ high: '1' })) })
    const cwd = copyOf(plain)
    const ran = await nightOf(standIn, cwd)
    expectCode(ran, 4)
    expect(withheldBy(ran).map(({ relation, keys }) => [relation, keys])).toEqual([
      ['market.daily_summary', ['VCB']],
    ])
    expect(await digests(cwd, [])).toEqual(await digests(plain, []))
    const [copy] = await rowsOf<{ file: string }>(
      cwd,
      `select distinct filename as file from read_parquet('${cwd}/data/lake/market/daily_summary/**/*.parquet', filename = true)
     where trading_date = '${LAST}' and symbol = 'VCB'`,
    )
    const file = copy?.file ?? ''
    chmodSync(file, 0o600)
    truncateSync(file, statSync(file).size >> 1)
    const published = await run(cwd, 'publish')
    expectCode(published, 4)
    expect(`${published.stdout}${published.stderr}`).toContain(`market.daily_summary of ${LAST}`)
    expect(await closeOf(cwd, 'VCB')).toMatchObject([{ trading_date: FIRST }])
    expect(await digests(cwd, ['VCB'])).toEqual(await digests(plain, ['VCB']))
    expectCode(await run(cwd, 'lake', 'verify'), 0)
    standIn.setOptions({ mutateRow: undefined })
    expectCode(await nightOf(standIn, cwd), 0)
    expect(await facts(cwd)).toEqual(await facts(plain))
  },
)

// In short: the cases withheld-close of test/cases/mart, and test/report/accounts.test.ts.
test.runIf(LONG)(
  'a held symbol whose new summary is withheld is valued at the close before, which is named; its change is not known',
  async () => {
    const standIn = await service()
    const cwd = temporaryFolder()
    standIn.setOptions({ today: FIRST })
    const first = ['nightly', '--date', FIRST, '--sessions', '1', '--json']
    expectCode(await cli(first, { cwd, env: environment(standIn) }), 0)
    standIn.setOptions({ today: LAST, mutateRow: summaryOf('FPT', () => ({ high: '1' })) })
    expectCode(await nightOf(standIn, cwd, true), 4)
    const held = `select account_no, trading_date, price, priced_on, is_current from mart.position_value where symbol = 'FPT' order by 2`
    const [before, stale] = await rowsOf<Fields>(cwd, held)
    expect(before).toMatchObject({ trading_date: FIRST, priced_on: FIRST, is_current: true })
    expect(stale).toMatchObject({
      trading_date: LAST,
      priced_on: FIRST,
      is_current: false,
      price: before?.price,
    })
    const curve = `select account_no = '${before?.account_no}' as is_held, priced_on, change is null as unknown, unexplained_cash is null as unexplained
    from mart.account_equity_curve where trading_date = '${LAST}' and priced_on is not null group by all order by 1`
    expect(await rowsOf(cwd, curve)).toEqual([
      { is_held: false, priced_on: LAST, unknown: false, unexplained: false },
      { is_held: true, priced_on: FIRST, unknown: true, unexplained: false },
    ])
    const report = readFileSync(join(cwd, 'data/reports', `${LAST}.html`), 'utf8')
    expect(report).toContain('at the close of 13 Mar 2025: the change is not known')
    expect(report).toContain('13 Mar 2025, later closes are not known')
  },
)

// In short: test/e2e/kill.test.ts.
test.runIf(LONG)(
  'SIGKILL while a night with a bad row is published, then the same command: equal to the night that nothing killed',
  async () => {
    const standIn = await service({ mutateRow: badRows })
    const killer = ['--import', join(import.meta.dirname, 'support/killer.mjs')]
    for (const at of ['before 2 link lake']) {
      const cwd = copyOf(eve)
      const env = { ...environment(standIn), KILLER_AT: at }
      const killed = await start(NIGHT, { cwd, env, node: killer }).ended
      expect([at, killed.signal]).toEqual([at, 'SIGKILL'])
      expectCode(await nightOf(standIn, cwd), 4)
      expect(await restorableHashes(cwd)).toEqual(withBadRows)
      expect(readdirSync(join(cwd, 'data'))).toContain('catalog.duckdb')
    }
  },
)
