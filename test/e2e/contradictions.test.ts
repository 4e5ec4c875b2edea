import { InterruptedError } from 'candlehouse-foundation/errors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Conclusion } from '../../src/night/conclusion.js'
import { defaultSymbols, type Fault, type StandIn, type StandInOptions } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli } from '../support/program.js'
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
  startMarketService,
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

type Lack = readonly [dataset: string, fault: Fault]

/** Answers that lack a session which others have, of each dataset one, in two nights: each night has answers that know better. */
const EMPTY: readonly (readonly [what: string, night: string, lacks: readonly Lack[]])[] = [
  [
    'the newest session is missing from the daily summaries, the list of a board is empty, the list of indexes is empty',
    TWO,
    [
      ['indexes', nothing('/data/indexList')],
      ['securities', nothing('/data/securitiesByBoard', { board: 'HNX' })],
      ['securitiesSummary', without('/data/securitiesSummary', (row) => row.tradingDate === slashed(TWO))],
    ],
  ],
  [
    'the newest session is missing from the price limits, the index summary of one index is empty, a symbol that traded has no candles',
    THREE,
    [
      ['indexSummary', nothing('/data/indexSummary', { index: 'VN30', tradingDate: slashed(THREE) })],
      ['masterdata', without('/data/masterdata', (row) => row.tradingDate === slashed(THREE))],
      ['ohlc', nothing('/data/ohlc', { symbol: 'FPT', timeFrame: '1m' })],
    ],
  ],
]

/** A home after the night before each of them: that of `make test` goes from one to the next. */
interface Evening {
  readonly cwd: string
  readonly standIn: StandIn
}

/** In short: test/load/evidence.test.ts, the first night of a home below, and repairs in test/e2e/repair.test.ts. */
describe.runIf(LONG)('a session that an answer lacks and others have', () => {
  let last: Evening
  beforeAll(async () => {
    last = { cwd: await afterFirstNight(), standIn: await marketService() }
  })

  test.each(EMPTY)('%s: incomplete, exit 4, and a repair has it', async (_, day, lacks) => {
    await expectRepaired(last, day, lacks)
  })

  test('equal to nights that nothing disturbed', async () => {
    const { cwd, standIn } = last
    expectCode(await nightOf(standIn, cwd, THREE), 0)
    expect(await contradictions(cwd)).toEqual([])
    expect(await marketHashes(cwd)).toEqual(await undisturbedNights(3))
  })

  // Each of them alone, in a home of its own.
  test.runIf(LONG).each(EMPTY.flatMap(([, day, lacks]) => lacks.map((lack) => [...lack, day] as const)))(
    '%s alone: incomplete, exit 4, and a repair has it',
    async (dataset, fault, day) => {
      const [cwd, standIn] = [await afterFirstNight(), await marketService()]
      if (day === THREE) expectCode(await nightOf(standIn, cwd, TWO), 0)
      await expectRepaired({ cwd, standIn }, day, [[dataset, fault]])
      expectCode(await nightOf(standIn, cwd, day), 0)
      expect(await marketHashes(cwd)).toEqual(await undisturbedNights(day === TWO ? 2 : 3))
    },
  )
})

async function expectRepaired({ cwd, standIn }: Evening, day: string, lacks: readonly Lack[]): Promise<void> {
  standIn.setOptions({ faults: lacks.map(([, fault]) => fault) })
  const ran = await nightOf(standIn, cwd, day)
  expectCode(ran, 4)
  expect(Object.keys(missingOf(ran)).sort()).toEqual(lacks.map(([dataset]) => dataset))
  await expectReplay(cwd)
  standIn.setOptions({ faults: [] })
  expectCode(await repairOf(standIn, cwd, day), 0)
  expect(await contradictions(cwd)).toEqual([])
}

const named =
  (...symbols: string[]) =>
  ({ symbol }: Record<string, unknown>): boolean =>
    symbols.includes(String(symbol))

/** In one night: FPT has no summaries, VCB has no price limits, of PVS nothing is known. */
const LEFT_OUT = ['FPT', 'VCB', 'PVS'] as const
const [FPT, VCB, PVS] = LEFT_OUT
const leftOut = (): Fault[] => [
  without('/data/securitiesSummary', named(FPT, PVS)),
  without('/data/masterdata', named(VCB, PVS)),
  nothing('/data/ohlc', { symbol: PVS }),
]

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

describe('symbols that the service leaves out for one night', () => {
  /** What a night leaves that nothing interrupted. */
  let whole: { contradictions: string[]; market: Record<string, string> }

  // In short: test/load/evidence.test.ts and test/e2e/proportion/evidence.test.ts.
  test.runIf(LONG)(
    'of summaries, of price limits, of everything: stored rows stay, each is named, exit 4, and afterwards all is there',
    async () => {
      const cwd = await afterFirstNight()
      const standIn = await marketService({ faults: leftOut() })
      const ran = await nightOf(standIn, cwd, TWO)
      expectCode(ran, 4)
      whole = { contradictions: await contradictions(cwd), market: await marketHashes(cwd) }
      for (const symbol of LEFT_OUT) {
        expect(JSON.stringify(missingOf(ran))).toContain(symbol)
        expect(await sessionsOf(cwd, symbol)).toEqual(
          expect.arrayContaining([`bars ${ONE}`, `limits ${ONE}`, `summary ${ONE}`]),
        )
      }
      standIn.setOptions({ faults: [] })
      expectCode(await nightOf(standIn, cwd, THREE), 0)
      expectCode(await repairOf(standIn, cwd, THREE), 0)
      expect(await contradictions(cwd)).toEqual([])
      expect(await marketHashes(cwd)).toEqual(await undisturbedNights(3))
      if (LONG) await expectReplay(cwd)
    },
  )

  // In short: test/load/evidence.test.ts, where a night never ran.
  test.runIf(LONG)(
    'of everything, the lists too, for two nights: the session that no later night is about is requested when it is back',
    async () => {
      const cwd = await afterFirstNight()
      const standIn = await marketService({
        faults: [
          without('/data/securitiesByBoard', named(PVS)),
          without('/data/securitiesSummary', named(PVS)),
          without('/data/masterdata', named(PVS)),
          nothing('/data/ohlc', { symbol: PVS }),
        ],
      })
      expectCode(await nightOf(standIn, cwd, TWO), 4)
      // By then it looks like a symbol that has left.
      expectCode(await nightOf(standIn, cwd, THREE), 0)
      standIn.setOptions({ faults: [] })
      expectCode(await nightOf(standIn, cwd, FOUR), 0)
      expect(await contradictions(cwd)).toEqual([])
      // Which bars of other timeframes are compared follows from how many symbols traded on a night.
      const { 'market.candle': _, ...held } = await marketHashes(cwd)
      expect(await undisturbedNights(4)).toMatchObject(held)
      expect(await sessionsOf(cwd, PVS)).toEqual(
        ['bars', 'limits', 'summary'].flatMap((what) => DAYS.map((day) => `${what} ${day}`)),
      )
      await expectReplay(cwd)
    },
  )

  test.runIf(LONG)(
    'the same night, interrupted before its candles and run again, ends as if it was not',
    async () => {
      const faults = leftOut()
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
      expect({ contradictions: await contradictions(cwd), market: await marketHashes(cwd) }).toEqual(whole)
      if (LONG) await expectReplay(cwd)
    },
  )
})

const three = ['--sessions', '3']

// In short: test/load/evidence.test.ts.
test.runIf(LONG)(
  'two nights without the summaries of half of the market, of some symbols without price limits too: 4, and once the service is well all is there',
  async () => {
    const cwd = await afterFirstNight()
    const half = defaultSymbols()
      .filter(({ board }) => board === 'HOSE')
      .map(({ symbol }) => symbol)
    expect(half.length).toBeGreaterThan(3)
    const onlyNew = (row: Record<string, unknown>): boolean => row.tradingDate !== slashed(ONE)
    const standIn = await marketService({
      faults: [
        without('/data/securitiesSummary', (row) => onlyNew(row) && named(...half, PVS)(row)),
        without('/data/masterdata', (row) => onlyNew(row) && named(VCB, PVS)(row)),
      ],
    })
    for (const day of [TWO, THREE]) {
      const ran = await nightOf(standIn, cwd, day)
      expectCode(ran, 4)
      expect(JSON.stringify(missingOf(ran))).toMatch(/lacks .* \(candles\)/)
    }
    standIn.setOptions({ faults: [] })
    expectCode(await nightOf(standIn, cwd, FOUR), 0)
    expect(await contradictions(cwd)).toEqual([])
    const { 'market.candle': _, ...held } = await marketHashes(cwd)
    expect(await undisturbedNights(4)).toMatchObject(held)
  },
)

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

  test.runIf(LONG)('a renamed symbol stands under one name after two trading dates', async () => {
    const cwd = await afterFirstNight()
    const standIn = await marketService()
    expectCode(await nightOf(standIn, cwd, TWO), 0)
    const { market } = standIn
    for (const rows of [
      market.securities,
      market.summaries,
      market.masterdata,
      market.daily,
      market.minutes,
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
})

/** Price limits without ceiling and floor. */
const withoutLimits: StandInOptions['mutateRow'] = (dataset, row) => {
  if (dataset !== 'masterdata') return row
  const { ceiling: _, floor: __, ...rest } = row as { ceiling?: string; floor?: string }
  return rest as typeof row
}

/** VCB with blanks in price limits, FPT in lower case in summaries. */
const otherNames: StandInOptions['mutateRow'] = (dataset, row) => {
  if (row.symbol === VCB && dataset === 'masterdata') return { ...row, symbol: ' VCB ' } as typeof row
  if (row.symbol === FPT && dataset === 'securitiesSummary') return { ...row, symbol: 'fpt' } as typeof row
  return row
}

/** Takes a symbol out of the lists, and rows out of the answers. */
function leaves(
  { market }: StandIn,
  symbol: string,
  goes: (row: { symbol: string; tradingDate: string }) => boolean,
): void {
  market.securities = market.securities.filter((row) => row.symbol !== symbol)
  for (const [index, members] of Object.entries(market.members))
    market.members[index] = members.filter((member) => member !== symbol)
  const stays = (row: { symbol: string; tradingDate: string }): boolean => row.symbol !== symbol || !goes(row)
  market.summaries = market.summaries.filter(stays)
  market.masterdata = market.masterdata.filter(stays)
  market.daily = market.daily.filter(stays)
  market.minutes = market.minutes.filter(stays)
}

/** One home, night after night: each test goes on where the one before it ended. */
describe('the first nights of a home', () => {
  const cwd = temporaryFolder()
  const untraded = without('/data/securitiesSummary', (row) => row.totalMatch === '0')
  let standIn: StandIn
  beforeAll(async () => {
    standIn = await startMarketService()
  })
  afterAll(async () => await standIn.close())

  test('the list of a board is empty: its symbols have price limits; a rule of severity error cannot be evaluated, since price limits have no ceiling and floor: exit 4, both are named, all else is published', async () => {
    standIn.setOptions({
      faults: [untraded, nothing('/data/securitiesByBoard', { board: 'HNX' })],
      mutateRow: withoutLimits,
    })
    const ran = await nightOf(standIn, cwd, TWO)
    expectCode(ran, 4)
    // Price limits of two sessions are stored: each symbol counts once.
    const { length } = standIn.market.securities.filter(({ board }) => board === 'HNX')
    expect(missingOf(ran).securities?.join()).toMatch(
      new RegExp(`HNX .*: names no security, although ${length} symbols`),
    )
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

  test('a symbol that price limits and summaries write with blanks or in lower case for one night: nothing stays under that name; one that has left the lists and all answers is named on that night alone, and keeps its rows', async () => {
    standIn.setOptions({ faults: [untraded], mutateRow: otherNames })
    leaves(standIn, 'ACV', () => true)
    expectCode(await nightOf(standIn, cwd, THREE), 4)
    const open = (await contradictions(cwd)).join()
    expect(open).toContain('ACV (stored, and left out of the lists too)')
    expect(open).toMatch(/securitiesSummary .*FPT/)
    expect(open).toMatch(/masterdata .*VCB/)
    // In short: a replay of contradicted answers, test/e2e/lost-columns.test.ts.
    if (LONG) await expectReplay(cwd)
  })

  test('the night after: on it a symbol leaves, and answers keep its earlier sessions: nothing is incomplete, nor by symbols without trades, which the service never has rows of', async () => {
    standIn.setOptions({ mutateRow: undefined })
    leaves(standIn, 'VGT', ({ tradingDate }) => tradingDate >= slashed(FOUR))
    expectCode(await nightOf(standIn, cwd, FOUR, three), 0)
    expect(
      await rowsOf(
        cwd,
        `select symbol, trading_date from market.daily_summary where symbol in ('fpt', ' VCB ')
         union all select symbol, trading_date from market.price_limit where symbol in ('fpt', ' VCB ')`,
      ),
    ).toEqual([])
    expect(await sessionsOf(cwd, 'ACV')).toEqual(
      expect.arrayContaining([`bars ${ONE}`, `limits ${ONE}`, `summary ${ONE}`]),
    )
    for (const symbol of [FPT, VCB]) expect(await sessionsOf(cwd, symbol)).toContain(`summary ${THREE}`)
    // The list of the first night: no other night asks for it.
    expect(await contradictions(cwd)).toEqual([expect.stringMatching(`^securities HNX .*${TWO}`)])
    if (LONG) await expectReplay(cwd)
  })

  // In short: test/e2e/deadline.test.ts, of another dataset.
  test.runIf(LONG)('a backfill of daily summaries alone needs no price limits and no bars', async () => {
    const standIn = await marketService()
    const cwd = temporaryFolder()
    standIn.setOptions({ today: FOUR })
    const args = ['backfill', 'securitiesSummary', '--from', ONE, '--to', THREE, '--date', FOUR, '--json']
    expectCode(await cli(args, { cwd, env: towards(standIn) }), 0)
  })
})
