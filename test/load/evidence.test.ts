import { beforeAll, describe, expect, test } from 'vitest'
import { renameSymbol, withdrawDay } from '../standin/index.js'
import { DAYS, EvidenceWorld, type Omits } from './evidence-world.js'

// Sessions that an answer lacks, and what nights, repairs and replays make of evidence: test/e2e/contradictions.test.ts.

const [ONE, TWO, THREE, FOUR] = DAYS
const all: Omits = () => false

async function afterFirstNight(options?: { asksIndexes: boolean }): Promise<EvidenceWorld> {
  const world = await EvidenceWorld.afterFirstNight(options)
  expect(await world.contradictions()).toEqual([])
  return world
}

test('half of the market is missing from the summaries of two nights, some from the price limits too: candles show that they traded; afterwards all is there', async () => {
  const world = await afterFirstNight()
  const half = world.market.seeds.filter(({ board }) => board === 'HOSE').map(({ symbol }) => symbol)
  expect(half.length).toBeGreaterThan(3)
  const omits: Omits = (dataset, { symbol, day }) =>
    day !== ONE &&
    ((dataset === 'securitiesSummary' && [...half, 'PVS'].includes(symbol)) ||
      (dataset === 'masterdata' && ['VCB', 'PVS'].includes(symbol)))
  const summaries = /^securitiesSummary \* .*: lacks [^()]+ \(candles\), .* \(candles\) and \d+ more$/
  await world.night(TWO, omits)
  expect(await world.contradictions()).toEqual([
    `masterdata * ${TWO}: lacks PVS (candles), VCB (candles)`,
    expect.stringMatching(summaries),
  ])
  await world.night(THREE, omits)
  expect((await world.contradictions()).filter((line) => line.includes(THREE))).toEqual([
    expect.stringMatching(summaries),
  ])
  await world.night(FOUR, all, 4)
  expect(await world.contradictions()).toEqual([])
  for (const symbol of ['PVS', 'VCB'])
    expect(await world.stored(symbol)).toEqual({ summary: DAYS, limits: DAYS, bars: DAYS })
})

describe('three nights, each without another symbol, and all of them without an index in the list', () => {
  const missing = [
    ['HPG', TWO, [ONE]],
    ['41I1F4000', THREE, [ONE, TWO]],
    ['CVRE2505', FOUR, [ONE, TWO, THREE]],
  ] as const
  /** After each night: what is open, and the days of the symbol that it lacked. */
  const evenings: { open: string[]; stored: Record<string, string[]> }[] = []
  let index: unknown
  beforeAll(async () => {
    const world = await afterFirstNight({ asksIndexes: true })
    for (const [symbol, day] of missing) {
      const isMissing: Omits = (dataset, record) =>
        record.symbol === symbol || (dataset === 'indexes' && record.symbol === 'VN30')
      await world.night(day, isMissing, 4)
      evenings.push({ open: await world.contradictions(), stored: await world.stored(symbol) })
    }
    index = await world.warehouse.rows(
      `SELECT is_listed, CAST(left_on AS VARCHAR) AS left_on, (
         SELECT count(*) FROM market.index_summary WHERE index_code = 'VN30') > 0 AS has_summaries
       FROM market.market_index WHERE index_code = 'VN30'`,
    )
  })

  test.each(missing.map((each, nth) => [...each, nth] as const))(
    '%s is missing from everything, the lists too: named on that night, its rows stay',
    (symbol, _, days, nth) => {
      const { open = [], stored } = evenings[nth] ?? {}
      for (const dataset of ['masterdata', 'securitiesSummary'])
        expect(open).toContain(
          `${dataset} * ${days.at(-1)}: lacks ${symbol} (stored, and left out of the lists too)`,
        )
      expect(open.filter((line) => !line.includes(symbol) && !line.includes('VN30'))).toEqual([])
      expect(stored).toEqual({ summary: days, limits: days, bars: days })
    },
  )

  test('an index that the list no longer names is named on two nights, then it has left; its summaries stay', () => {
    const isNamed = (day: string): string => `indexes * ${day}: no longer names VN30 (last named on ${ONE})`
    expect(evenings.map(({ open }) => open.filter((line) => line.startsWith('indexes')))).toEqual([
      [isNamed(TWO)],
      [isNamed(TWO), isNamed(THREE)],
      [isNamed(TWO), isNamed(THREE)],
    ])
    expect(index).toEqual([{ is_listed: false, left_on: TWO, has_summaries: true }])
  })
})

test('the night after one that never ran leaves a symbol out of everything: once lists name it again, both sessions are requested', async () => {
  const world = await afterFirstNight()
  await world.night(THREE, (_, { symbol }) => symbol === 'HPG')
  await world.night(FOUR)
  const lacks = 'lacks HPG (candles)'
  expect(await world.contradictions()).toEqual([
    `masterdata * ${TWO}: ${lacks}`,
    `securitiesSummary * ${TWO}: ${lacks}`,
  ])
  await world.night(FOUR, all, 4)
  expect(await world.contradictions()).toEqual([])
  expect(await world.stored('HPG')).toEqual({ summary: DAYS, limits: DAYS, bars: DAYS })
})

test('a symbol that lists name for the first time is not looked for in sessions that were answered after these lists without it', async () => {
  const world = await EvidenceWorld.open()
  const since: Omits = (dataset, { symbol, day }) =>
    symbol === 'HPG' && (dataset === 'securities' ? false : day !== THREE)
  await world.night(TWO, (_, { symbol }) => symbol === 'HPG', 2)
  await world.night(THREE, since, 2)
  expect(await world.contradictions()).toEqual([
    `masterdata * ${ONE}: lacks HPG (lists name it again)`,
    `securitiesSummary * ${ONE}: lacks HPG (lists name it again)`,
  ])
  await world.night(THREE, since, 3)
  expect(await world.contradictions()).toEqual([])
})

test('the first night of a home leaves a symbol out of everything: once a list names it, the sessions before are requested, candles too', async () => {
  const world = await EvidenceWorld.open()
  await world.night(TWO, (_, { symbol }) => symbol === 'HPG', 2)
  expect(await world.contradictions()).toEqual([])
  await world.night(THREE)
  expect(await world.contradictions()).toEqual([
    `masterdata * ${ONE}: lacks HPG (lists name it again)`,
    `securitiesSummary * ${ONE}: lacks HPG (candles)`,
  ])
  await world.night(THREE, all, 3)
  expect(await world.contradictions()).toEqual([])
  const days = [ONE, TWO, THREE]
  expect(await world.stored('HPG')).toEqual({ summary: days, limits: days, bars: days })
})

test('a session of a symbol that no answer has any more goes after two trading dates, all of it together; a renamed symbol is named on the first and stands under one name after the second', async () => {
  const world = await afterFirstNight()
  await world.night(TWO)
  withdrawDay(world.market, 'HPG', TWO)
  renameSymbol(world.market, 'ACV', 'ACN')
  await world.night(THREE, all, 4)
  const before = [ONE, TWO, THREE]
  expect(await world.stored('HPG')).toEqual({ summary: before, limits: before, bars: before })
  const open = (await world.contradictions()).join('\n')
  expect(open).toContain('HPG (stored)')
  expect(open).toContain('ACV (stored, and as ACN with the same figures)')

  await world.night(FOUR, all, 4)
  const kept = [ONE, THREE, FOUR]
  expect(await world.stored('HPG')).toEqual({ summary: kept, limits: kept, bars: kept })
  expect(await world.stored('ACV')).toEqual({ summary: [], limits: [], bars: [] })
  expect((await world.stored('ACN')).summary).toEqual(DAYS)
  expect(await world.contradictions()).toEqual([])
})

test('a symbol that lists name with other figures on one day has three validities, one after another; one that they do not name on a day on which it traded has one', async () => {
  const world = await afterFirstNight()
  const seed = world.market.securities.find(({ symbol }) => symbol === 'HPG')
  if (!seed) throw new RangeError('the market has HPG')
  const { listedShare } = seed
  seed.listedShare = '1600000000'
  await world.night(TWO, (dataset, { symbol }) => dataset === 'securities' && symbol === 'FPT')
  seed.listedShare = listedShare
  await world.night(THREE, all, 3)
  expect(
    await world.warehouse.rows(
      `SELECT symbol, CAST(listed_share AS VARCHAR) AS shares, CAST(valid_from AS VARCHAR) AS "from",
         CAST(valid_to AS VARCHAR) AS "to"
       FROM market.security_history WHERE symbol IN ('FPT', 'HPG') ORDER BY symbol, valid_from`,
    ),
  ).toEqual([
    { symbol: 'FPT', shares: '1500000000', from: ONE, to: null },
    { symbol: 'HPG', shares: '1500000000', from: ONE, to: TWO },
    { symbol: 'HPG', shares: '1600000000', from: TWO, to: THREE },
    { symbol: 'HPG', shares: '1500000000', from: THREE, to: null },
  ])
})
