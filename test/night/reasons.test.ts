import { describe, expect, test } from 'vitest'
import type { Reason } from '../../src/night/conclusion.js'
import { isCommand, reasonsOf, withWords } from '../../src/night/reasons.js'
import type { NightRecord, OpenError } from '../../src/night/record.js'
import { conclusionOf, gapOf, recordOf } from '../support/conclusions.js'

const reasons = (...given: Parameters<typeof recordOf>): readonly Reason[] => reasonsOf(recordOf(...given))
const texts = (...given: Parameters<typeof recordOf>): string[] => reasons(...given).map(({ text }) => text)
const ofGap = (...given: Parameters<typeof gapOf>): Reason | undefined =>
  reasons({ ledger: { gaps: [gapOf(...given)] } })[0]

describe('incomplete windows', () => {
  test('are counted, dated and named, with their reason and the day on which the first expires', () => {
    expect(ofGap({ code: 'failed' })).toEqual({
      kind: 'windows',
      text:
        'ohlc: 2 windows of 2025-03-13 to 2025-03-14 incomplete (FPT, HPG): HTTP 500; ' +
        'the service stops serving the first on 2026-03-14',
      against: 'complete',
      dataset: 'ohlc',
      code: 'failed',
      count: 2,
      since: '2025-03-13',
      until: '2025-03-14',
      expiresOn: '2026-03-14',
    })
  })

  test('of one day that never expire', () => {
    const gap = { windows: 1, from: '2025-03-14', keys: ['FPT'], keyCount: 1, expiresOn: null }
    expect(ofGap(gap)).toEqual({
      kind: 'windows',
      text: 'ohlc: 1 window of 2025-03-14 incomplete (FPT): HTTP 500',
      against: 'complete',
      dataset: 'ohlc',
      code: null,
      count: 1,
      since: '2025-03-14',
      until: '2025-03-14',
    })
  })

  test('that the service no longer serves count neither against the night nor expire', () => {
    expect(ofGap({ served: false })).toEqual({
      kind: 'expired',
      text:
        'ohlc: 2 windows of 2025-03-13 to 2025-03-14 incomplete (FPT, HPG): HTTP 500; ' +
        'the service no longer serves them',
      against: null,
      dataset: 'ohlc',
      code: null,
      count: 2,
      since: '2025-03-13',
      until: '2025-03-14',
    })
  })

  test('name three keys, and none that means all', () => {
    const named = (keys: string[], keyCount = keys.length): string =>
      ofGap({ keys, keyCount, expiresOn: null })?.text.replace(/^.*incomplete/, '') ?? ''
    expect(named(['A', 'B', 'C'])).toBe(' (A, B, C): HTTP 500')
    expect(named(['A', 'B', 'C', 'D'])).toBe(' (A, B, C and 1 more): HTTP 500')
    expect(named(['A', 'B', 'C'], 1200)).toBe(' (A, B, C and 1197 more): HTTP 500')
    expect(named(['*', 'A*'])).toBe(' (A*): HTTP 500')
    expect(named(['*'])).toBe(': HTTP 500')
    expect(named(['*'], 5)).toBe(': HTTP 500')
  })

  test('of a snapshot are accounts', () => {
    const gap = { dataset: 'snapshot', windows: 1, keys: ['001'], keyCount: 1, expiresOn: null }
    expect(ofGap(gap)).toMatchObject({
      kind: 'accounts_partial',
      text: 'the latest snapshot of 1 account is partial (001): HTTP 500',
    })
    expect(ofGap({ ...gap, served: false })).toMatchObject({ kind: 'accounts_partial' })
  })
})

describe('windows that only the run reports', () => {
  const line = (dataset: string, text: string) => ({ dataset, line: text })

  test('are one reason per dataset, with their first three lines', () => {
    const missing = [
      ...['a', 'b', 'c', 'd'].map((text) => line('ohlc', text)),
      line('masterdata', 'x'),
      line('snapshot', 'y'),
      line('indexSummary', 'z'),
      line('indexSummary', 'z'),
      line('indexSummary', 'z'),
    ]
    expect(reasons({ missing })).toEqual([
      {
        kind: 'accounts_partial',
        text: 'snapshot: y',
        against: 'complete',
        dataset: 'snapshot',
        code: null,
        count: 1,
        job: 'nightly',
      },
      {
        kind: 'windows',
        text: 'ohlc: a; b; c and 1 more',
        against: 'complete',
        dataset: 'ohlc',
        code: null,
        count: 4,
        job: 'nightly',
      },
      expect.objectContaining({ text: 'masterdata: x', count: 1 }),
      expect.objectContaining({ text: 'indexSummary: z; z; z', count: 3 }),
    ])
  })

  test('are left out where the ledger has windows of the dataset that are served', () => {
    const missing = [line('ohlc', 'a')]
    const kinds = (served: boolean): string[] =>
      reasons({ missing, ledger: { gaps: [gapOf({ served })] } }).map(({ kind }) => kind)
    expect(kinds(true)).toEqual(['windows'])
    expect(kinds(false)).toEqual(['windows', 'expired'])
  })
})

describe('broken rules', () => {
  const error: OpenError = {
    rule: 8,
    title: 'candles agree',
    sessions: 2,
    from: '2025-03-13',
    to: '2025-03-14',
    relations: ['market.candle', 'market.daily_summary'],
    keys: [],
    keyCount: 0,
    ofMarket: true,
  }

  test('name the sessions that readers see as before', () => {
    expect(reasons({ ledger: { openErrors: [error] } })).toEqual([
      {
        kind: 'withheld',
        text:
          'rule 8 is broken (candles agree): readers see 2 sessions of market.candle, market.daily_summary ' +
          'as before (2025-03-13 to 2025-03-14)',
        against: 'trusted',
        rule: 8,
        count: 2,
        since: '2025-03-13',
        until: '2025-03-14',
      },
    ])
  })

  test('of accounts name snapshots, which cannot be fetched again', () => {
    const openErrors = [{ ...error, ofMarket: false, sessions: 1, relations: ['account.cash'] }]
    const [reason] = reasons({ ledger: { openErrors } })
    expect(reason?.text).toContain('readers see 1 snapshot of account.cash as before')
    expect(reason?.dataset).toBe('snapshot')
  })

  test.each([
    ['of accounts are against the nights that have their snapshots', false, ['trusted', 'trusted', null]],
    ['of the market are against every night', true, ['trusted', 'trusted', 'trusted']],
  ])('%s', (_, ofMarket, expected) => {
    const against = ['2025-03-13', '2025-03-14', '2025-03-15'].map(
      (from) => reasons({ from, ledger: { openErrors: [{ ...error, ofMarket }] } })[0]?.against,
    )
    expect(against).toEqual(expected)
  })

  test('name keys of all relations', () => {
    const openErrors = [{ ...error, keys: ['FPT'], keyCount: 1 }]
    expect(texts({ ledger: { openErrors } })[0]).toContain(
      'readers see market.candle, market.daily_summary of FPT as before',
    )
  })
})

test('records in quarantine and unknown fields are reasons of their dataset', () => {
  const ledger = {
    rejected: [{ dataset: 'ohlc', reason: 'open: not a number', records: 1200 }],
    drift: [{ dataset: 'masterdata', fields: 'tick, lot' }],
  }
  expect(reasons({ ledger })).toEqual([
    {
      kind: 'rejected',
      text: 'ohlc: 1,200 records put into ops.quarantine (open: not a number)',
      against: 'complete',
      dataset: 'ohlc',
      count: 1200,
    },
    {
      kind: 'drift',
      text: 'masterdata: the service sends fields that the specification does not have: tick, lot',
      against: null,
      dataset: 'masterdata',
    },
  ])
})

describe('a problem', () => {
  const problem = (given: Partial<NightRecord['problems'][number]>): Reason | undefined =>
    reasons({ problems: [{ kind: 'problem', text: 'something', ...given }] })[0]

  test('has the fields that the run gives it, and no others', () => {
    expect(problem({})).toStrictEqual({
      kind: 'problem',
      text: 'something',
      against: 'complete',
      job: 'nightly',
    })
    expect(problem({ kind: 'key', key: 'desk', rule: 3 })).toEqual({
      kind: 'key',
      text: 'something',
      against: 'complete',
      key: 'desk',
      rule: 3,
      job: 'nightly',
    })
  })

  test.each([
    ['accounts_skipped', null],
    ['unrepaired', null],
    ['not_evaluable', 'trusted'],
    ['bucket', 'complete'],
  ] as const)('of kind %s is against %s', (kind, against) => {
    expect(problem({ kind })?.against).toBe(against)
  })

  test('of a withheld rule is shown by the ledger, not by the run', () => {
    expect(problem({ kind: 'withheld' })).toBeUndefined()
  })
})

describe('a nightly that was killed', () => {
  const ledger = { killedNight: '2025-03-14' }
  const killed = {
    kind: 'stopped',
    text: 'the nightly for 2025-03-14 was killed before it ended',
    against: 'complete',
    job: 'nightly',
    since: '2025-03-14',
  }

  test('is named by every run but a nightly, which does what it did not do', () => {
    expect(reasons({ run: { job: 'repair' }, ledger })).toEqual([killed])
    expect(reasons({ ledger })).toEqual([])
  })

  test('is named once, by what it said itself where it could', () => {
    const stopped = reasons({ run: { exitCode: 130 }, failure: { message: 'stopped', hint: undefined } })
    for (const earlier of [stopped, [killed] as Reason[]])
      expect(
        reasons({ run: { job: 'repair' }, ledger, before: { ...conclusionOf(), reasons: earlier } }),
      ).toEqual(earlier)
  })
})

test('sessions that no run has requested are named, and change no answer about the night', () => {
  const unrequested = {
    datasets: ['ohlc', 'securitiesSummary'],
    sessions: 2,
    from: '2025-02-17',
    to: '2025-02-18',
    expiresOn: '2026-02-18',
  }
  expect(reasons({ ledger: { unrequested } })).toEqual([
    {
      kind: 'unrequested',
      text:
        '2 sessions of 2025-02-17 to 2025-02-18 never requested (ohlc, securitiesSummary); ' +
        'the service stops serving candles of the first on 2026-02-18',
      against: null,
      count: 2,
      since: '2025-02-17',
      until: '2025-02-18',
      expiresOn: '2026-02-18',
    },
  ])
  const daily = { ...unrequested, datasets: ['masterdata'], sessions: 1, to: '2025-02-17', expiresOn: null }
  expect(reasons({ ledger: { unrequested: daily } })[0]).toMatchObject({
    text: '1 session of 2025-02-17 never requested (masterdata)',
    dataset: 'masterdata',
  })
})

describe('a failure', () => {
  const failed = (exitCode: number, hint?: string): Reason | undefined =>
    reasons({ run: { exitCode }, failure: { message: 'it broke', hint } })[0]

  test.each([
    [1, 'bug'],
    [2, 'usage'],
    [3, 'settings'],
    [5, 'outage'],
    [6, 'storage'],
    [130, 'stopped'],
    [143, 'stopped'],
  ] as const)('with exit %i is of kind %s', (exitCode, kind) => {
    expect(failed(exitCode)).toEqual({
      kind,
      text: `the nightly for 2025-03-14 failed with exit ${exitCode}: it broke`,
      against: 'complete',
      job: 'nightly',
    })
  })

  test('has its hint in the text unless it is a command', () => {
    expect(failed(6, 'free some space')?.text).toMatch(/: it broke: free some space$/)
    expect(failed(6, 'candlehouse replay')?.text).toMatch(/: it broke$/)
  })
})

describe('reasons', () => {
  test('are each shown once, and differ in kind or text', () => {
    const problem = { kind: 'problem', text: 'a' } as const
    const problems = [
      problem,
      problem,
      { kind: 'bucket', text: 'a' },
      { kind: 'problem', text: 'b' },
    ] as const
    expect(reasons({ problems }).map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'bucket a',
      'problem a',
      'problem b',
    ])
  })

  test('against the night come first, each by its kind', () => {
    const kinds = reasons({
      notes: ['worth knowing'],
      problems: [
        { kind: 'problem', text: 'a' },
        { kind: 'accounts_skipped', text: 'b' },
        { kind: 'key', text: 'c' },
      ],
      ledger: { gaps: [gapOf({ ofNight: false })] },
    }).map(({ kind }) => kind)
    expect(kinds).toEqual(['key', 'problem', 'accounts_skipped', 'windows', 'note'])
  })
})

describe('a hint', () => {
  test.each([
    'candlehouse doctor',
    'candlehouse nightly    # loads them, then publishes',
    'candlehouse repair --symbols FPT,HPG',
    'candlehouse sql "select board, count(*) from market.security group by 1"',
    "candlehouse export --query 'select 1; select (2)'",
  ])('is a command: %s', (hint) => {
    expect(isCommand(hint)).toBe(true)
    expect(withWords({ message: 'it broke', hint })).toBe('it broke')
  })

  test.each([
    'check BROKER_API_KEY and BROKER_API_SECRET, then run the same command again',
    'run `candlehouse login` for a new code',
    'candlehouse login, then candlehouse snapshot',
    'candlehouse export ledger --format beancount --out FILE (or hledger)',
    'candlehouse reconcile --explain 001; --partial writes the books',
    'candlehouse',
  ])('is words: %s', (hint) => {
    expect(isCommand(hint)).toBe(false)
    expect(withWords({ message: 'it broke', hint })).toBe(`it broke: ${hint}`)
  })

  test('may be absent', () => {
    expect(withWords({ message: 'it broke', hint: undefined })).toBe('it broke')
  })
})

describe('reasons of an earlier run', () => {
  const kept = (reason: Partial<Reason>, record: Parameters<typeof recordOf>[0] = {}): boolean => {
    const before = {
      ...conclusionOf(),
      reasons: [
        { kind: 'problem', text: 'earlier', against: 'complete', job: 'nightly', ...reason } as Reason,
      ],
    }
    const later = { run: { job: 'import' }, keysRead: [], published: false, before }
    return texts({ ...later, ...record }).includes('earlier')
  }

  test('of a nightly stay until the next nightly', () => {
    expect(kept({})).toBe(true)
    expect(kept({}, { run: { job: 'nightly' } })).toBe(false)
    expect(kept({ job: 'repair' })).toBe(false)
  })

  test('are never notes', () => {
    expect(kept({ kind: 'note', against: null })).toBe(false)
  })

  test.each(['accounts_partial', 'windows', 'withheld', 'rejected', 'expired', 'drift'] as const)(
    'of kind %s are read from the ledger again, unless only the run had reported them',
    (kind) => {
      const fromLedger = { kind, text: 'earlier', against: 'complete' } as const
      const before = { ...conclusionOf(), reasons: [fromLedger] }
      expect(texts({ run: { job: 'import' }, keysRead: [], before })).toEqual([])
      expect(kept({ kind })).toBe(true)
    },
  )

  test('about the bucket stay until something is published, whatever reported them', () => {
    expect(kept({ kind: 'bucket', job: 'publish' })).toBe(true)
    expect(kept({ kind: 'bucket' }, { published: true })).toBe(false)
  })

  test.each(['key', 'session_lost', 'accounts_failed', 'accounts_skipped'] as const)(
    'of kind %s stay until the accounts of their key are read',
    (kind) => {
      expect(kept({ kind, key: 'desk' }, { keysRead: ['other'] })).toBe(true)
      expect(kept({ kind, key: 'desk' }, { keysRead: ['other', 'desk'] })).toBe(false)
      expect(kept({ kind }, { keysRead: ['other'] })).toBe(false)
      expect(kept({ kind })).toBe(true)
      expect(kept({ kind, job: 'snapshot' })).toBe(true)
      expect(kept({ kind, job: 'snapshot' }, { run: { job: 'nightly' } })).toBe(false)
    },
  )

  test('of other kinds stay although accounts are read', () => {
    expect(kept({}, { keysRead: ['default'] })).toBe(true)
  })
})
