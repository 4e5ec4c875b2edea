import { describe, expect, test } from 'vitest'
import type { Coverage } from '../../src/plan/coverage.js'
import { planDaily } from '../../src/plan/daily.js'
import type { DatasetName } from '../../src/plan/datasets.js'
import type { Goal } from '../../src/plan/goal.js'
import { planLists } from '../../src/plan/plan-lists.js'
import { coverageOf, goalOf, statesOn, WEEK } from './support/goals.js'

const [MON, TUE, WED, THU, FRI] = WEEK

const planned = (
  dataset: DatasetName,
  goal: Partial<Goal> = {},
  coverage: Coverage = coverageOf(),
  sessions: readonly string[] = WEEK,
) => planDaily(goalOf({ ...goal, datasets: [dataset] }), sessions, coverage).requests

const ranges = (...given: Parameters<typeof planned>): string[] =>
  planned(...given).map(({ key, from, to, pages }) => [key, from, to, pages].join(' '))

const market = (count: number): string[] => Array.from({ length: count }, (_, at) => `S${at}`)

describe('lists', () => {
  const day = { timeframe: '', from: FRI, to: FRI, pages: 1 }
  const boards = ['HOSE', 'HNX', 'UPCOM'].map((key) => ({
    ...day,
    dataset: 'securities',
    key,
    why: 'listed securities, as of now',
  }))
  const indexes = [{ ...day, dataset: 'indexes', key: '*', why: 'list of indexes' }]

  test('are requested by board, and the indexes at once', () => {
    expect(planLists(goalOf(), coverageOf())).toEqual({ requests: [...boards, ...indexes], skipped: [] })
  })

  test('are requested only where they are wanted', () => {
    expect(planLists(goalOf({ datasets: ['securities'] }), coverageOf()).requests).toEqual(boards)
    expect(planLists(goalOf({ datasets: ['indexes'] }), coverageOf()).requests).toEqual(indexes)
  })

  test('are requested too where a symbol that a user typed is in none of them', () => {
    const typed = { unknown: ['CCC'], known: ['AAA', 'BBB'] }
    expect(planLists(goalOf({ datasets: ['ohlc'] }), coverageOf({ typed })).requests).toEqual(boards)
  })
})

describe('daily datasets', () => {
  test('are only those that are wanted, and nothing of them is skipped', () => {
    const names = (datasets: readonly DatasetName[]) => [
      ...new Set(planDaily(goalOf({ datasets }), WEEK, coverageOf()).requests.map(({ dataset }) => dataset)),
    ]
    const daily = ['indexMembers', 'securitiesSummary', 'indexSummary', 'masterdata'] as const
    expect(names(daily)).toEqual(daily)
    for (const dataset of daily) expect(names([dataset])).toEqual([dataset])
    expect(planDaily(goalOf({ datasets: [] }), WEEK, coverageOf())).toEqual({ requests: [], skipped: [] })
  })

  test('of index members are one request per index, as of the trading date', () => {
    const request = {
      dataset: 'indexMembers',
      from: FRI,
      to: FRI,
      timeframe: '',
      pages: 1,
      why: 'members of the index, as of now',
    }
    expect(planned('indexMembers')).toEqual([
      { ...request, key: 'VNINDEX' },
      { ...request, key: 'VN30' },
    ])
  })
})

describe('a refresh', () => {
  test('requests the range of the goal again, closed days included', () => {
    const goal = { refresh: true, from: '2025-03-08', to: '2025-03-16' }
    expect(planned('masterdata', goal)).toEqual([
      {
        dataset: 'masterdata',
        key: '*',
        timeframe: '',
        from: '2025-03-08',
        to: '2025-03-16',
        why: 'may have been restated',
        pages: 1,
      },
    ])
  })

  test('begins after the last refused session', () => {
    const refused = coverageOf({}, { [`masterdata * ${TUE}`]: 'refused' })
    expect(ranges('masterdata', { refresh: true }, refused)).toEqual([`* ${WED} ${FRI} 1`])
    const all = coverageOf({}, { [`masterdata * ${FRI}`]: 'refused' })
    expect(ranges('masterdata', { refresh: true }, all)).toEqual([])
  })

  test('of a range without a session requests nothing', () => {
    expect(ranges('masterdata', { refresh: true }, coverageOf(), [])).toEqual([])
  })

  test('requests indexes of every session, whatever their state', () => {
    const states = { ...statesOn('indexSummary VNINDEX', [MON], 'complete') }
    const requests = planned(
      'indexSummary',
      { refresh: true },
      coverageOf({ indexes: ['VNINDEX'] }, states),
      [MON, TUE],
    )
    const request = { dataset: 'indexSummary', key: 'VNINDEX', timeframe: '', pages: 1 }
    expect(requests).toEqual([
      { ...request, from: MON, to: MON, why: 'may have been restated' },
      { ...request, from: TUE, to: TUE, why: 'not stored yet' },
    ])
  })
})

describe('without a refresh', () => {
  test.each(['complete', 'empty', 'refused'] as const)('%s windows are not requested', (state) => {
    const states = {
      ...statesOn('indexSummary VNINDEX', [MON, WED, THU, FRI], state),
      ...statesOn('masterdata *', [MON, WED, THU, FRI], state),
    }
    const coverage = coverageOf({ indexes: ['VNINDEX'] }, states)
    expect(ranges('indexSummary', {}, coverage)).toEqual([`VNINDEX ${TUE} ${TUE} 1`])
    expect(ranges('masterdata', {}, coverage)).toEqual([`* ${TUE} ${TUE} 1`])
  })

  test('incomplete windows are requested again', () => {
    const states = {
      ...statesOn('indexSummary VNINDEX', WEEK, 'complete'),
      [`indexSummary VNINDEX ${WED}`]: 'incomplete' as const,
    }
    expect(planned('indexSummary', {}, coverageOf({ indexes: ['VNINDEX'] }, states))).toEqual([
      {
        dataset: 'indexSummary',
        key: 'VNINDEX',
        timeframe: '',
        from: WED,
        to: WED,
        why: 'may have been restated',
        pages: 1,
      },
    ])
  })

  test('missing sessions of a month are one request over the stored ones between them', () => {
    const states = statesOn('masterdata *', [TUE, THU], 'complete')
    const sessions = ['2025-02-27', '2025-02-28', ...WEEK]
    const [february, march] = planned('masterdata', {}, coverageOf({}, states), sessions)
    expect(february).toMatchObject({
      from: '2025-02-27',
      to: '2025-02-28',
      why: '2 sessions not stored yet',
    })
    expect(march).toMatchObject({ from: MON, to: FRI, why: '3 sessions not stored yet' })
  })
})

describe('pages', () => {
  test('follow from the listed symbols of the whole market', () => {
    const listed = market(1700)
    expect(ranges('masterdata', {}, coverageOf({ listed }))).toEqual([`* ${MON} ${FRI} 9`])
    expect(ranges('masterdata', { refresh: true }, coverageOf({ listed }))).toEqual([`* ${MON} ${FRI} 9`])
    expect(ranges('masterdata', {}, coverageOf({ listed: [] }))).toEqual([`* ${MON} ${FRI} 1`])
  })

  test('follow from the sessions alone where one symbol is wanted', () => {
    const coverage = coverageOf({ listed: market(1700) })
    expect(ranges('securitiesSummary', { symbols: ['FPT'] }, coverage)).toEqual([`FPT ${MON} ${FRI} 1`])
  })
})

describe('daily summaries', () => {
  const keys = (coverage: Coverage, sessions: readonly string[] = WEEK): string[] =>
    planned('securitiesSummary', { refresh: true }, coverage, sessions).map(({ key }) => key)

  test('are requested for the whole market before a list is known, even if the service answers by symbol', () => {
    expect(keys(coverageOf({ listed: [], delisted: ['OLD'], summaryForm: 'symbol' }))).toEqual(['*'])
  })

  test('probe one symbol only if every session is empty or refused', () => {
    const empty = statesOn('securitiesSummary *', WEEK, 'empty')
    expect(keys(coverageOf({}, empty))).toEqual(['*', 'AAA'])
    expect(keys(coverageOf({}, { ...empty, [`securitiesSummary * ${MON}`]: 'complete' }))).toEqual(['*'])
    expect(keys(coverageOf({}, { ...empty, [`securitiesSummary * ${FRI}`]: 'complete' }))).toEqual(['*'])
  })

  test('ask whether the query for the whole market was refused', () => {
    const queries = new Set<string>()
    const isRefusedQuery = (...query: readonly string[]): boolean => {
      queries.add(query.join(' '))
      return true
    }
    expect(keys(coverageOf({ isRefusedQuery }))).toEqual(['*', 'AAA'])
    expect([...queries]).toEqual(WEEK.map((day) => `securitiesSummary * ${day}`))
  })
})

test('a goal without sessions probes no symbol', () => {
  const goal = goalOf({ datasets: ['securitiesSummary'] })
  expect(planDaily(goal, [], coverageOf({ summaryForm: 'symbol' })).requests).toEqual([])
})
