import { describe, expect, test } from 'vitest'
import type { Conclusion } from '../../src/conclusion/conclusion.js'
import { InterruptedError } from '../../src/errors.js'
import type { Fault, StandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli, type Ran } from '../support/program.js'
import { towards } from './support/cli.js'
import {
  afterFirstNight,
  contradictions,
  DAYS,
  marketHashes,
  marketService,
  nightOf,
  nothing,
  repairOf,
  undisturbedNights,
  without,
} from './support/contradictions.js'
import { expectCode, missingOf, rowsOf } from './support/nights.js'

const [ONE, TWO, THREE, FOUR] = DAYS
const slashed = (day: string): string => day.replaceAll('-', '/')

/** A replay reads pages and journals alone: it gives the same rows and the same contradictions. */
async function expectReplay(cwd: string): Promise<void> {
  const [hashes, open] = [await marketHashes(cwd), await contradictions(cwd)]
  await cli(['replay'], { cwd })
  expectCode(await cli(['publish'], { cwd }), 0)
  expect(await marketHashes(cwd)).toEqual(hashes)
  expect(await contradictions(cwd)).toEqual(open)
}

/** Answers that lack a session which others have: dataset of the window, fault. */
const EMPTY: readonly [string, string, Fault[]][] = [
  [
    'the newest session is missing from the daily summaries',
    'securitiesSummary',
    [without('/data/securitiesSummary', (row) => row.tradingDate === slashed(TWO))],
  ],
  [
    'the newest session is missing from the price limits',
    'masterdata',
    [without('/data/masterdata', (row) => row.tradingDate === slashed(TWO))],
  ],
  [
    'the index summary of one index is empty',
    'indexSummary',
    [nothing('/data/indexSummary', { index: 'VN30', tradingDate: slashed(TWO) })],
  ],
  ['the list of a board is empty', 'securities', [nothing('/data/securitiesByBoard', { board: 'HNX' })]],
  ['the list of indexes is empty', 'indexes', [nothing('/data/indexList')]],
  [
    'a symbol that traded has no candles',
    'ohlc',
    [nothing('/data/ohlc', { symbol: 'FPT', timeFrame: '1m' })],
  ],
]

/** Every second case in `make test`: test/e2e/proportion has a night of each dataset, of a withdrawn and of a renamed symbol. */
function chosen<Case>(cases: readonly Case[]): readonly Case[] {
  return cases.filter((_, index) => LONG || index % 2 === 0)
}

describe('a session that an answer lacks and others have', () => {
  test.each(chosen(EMPTY))('%s: incomplete, exit 4, and a repair has it', async (_, dataset, faults) => {
    const cwd = await afterFirstNight()
    const standIn = await marketService({ faults })
    const ran = await nightOf(standIn, cwd, TWO)
    expectCode(ran, 4)
    expect(Object.keys(missingOf(ran))).toEqual([dataset])
    await expectReplay(cwd)
    standIn.setOptions({ faults: [] })
    expectCode(await repairOf(standIn, cwd, TWO), 0)
    expectCode(await nightOf(standIn, cwd, TWO), 0)
    expect(await contradictions(cwd)).toEqual([])
    expect(await marketHashes(cwd)).toEqual(await undisturbedNights([ONE, TWO]))
  })

  test('the list of a board is empty in the first night of a home: its symbols have price limits', async () => {
    const cwd = temporaryFolder()
    const standIn = await marketService({ faults: [nothing('/data/securitiesByBoard', { board: 'HNX' })] })
    const ran = await nightOf(standIn, cwd, TWO)
    expectCode(ran, 4)
    expect(missingOf(ran).securities?.join()).toMatch(/HNX .*: names no security, although \d+ symbols/)
    standIn.setOptions({ faults: [] })
    expectCode(await nightOf(standIn, cwd, TWO), 0)
  })
})

const FPT = (row: Record<string, unknown>): boolean => row.symbol === 'FPT'
const ONE_SYMBOL: readonly [string, Fault[]][] = [
  ['its daily summaries', [without('/data/securitiesSummary', FPT)]],
  ['its price limits', [without('/data/masterdata', FPT)]],
  [
    'all that is known of it',
    [
      without('/data/securitiesSummary', FPT),
      without('/data/masterdata', FPT),
      nothing('/data/ohlc', { symbol: 'FPT' }),
    ],
  ],
]

/** A night of the last session that leaves out FPT, which it has for the session before. */
async function nightWithout(faults: Fault[]): Promise<[string, StandIn, Ran]> {
  const cwd = await afterFirstNight()
  const standIn = await marketService({ faults })
  return [cwd, standIn, await nightOf(standIn, cwd, TWO)]
}

const sessionsOf = async (cwd: string, symbol: string): Promise<string[]> =>
  (
    await rowsOf<{ held: string }>(
      cwd,
      `select 'summary ' || trading_date as held from market.daily_summary where symbol = '${symbol}'
       union all select 'limits ' || trading_date from market.price_limit where symbol = '${symbol}'
       union all select distinct 'bars ' || trading_date from market.candle
         where symbol = '${symbol}' and timeframe = '1m' order by 1`,
    )
  ).map(({ held }) => held)

describe('one symbol that the service leaves out for one night', () => {
  test.each(chosen(ONE_SYMBOL))(
    '%s: stored rows stay, it is named, exit 4, and afterwards all is there',
    async (_, faults) => {
      const [cwd, standIn, ran] = await nightWithout(faults)
      expectCode(ran, 4)
      expect(JSON.stringify(missingOf(ran))).toContain('FPT')
      expect(await sessionsOf(cwd, 'FPT')).toEqual(
        expect.arrayContaining([`bars ${ONE}`, `limits ${ONE}`, `summary ${ONE}`]),
      )
      await expectReplay(cwd)
      standIn.setOptions({ faults: [] })
      expectCode(await nightOf(standIn, cwd, THREE), 0)
      expectCode(await repairOf(standIn, cwd, THREE), 0)
      expect(await contradictions(cwd)).toEqual([])
      expect(await marketHashes(cwd)).toEqual(await undisturbedNights([ONE, TWO, THREE]))
      await expectReplay(cwd)
    },
  )
})

test('a night that is interrupted before its candles, run again, ends as one that was not', async () => {
  const faults = [without('/data/securitiesSummary', FPT), nothing('/data/ohlc', { symbol: 'VCB' })]
  const [whole] = await nightWithout(faults)
  const cwd = await afterFirstNight()
  const standIn = await marketService()
  const stop = new AbortController()
  standIn.setOptions({
    faults: [
      ...faults,
      {
        kind: 'body',
        match: { path: '/data/ohlc' },
        times: Number.POSITIVE_INFINITY,
        transform(text) {
          stop.abort(new InterruptedError(130))
          return text
        },
      },
    ],
  })
  await nightOf(standIn, cwd, TWO, [], stop.signal)
  expect(stop.signal.aborted).toBe(true)
  standIn.setOptions({ faults })
  expectCode(await nightOf(standIn, cwd, TWO), 4)
  expect(await contradictions(cwd)).toEqual(await contradictions(whole))
  expect(await marketHashes(cwd)).toEqual(await marketHashes(whole))
  await expectReplay(cwd)
})

const three = ['--sessions', '3']

describe('rows that the service no longer has', () => {
  test.runIf(LONG)(
    'withdrawn everywhere: after two trading dates summary, price limits and bars go together',
    async () => {
      const cwd = await afterFirstNight()
      const standIn = await marketService()
      expectCode(await nightOf(standIn, cwd, TWO), 0)
      const { market } = standIn
      for (const rows of [market.summaries, market.masterdata, market.daily, market.minutes] as {
        symbol: string
        tradingDate: string
      }[][])
        rows.splice(
          0,
          rows.length,
          ...rows.filter((row) => row.symbol !== 'ACV' || !row.tradingDate.startsWith(slashed(TWO))),
        )
      expectCode(await nightOf(standIn, cwd, THREE, three), 4)
      expect(await sessionsOf(cwd, 'ACV')).toContain(`bars ${TWO}`)
      await nightOf(standIn, cwd, FOUR, three)
      expect((await sessionsOf(cwd, 'ACV')).filter((held) => held.endsWith(TWO))).toEqual([])
      expect(
        await rowsOf(
          cwd,
          `select distinct relation from market.revision where "column" = '*' and key like '%ACV%' order by 1`,
        ),
      ).toEqual([
        { relation: 'market.candle' },
        { relation: 'market.daily_summary' },
        { relation: 'market.price_limit' },
      ])
      expect(await contradictions(cwd)).toEqual([])
      await expectReplay(cwd)
    },
  )

  test('a symbol that has left the lists and all answers is named on that night alone, and keeps its rows', async () => {
    const cwd = await afterFirstNight()
    const standIn = await marketService()
    expectCode(await nightOf(standIn, cwd, TWO), 0)
    const { market } = standIn
    market.securities = market.securities.filter(({ symbol }) => symbol !== 'ACV')
    market.summaries = market.summaries.filter(({ symbol }) => symbol !== 'ACV')
    market.masterdata = market.masterdata.filter(({ symbol }) => symbol !== 'ACV')
    expectCode(await nightOf(standIn, cwd, THREE, three), 4)
    expect((await contradictions(cwd)).join()).toContain('ACV (stored, and left out of the lists too)')
    expectCode(await nightOf(standIn, cwd, FOUR, three), 0)
    expect(await sessionsOf(cwd, 'ACV')).toEqual(
      expect.arrayContaining([`bars ${TWO}`, `limits ${TWO}`, `summary ${TWO}`]),
    )
    expect(await contradictions(cwd)).toEqual([])
  })

  test.runIf(LONG)('a renamed symbol stands under one name after two trading dates', async () => {
    const cwd = await afterFirstNight()
    const standIn = await marketService()
    expectCode(await nightOf(standIn, cwd, TWO), 0)
    const { market } = standIn
    for (const rows of [
      ...[market.securities, market.summaries, market.masterdata, market.daily, market.minutes],
      market.seeds,
    ] as { symbol: string }[][])
      for (const row of rows) if (row.symbol === 'ACV') row.symbol = 'ACN'
    expectCode(await nightOf(standIn, cwd, THREE, three), 4)
    expect((await contradictions(cwd)).join()).toContain('as ACN with the same figures')
    await nightOf(standIn, cwd, FOUR, three)
    expect((await sessionsOf(cwd, 'ACV')).filter((held) => !held.endsWith(ONE))).toEqual([])
    expect(await sessionsOf(cwd, 'ACN')).toEqual(
      expect.arrayContaining([`bars ${TWO}`, `limits ${TWO}`, `summary ${TWO}`]),
    )
    await expectReplay(cwd)
  })

  test('a service without rows for symbols that did not trade contradicts nothing', async () => {
    const standIn = await marketService({
      faults: [without('/data/securitiesSummary', (row) => row.totalMatch === '0')],
    })
    const cwd = temporaryFolder()
    expectCode(await nightOf(standIn, cwd, TWO), 0)
    expectCode(await nightOf(standIn, cwd, THREE), 0)
    expect(await contradictions(cwd)).toEqual([])
  })
})

describe('a rule of severity error that the data of a session do not allow to evaluate', () => {
  test('price limits without ceiling and floor in the first night: exit 4, the rule is named, all is published', async () => {
    const standIn = await marketService({
      mutateRow: (dataset, row) => {
        if (dataset !== 'masterdata') return row
        const { ceiling: _, floor: __, ...rest } = row
        return rest
      },
    })
    const cwd = temporaryFolder()
    const ran = await nightOf(standIn, cwd, TWO)
    expectCode(ran, 4)
    expect(ran.json<{ notes: string[] }>().notes.join('\n')).toMatch(
      /rule 2 could not be evaluated for 2025-03-13, 2025-03-14: where symbols traded and price limits were answered/,
    )
    expect(ran.json<{ conclusion: Conclusion }>().conclusion).toMatchObject({
      trusted: false,
      reasons: expect.arrayContaining([
        expect.objectContaining({ kind: 'not_evaluable', rule: 2, against: 'trusted' }),
      ]),
    })
    expect(await rowsOf(cwd, 'select count(*) as n from market.daily_summary')).not.toEqual([{ n: '0' }])
  })

  test('a backfill of daily summaries alone needs no price limits and no bars', async () => {
    const standIn = await marketService()
    const cwd = temporaryFolder()
    standIn.setOptions({ today: FOUR })
    const args = ['backfill', 'securitiesSummary', '--from', ONE, '--to', THREE, '--date', FOUR, '--json']
    expectCode(await cli(args, { cwd, env: towards(standIn) }), 0)
  })
})
