import { type Calendar, loadCalendar } from 'candlehouse-foundation/market/calendar'
import { describe, expect, test } from 'vitest'
import type { Coverage } from '../../src/plan/coverage.js'
import { StageRounds } from '../../src/plan/stage-rounds.js'
import { requireKnownSymbols } from '../../src/plan/typed-symbols.js'
import { coverageOf, goalOf, statesOn, WEEK } from './support/goals.js'

const calendar = loadCalendar()
const [MON, TUE, WED, THU, FRI] = WEEK

/** Requests of the next round: `dataset key from to`. */
const next = (rounds: StageRounds, coverage: Coverage, on: Calendar = calendar): string[] =>
  rounds
    .next({ coverage, calendar: on })
    .requests.map(({ dataset, key, from, to }) => [dataset, key, from, to].join(' '))

describe('rounds of a stage', () => {
  test('candles have one, whatever is still incomplete after it', () => {
    const rounds = new StageRounds('candles', goalOf({ datasets: ['ohlc'], refresh: true }))
    const traded = [{ symbol: 'AAA', day: FRI, traded: true }]
    const coverage = coverageOf({ traded }, statesOn('securitiesSummary *', WEEK, 'complete'))
    expect(next(rounds, coverage)).not.toEqual([])
    expect(next(rounds, coverage)).toEqual([])
  })

  test('a market that is refused is requested by a symbol, then by all; a third answer changes nothing', () => {
    const rounds = new StageRounds('daily', goalOf({ datasets: ['securitiesSummary'], refresh: true }))
    const refused = statesOn('securitiesSummary *', WEEK, 'empty')
    expect(next(rounds, coverageOf())).toEqual([`securitiesSummary * ${MON} ${FRI}`])
    expect(next(rounds, coverageOf({}, refused))).toEqual([`securitiesSummary AAA ${MON} ${FRI}`])
    const bySymbol = coverageOf({ summaryForm: 'symbol' }, refused)
    const both = [`securitiesSummary AAA ${MON} ${FRI}`, `securitiesSummary BBB ${MON} ${FRI}`]
    expect(next(rounds, bySymbol)).toEqual(both)
    expect(next(rounds, bySymbol)).toEqual([])
  })

  test('a market that answered is not requested by symbol', () => {
    const rounds = new StageRounds('daily', goalOf({ datasets: ['securitiesSummary'] }))
    next(rounds, coverageOf())
    expect(next(rounds, coverageOf({}, statesOn('securitiesSummary *', WEEK, 'complete')))).toEqual([])
  })

  test('a day that turns out to be a session has its index summaries requested, once', () => {
    const isOpen = (day: string): boolean => day !== WED
    const closed = {
      ...calendar,
      isSession: isOpen,
      sessionsBetween: (from: string, to: string) => calendar.sessionsBetween(from, to).filter(isOpen),
    }
    const goal = goalOf({ datasets: ['indexSummary'], refresh: true })
    const rounds = new StageRounds('daily', goal)
    const days = [MON, TUE, THU, FRI]
    expect(next(rounds, coverageOf(), closed)).toEqual(
      days.flatMap((day) => ['VNINDEX', 'VN30'].map((key) => `indexSummary ${key} ${day} ${day}`)),
    )
    const learned = ['VNINDEX', 'VN30'].map((key) => `indexSummary ${key} ${WED} ${WED}`)
    expect(next(rounds, coverageOf())).toEqual(learned)
    expect(next(rounds, coverageOf())).toEqual([])
  })
})

describe('a symbol that a user typed and nothing knows', () => {
  const typed = { unknown: ['AAB'], known: ['AAA', 'BBB'] }
  const whole = { 'securities HOSE 2025-03-14': 'complete', 'securities HNX 2025-03-14': 'empty' } as const

  test('is refused after the lists of all boards', () => {
    const lists = coverageOf({ typed }, { ...whole, 'securities UPCOM 2025-03-14': 'complete' })
    expect(() => requireKnownSymbols(goalOf({}), lists)).toThrow('no such symbol: AAB (nearest: AAA')
  })

  test('may stand in a list that was not read', () => {
    for (const lists of [coverageOf({ typed }, whole), coverageOf({ typed, listed: [] }, whole)])
      expect(() => requireKnownSymbols(goalOf({}), lists)).not.toThrow()
  })
})
