import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemEffects } from '../../src/effects.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { buildMarket, type StandIn, startStandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { cli, type Ran } from '../support/program.js'
import { towards } from './support/cli.js'

/** The service has two sessions; what is asked before them it does not have. */
const SESSIONS = ['2025-03-13', '2025-03-14']
const NIGHT = ['nightly', '--skip-accounts', '--date', '2025-03-14', '--sessions', '1']

let standIn: StandIn
/** A night of a Saturday that reaches before the data of the API, and its folder. */
let first: Ran
let home: string
beforeAll(async () => {
  standIn = await startStandIn({ market: buildMarket({ sessions: SESSIONS }) })
  home = temporaryFolder()
  const args = [
    'nightly',
    '--date',
    '2025-03-15',
    '--sessions',
    '4',
    '--symbols',
    'FPT,XYZ',
    '--allow-unknown',
  ]
  const env = towards(standIn, { BROKER_OTP: standIn.otp })
  first = await cli([...args, '--json'], { cwd: home, env })
})
afterAll(async () => await standIn.close())

const run = async (cwd: string, args: readonly string[]) => await cli(args, { cwd, env: towards(standIn) })

function expectNote(ran: Ran, note: string): void {
  expect(ran.stderr).toContain(note)
  expect(ran.json<{ notes: string[] }>().notes).toContain(note)
}

/** Requests for data since the given number, as path and symbol. */
function askedSince(before: number): { endpoint: string; symbol: string | undefined }[] {
  return standIn.requests
    .slice(before)
    .filter(({ path }) => path.includes('/data/'))
    .map(({ path, query }) => ({ endpoint: path.split('/').at(-1) ?? '', symbol: query.symbol }))
}

async function stored<Row>(cwd: string, sql: string): Promise<Row[]> {
  const warehouse = await openWarehouse(join(cwd, 'data/warehouse.duckdb'), systemEffects)
  try {
    return (await warehouse.rows(sql)) as Row[]
  } finally {
    warehouse.close()
  }
}

describe('a symbol that nobody knows', () => {
  test.each([
    ['nightly', [...NIGHT, '--symbols', 'FPTT,HPG']],
    [
      'a backfill that does not want the lists',
      ['backfill', 'masterdata', '--from', '2025-03-14', '--date', '2025-03-14', '--symbols', 'FPTT'],
    ],
  ])(
    '%s on an empty home: 2 with the nearest after the lists, and nothing of any symbol is requested',
    async (_, args) => {
      const cwd = temporaryFolder()
      const before = standIn.requests.length
      const ran = await run(cwd, args)
      expect([ran.code, ran.stderr]).toEqual([
        2,
        expect.stringContaining('no such symbol: FPTT (nearest: FPT)'),
      ])
      expect(ran.stderr).toContain('--allow-unknown')
      expect(
        askedSince(before).filter(({ endpoint }) => !['securitiesByBoard', 'indexList'].includes(endpoint)),
      ).toEqual([])
      expect(
        await stored(
          cwd,
          "select * from ops.coverage where key = 'FPTT' or dataset not in ('securities', 'indexes')",
        ),
      ).toEqual([])
    },
  )

  test('in lower case names the one in upper case, in plan and export too; --allow-unknown accepts it', async () => {
    const before = standIn.requests.length
    for (const args of [
      ['plan', '--date', '2025-03-14', '--symbols', 'fpt'],
      ['export', 'market.daily_summary', '--out', 'x.csv', '--symbols', 'fpt'],
    ]) {
      const ran = await run(home, args)
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('fpt (nearest: FPT')])
      expect((await run(home, [...args, '--allow-unknown'])).code).toBe(0)
    }
    expect(standIn.requests.length).toBe(before)
    // Stored data make a symbol known that no list has.
    const other = ['export', '--query', "select 'OLD1' as symbol", '--out', 'y.csv', '--symbols', 'OLD1']
    expect((await run(home, other)).code).toBe(0)
    const wrong = await run(home, ['export', 'market.daily_summary', '--out', 'daily.docx'])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("'.docx'")])
    const csv = ['export', 'market.daily_summary', '--out', 'daily.docx', '--format', 'csv']
    expect((await run(home, csv)).code).toBe(0)
  })
})

describe('a trading date that is not a session', () => {
  test('2025-03-15 is a Saturday: shown on stderr and in the summary', () => {
    expectNote(first, '2025-03-15 is a Saturday, not a session: the latest session before it is 2025-03-14')
  })

  test('a night of a Saturday is one of the session before it: no curve and no book has the Saturday; a symbol that nobody knows is requested where --allow-unknown says so', async () => {
    expect([first.code, first.json()]).toEqual([0, expect.objectContaining({ tradingDate: '2025-03-14' })])
    expect(standIn.requests.some(({ query }) => query.symbol === 'XYZ')).toBe(true)
    expect(await stored(home, 'select distinct as_of::varchar as day from account.snapshot')).toEqual([
      { day: '2025-03-14' },
    ])
    const days = 'select distinct trading_date from mart.account_equity_curve'
    expect((await cli(['sql', '--csv', days], { cwd: home })).stdout.trim().split('\n').slice(1)).toEqual([
      '2025-03-14',
    ])
    const sunday = await run(home, ['plan', '--date', '2025-03-16'])
    expect(sunday.stderr).toContain(
      '2025-03-16 is a Sunday, not a session: the latest session before it is 2025-03-14',
    )
  })

  test('a backfill up to a Sunday goes up to the session before it', async () => {
    const range = ['--from', '2025-03-14', '--to', '2025-03-16', '--date', '2025-03-16', '--json']
    const planned = await run(temporaryFolder(), ['plan', 'backfill', 'masterdata', ...range])
    expect(planned.code).toBe(0)
    const { tradingDate, stages } = planned.json<{
      tradingDate: string
      stages: { requests: { dataset: string; to: string }[] }[]
    }>()
    const until = stages
      .flatMap(({ requests }) => requests)
      .filter(({ dataset }) => dataset === 'masterdata')
      .map(({ to }) => to)
    expect([tradingDate, until]).toEqual(['2025-03-14', ['2025-03-14']])
  })

  test('2025-04-30 is a holiday', async () => {
    const ran = await run(temporaryFolder(), ['plan', '--date', '2025-04-30'])
    expect(ran.stderr).toContain(
      '2025-04-30 is a holiday, not a session: the latest session before it is 2025-04-29',
    )
  })
})

test('sessions before the data of the API are an answer: exit 0, empty or refused', async () => {
  expect(first.code, first.stdout).toBe(0)
  const states = await stored<{ state: string }>(
    home,
    "select distinct state from ops.coverage where window_from < date '2025-03-13' and dataset <> 'ohlc'",
  )
  expect(states.map(({ state }) => state).filter((state) => !['empty', 'refused'].includes(state))).toEqual(
    [],
  )
  expect(states.length).toBeGreaterThan(0)
})

test('a backfill of candles on an empty home first fetches the lists and the daily summaries', async () => {
  const cwd = temporaryFolder()
  const before = standIn.requests.length
  const range = ['--from', '2025-03-13', '--to', '2025-03-14', '--date', '2025-03-14']
  expect((await run(cwd, ['backfill', 'ohlc', ...range, '--timeframe', '1d'])).code).toBe(0)
  const asked = askedSince(before)
  const endpoints = [...new Set(asked.map(({ endpoint }) => endpoint))]
  expect(endpoints).toEqual(['securitiesByBoard', 'securitiesSummary', 'ohlc'])
  // Who traded is known then: the listed name without a trade is not asked for.
  const candles = new Set(asked.filter(({ endpoint }) => endpoint === 'ohlc').map(({ symbol }) => symbol))
  expect(candles.has('FPT')).toBe(true)
  expect(candles.has('DNT')).toBe(false)
})
