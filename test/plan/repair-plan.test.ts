import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import type { Timeframe } from 'candlehouse-foundation/market/timeframe'
import { describe, expect, test } from 'vitest'
import type { FetchedName } from '../../src/plan/datasets.js'
import { planRepair, summariseReasons } from '../../src/plan/repair-plan.js'
import { type Offender, otherSourcesOf, type WantedWindow, windowsOf } from '../../src/plan/wanted.js'

const WEEK = ['2025-03-10', '2025-03-11', '2025-03-12', '2025-03-13', '2025-03-14']
const TODAY = '2025-03-14'
const why = 'incomplete: 3 of 5 rows'

function incomplete(
  dataset: FetchedName,
  key: string,
  days: readonly string[],
  timeframe: Timeframe | '' = '',
): WantedWindow[] {
  return days.map((day) => ({ dataset, key, timeframe, day, why, exact: true }))
}

function broken(dataset: FetchedName, keys: readonly string[], day: string): WantedWindow[] {
  return keys.map((key) => ({
    dataset,
    key,
    timeframe: '' as const,
    day,
    why: 'rule 8 is broken',
    exact: false,
  }))
}

function planned(wanted: readonly WantedWindow[], symbols = 1_700) {
  const days = wanted.map(({ day }) => day).sort()
  const sessions = loadCalendar().sessionsBetween(days[0] ?? TODAY, days.at(-1) ?? TODAY)
  return planRepair(wanted, { tradingDate: TODAY, sessions, symbols })
}

/** Requests in the order in which they are sent. */
function asked(wanted: readonly WantedWindow[], symbols?: number): string[] {
  return planned(wanted, symbols).plans.flatMap(({ requests }) =>
    requests.map(({ dataset, key, timeframe, from, to, pages }) =>
      [dataset, key, timeframe, from, to, pages].filter(Boolean).join(' '),
    ),
  )
}

const symbols = (count: number): string[] => Array.from({ length: count }, (_, index) => `S${index}`)

describe('a repair', () => {
  test('of nothing requests nothing', () => {
    expect(planned([])).toEqual({ plans: [], skipped: [] })
  })

  test('five incomplete sessions of one symbol and timeframe are one request', () => {
    expect(asked(incomplete('ohlc', 'FPT', WEEK, '1m'))).toEqual(['ohlc FPT 1m 2025-03-10 2025-03-14 2'])
  })

  test('sessions share a page walk over complete ones between them only where that takes no more pages', () => {
    expect(asked(incomplete('ohlc', 'FPT', ['2025-03-10', '2025-03-14'], '1m'))).toEqual([
      'ohlc FPT 1m 2025-03-10 2025-03-14 2',
    ])
    expect(asked(incomplete('ohlc', 'FPT', ['2025-02-10', '2025-03-14'], '1m'))).toEqual([
      'ohlc FPT 1m 2025-02-10 2025-02-10 1',
      'ohlc FPT 1m 2025-03-14 2025-03-14 1',
    ])
    expect(asked(incomplete('ohlc', 'FPT', ['2023-02-10', '2025-03-14'], '1d'))).toEqual([
      'ohlc FPT 1d 2023-02-10 2025-03-14 1',
    ])
  })

  test('a broken daily summary of one symbol of 1,700 is one request by symbol', () => {
    expect(asked(broken('securitiesSummary', ['FPT'], TODAY))).toEqual([
      'securitiesSummary FPT 2025-03-14 2025-03-14 1',
    ])
  })

  test('many broken summaries of a session are requested for the whole market, where that is fewer pages', () => {
    expect(asked(broken('securitiesSummary', symbols(2), TODAY))).toHaveLength(2)
    expect(asked(broken('securitiesSummary', symbols(3), TODAY))).toEqual([
      'securitiesSummary * 2025-03-14 2025-03-14 2',
    ])
    const week = WEEK.flatMap((day) => broken('securitiesSummary', symbols(8), day))
    expect(asked(week)).toHaveLength(8)
    expect(asked(week, 500)).toEqual(['securitiesSummary * 2025-03-10 2025-03-14 3'])
  })

  test('fetching an incomplete whole-market window again also brings the broken rows of its session', () => {
    const wanted = [
      ...incomplete('securitiesSummary', '*', [TODAY]),
      ...broken('securitiesSummary', ['FPT'], TODAY),
    ]
    expect(asked(wanted)).toEqual(['securitiesSummary * 2025-03-14 2025-03-14 2'])
    const [plan] = planned(wanted).plans
    expect(plan?.requests[0]?.why).toBe('incomplete: 3 of 5 rows; rule 8 is broken')
  })

  test('an incomplete window of a symbol is only repaired by that same window', () => {
    const wanted = [
      ...incomplete('securitiesSummary', '*', [TODAY]),
      ...incomplete('securitiesSummary', 'FPT', [TODAY]),
    ]
    expect(asked(wanted)).toEqual([
      'securitiesSummary * 2025-03-14 2025-03-14 2',
      'securitiesSummary FPT 2025-03-14 2025-03-14 1',
    ])
  })

  test('price limits are requested for the whole market, indexes one by one, lists once', () => {
    const wanted = [
      ...incomplete('masterdata', '*', WEEK.slice(3)),
      ...incomplete('indexSummary', 'VN30', WEEK.slice(3)),
      ...broken('securities', ['HOSE', 'HNX', 'UPCOM', 'HOSE'], TODAY),
    ]
    expect(asked(wanted)).toEqual([
      'securities HOSE 2025-03-14 2025-03-14 1',
      'securities HNX 2025-03-14 2025-03-14 1',
      'securities UPCOM 2025-03-14 2025-03-14 1',
      'indexSummary VN30 2025-03-13 2025-03-13 1',
      'indexSummary VN30 2025-03-14 2025-03-14 1',
      'masterdata * 2025-03-13 2025-03-14 4',
    ])
  })

  test('what expires first is requested first; what has expired is skipped and reported', () => {
    const wanted = [
      ...incomplete('masterdata', '*', [TODAY]),
      ...incomplete('ohlc', 'AAA', ['2024-03-15'], '1d'),
      ...incomplete('ohlc', 'BBB', ['2024-03-18'], '5m'),
      ...incomplete('ohlc', 'CCC', ['2024-03-13'], '1m'),
      ...incomplete('ohlc', 'DDD', ['2024-03-15'], '1m'),
    ]
    expect(asked(wanted)).toEqual([
      'ohlc DDD 1m 2024-03-15 2024-03-15 1',
      'ohlc BBB 5m 2024-03-18 2024-03-18 1',
      'masterdata * 2025-03-14 2025-03-14 2',
      'ohlc AAA 1d 2024-03-15 2024-03-15 1',
    ])
    expect(planned(wanted).skipped).toEqual([
      {
        dataset: 'ohlc',
        from: '2024-03-13',
        to: '2024-03-13',
        why: '1 windows of 1m candles before 2024-03-14 are older than the one year the service serves',
      },
    ])
  })

  test('candles wait for the summary of their symbol, after which they may have to be fetched anyway', () => {
    const wanted = [
      ...incomplete('ohlc', 'FPT', [TODAY], '1m'),
      ...incomplete('ohlc', 'VNM', [TODAY], '1m'),
      ...broken('securitiesSummary', ['FPT'], TODAY),
    ]
    expect(asked(wanted)).toEqual([
      'ohlc VNM 1m 2025-03-14 2025-03-14 1',
      'securitiesSummary FPT 2025-03-14 2025-03-14 1',
      'ohlc FPT 1m 2025-03-14 2025-03-14 1',
    ])
  })

  test('names a few reasons and counts the others', () => {
    expect(summariseReasons(['a', 'b', 'a'])).toBe('a; b')
    expect(summariseReasons(['a', 'b', 'c', 'd'])).toBe('a; b; 2 more reasons')
  })
})

describe('the plan of a repair', () => {
  test('has its stages in this order, and nothing that is skipped within them', () => {
    const wanted = [
      ...incomplete('ohlc', 'FPT', [TODAY], '1m'),
      ...incomplete('ohlc', 'VNM', [TODAY], '1d'),
      ...broken('indexes', ['*'], TODAY),
      ...broken('indexMembers', ['VN30'], TODAY),
    ]
    const { plans } = planned(wanted)
    const line = (name: string) => `${name} ${TODAY} ${TODAY} 1`
    expect(asked(wanted)).toEqual([
      line('ohlc FPT 1m'),
      line('indexes *'),
      line('indexMembers VN30'),
      line('ohlc VNM 1d'),
    ])
    expect(plans.map(({ stage, skipped }) => [stage, skipped])).toEqual([
      ['candles', []],
      ['lists', []],
      ['daily', []],
      ['candles', []],
    ])
  })

  test('names for each request only the reasons of its own days', () => {
    const [first = '', last = ''] = ['2025-02-10', '2025-03-14']
    const wanted = [
      { ...incomplete('ohlc', 'FPT', [first], '1m')[0], why: 'first' },
      { ...incomplete('ohlc', 'FPT', [last], '1m')[0], why: 'last' },
    ] as WantedWindow[]
    const reasons = planned(wanted).plans.flatMap(({ requests }) => requests.map(({ why }) => why))
    expect(reasons).toEqual(['first', 'last'])
  })

  test('sorts candles by first day, symbol and timeframe', () => {
    const wanted = [
      ...incomplete('ohlc', 'BBB', [TODAY], '1m'),
      ...incomplete('ohlc', 'AAA', [TODAY], '5m'),
      ...incomplete('ohlc', 'AAA', [TODAY], '1m'),
      ...incomplete('ohlc', 'CCC', [WEEK[0] ?? ''], '1m'),
    ]
    expect(planned(wanted).plans[0]?.requests.map(({ key, timeframe }) => `${key} ${timeframe}`)).toEqual([
      'CCC 1m',
      'AAA 1m',
      'AAA 5m',
      'BBB 1m',
    ])
  })

  test('keeps candles first unless a summary of their symbol and day is fetched too', () => {
    const stages = (...summaries: WantedWindow[]): string[] =>
      planned([...incomplete('ohlc', 'FPT', ['2025-03-12'], '1m'), ...summaries]).plans.map(
        ({ stage }) => stage,
      )
    expect(stages(...broken('securitiesSummary', ['VNM'], '2025-03-12'))).toEqual(['candles', 'daily'])
    expect(stages(...broken('securitiesSummary', ['FPT'], '2025-03-11'))).toEqual(['candles', 'daily'])
    expect(stages(...broken('securitiesSummary', ['FPT'], '2025-03-13'))).toEqual(['candles', 'daily'])
    expect(stages(...broken('securitiesSummary', ['FPT'], '2025-03-12'))).toEqual(['daily', 'candles'])
    expect(stages(...incomplete('securitiesSummary', '*', ['2025-03-12']))).toEqual(['daily', 'candles'])
  })

  test('moves all candles of a symbol behind the summary of one of their days', () => {
    const wanted = [
      ...incomplete('ohlc', 'FPT', WEEK, '1m'),
      ...broken('securitiesSummary', ['FPT'], '2025-03-12'),
    ]
    expect(planned(wanted).plans.map(({ stage }) => stage)).toEqual(['daily', 'candles'])
  })

  test('requests at most 22 sessions of the whole market at once', () => {
    const sessions = loadCalendar().sessionsBetween('2025-03-03', '2025-04-30')
    const ranges = (count: number): string[] =>
      planRepair(incomplete('masterdata', '*', sessions.slice(0, count)), {
        tradingDate: '2025-04-30',
        sessions,
        symbols: 10,
      }).plans.flatMap(({ requests }) => requests.map(({ from, to }) => `${from} ${to}`))
    expect(ranges(22)).toEqual([`${sessions[0]} ${sessions[21]}`])
    expect(ranges(23)).toEqual([`${sessions[0]} ${sessions[21]}`, `${sessions[22]} ${sessions[22]}`])
  })

  test('keeps days of the whole market apart where one walk takes more pages', () => {
    const days = ['2025-03-10', '2025-03-14']
    expect(asked(incomplete('masterdata', '*', days), 600)).toEqual([
      'masterdata * 2025-03-10 2025-03-10 1',
      'masterdata * 2025-03-14 2025-03-14 1',
    ])
    expect(asked(incomplete('masterdata', '*', days), 400)).toEqual(['masterdata * 2025-03-10 2025-03-14 2'])
  })

  test('decides month by month whether the whole market takes fewer pages', () => {
    const wanted = [
      ...broken('securitiesSummary', ['S0'], '2025-02-14'),
      ...broken('securitiesSummary', symbols(3), TODAY),
    ]
    expect(asked(wanted)).toEqual([
      'securitiesSummary * 2025-03-14 2025-03-14 2',
      'securitiesSummary S0 2025-02-14 2025-02-14 1',
    ])
  })

  test('fetches a broken row by symbol where its day is not that of the whole market', () => {
    const wanted = [
      ...incomplete('securitiesSummary', '*', ['2025-03-12']),
      ...broken('securitiesSummary', ['FPT'], '2025-03-10'),
      ...broken('securitiesSummary', ['FPT'], '2025-03-14'),
    ]
    expect(asked(wanted)).toEqual([
      'securitiesSummary * 2025-03-12 2025-03-12 2',
      'securitiesSummary FPT 2025-03-10 2025-03-14 1',
    ])
  })

  test('counts exact windows of symbols to no whole market', () => {
    const wanted = symbols(3).flatMap((key) => incomplete('securitiesSummary', key, [TODAY]))
    expect(asked(wanted)).toHaveLength(3)
  })

  test('takes days in any order, and days that are no session of the calendar', () => {
    expect(asked(incomplete('ohlc', 'FPT', ['2025-03-14', '2025-03-10', '2025-03-12'], '1m'))).toEqual([
      'ohlc FPT 1m 2025-03-10 2025-03-14 2',
    ])
    // Saturday is a session for the service.
    expect(asked(incomplete('ohlc', 'FPT', ['2025-03-15', '2025-03-14'], '1m'))).toEqual([
      'ohlc FPT 1m 2025-03-14 2025-03-15 1',
    ])
    for (const days of [
      ['2025-02-14', '2025-03-15'],
      ['2025-02-15', '2025-03-14'],
    ])
      expect(asked(incomplete('ohlc', 'FPT', days, '1m'))).toHaveLength(2)
  })
})

describe('an offender', () => {
  const offender: Offender = {
    rule: 8,
    relation: 'market.candle',
    symbol: 'FPT',
    index: undefined,
    timeframe: '1m',
    day: '2025-03-13',
    dataset: undefined,
    key: undefined,
    cut: false,
  }
  const questions = (changes: Partial<Offender>): string[] =>
    windowsOf({ ...offender, ...changes }, TODAY).map(({ dataset, key, timeframe, day }) =>
      [dataset, key, timeframe, day].filter(Boolean).join(' '),
    )

  test.each<[Partial<Offender>, string[]]>([
    [{}, ['ohlc FPT 1m 2025-03-13']],
    [{ timeframe: undefined }, ['ohlc FPT 1m 2025-03-13']],
    [{ timeframe: 'fortnight' }, []],
    [{ relation: 'market.daily_summary' }, ['securitiesSummary FPT 2025-03-13']],
    [{ relation: 'market.daily_summary', cut: true }, ['securitiesSummary * 2025-03-13']],
    [{ relation: 'market.price_limit' }, ['masterdata * 2025-03-13']],
    [{ relation: 'market.index_summary', index: 'VN30' }, ['indexSummary VN30 2025-03-13']],
    [{ relation: 'market.index_member', index: 'VN30' }, ['indexMembers VN30 2025-03-14']],
    [{ relation: 'market.market_index' }, ['indexes * 2025-03-14']],
    [
      { relation: 'market.security' },
      ['securities HOSE 2025-03-14', 'securities HNX 2025-03-14', 'securities UPCOM 2025-03-14'],
    ],
    [{ relation: 'market.daily_summary', symbol: undefined }, ['securitiesSummary * 2025-03-13']],
    [{ relation: 'ops.coverage', dataset: 'ohlc', key: 'VNM' }, ['ohlc VNM 1m 2025-03-13']],
    [
      { relation: 'market.price_limit', symbol: undefined, timeframe: '', dataset: 'masterdata', key: '*' },
      ['masterdata * 2025-03-13'],
    ],
    [{ relation: 'ops.coverage', dataset: 'snapshot', key: '*' }, []],
    [{ relation: 'account.equity_balance' }, []],
    [{ relation: 'market.revision' }, []],
  ])('%j is brought again by %j', (changes, expected) => {
    expect(questions(changes)).toEqual(expected)
  })

  test('whose own window did not help is followed by the other sources of its symbol that day', () => {
    expect(otherSourcesOf(offender).map(({ dataset, timeframe }) => `${dataset} ${timeframe}`)).toEqual([
      'securitiesSummary ',
      'ohlc 1m',
    ])
    expect(otherSourcesOf({ ...offender, relation: 'market.index_summary', symbol: undefined })).toEqual([])
  })
})
