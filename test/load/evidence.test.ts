import { expect, test } from 'vitest'
import { renameSymbol, withdrawDay } from '../standin/index.js'
import { DAYS, EvidenceWorld, type Omits } from './evidence-world.js'

// Sessions that an answer lacks, and what nights, repairs and replays make of evidence: test/e2e/contradictions.test.ts.

const [ONE, TWO, THREE, FOUR] = DAYS
const all: Omits = () => false

async function afterFirstNight(): Promise<EvidenceWorld> {
  const world = await EvidenceWorld.open()
  await world.night(ONE)
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

test('a share, a future and a warrant are missing from everything, the lists too, each on one night: named on that night, their rows stay', async () => {
  const world = await afterFirstNight()
  const nights = [
    ['HPG', TWO, [ONE]],
    ['41I1F4000', THREE, [ONE, TWO]],
    ['CVRE2505', FOUR, [ONE, TWO, THREE]],
  ] as const
  for (const [leftOut, day, kept] of nights) {
    await world.night(day, (_, { symbol }) => symbol === leftOut, 4)
    const open = await world.contradictions()
    for (const dataset of ['masterdata', 'securitiesSummary'])
      expect(open).toContain(
        `${dataset} * ${kept.at(-1)}: lacks ${leftOut} (stored, and left out of the lists too)`,
      )
    expect(open.filter((line) => !line.includes(leftOut))).toEqual([])
    expect(await world.stored(leftOut)).toEqual({ summary: kept, limits: kept, bars: kept })
  }
})

test('the night after one that never ran leaves a symbol out of everything: once lists name it again, both sessions are requested', async () => {
  const world = await afterFirstNight()
  await world.night(THREE, (_, { symbol }) => symbol === 'HPG')
  await world.night(FOUR)
  const lacks = 'lacks HPG (candles)'
  expect(await world.contradictions()).toEqual([
    ...[`masterdata * ${TWO}: ${lacks}`, `securitiesSummary * ${TWO}: ${lacks}`],
  ])
  await world.night(FOUR, all, 4)
  expect(await world.contradictions()).toEqual([])
  expect(await world.stored('HPG')).toEqual({ summary: DAYS, limits: DAYS, bars: DAYS })
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

test('an index that the list no longer names is named on two nights, then it has left; its summaries stay', async () => {
  const world = await afterFirstNight()
  const withoutVn30: Omits = (dataset, { symbol }) => dataset === 'indexes' && symbol === 'VN30'
  const isNamed = (day: string): string => `indexes * ${day}: no longer names VN30 (last named on ${ONE})`
  const listed = async (): Promise<unknown> =>
    await world.warehouse.rows(
      `SELECT is_listed, CAST(left_on AS VARCHAR) AS left_on, (
         SELECT count(*) FROM market.index_summary WHERE index_code = 'VN30') > 0 AS has_summaries
       FROM market.market_index WHERE index_code = 'VN30'`,
    )
  await world.night(TWO, withoutVn30)
  expect(await world.contradictions()).toEqual([isNamed(TWO)])
  await world.night(THREE, withoutVn30)
  expect(await world.contradictions()).toEqual([isNamed(TWO), isNamed(THREE)])
  await world.night(FOUR, withoutVn30)
  expect(await world.contradictions()).toEqual([isNamed(TWO), isNamed(THREE)])
  expect(await listed()).toEqual([{ is_listed: false, left_on: TWO, has_summaries: true }])
})
