import { describe, expect, test } from 'vitest'
import { ADVISERS } from '../../src/night/advice.js'
import { conclude } from '../../src/night/conclude.js'
import { type Conclusion, REASON_KINDS } from '../../src/night/conclusion.js'
import { conclusionOf, gapOf, recordOf } from '../support/conclusions.js'

const commandsOf = ({ next }: Conclusion): (string | null)[] => next.map(({ command }) => command)
const kindsOf = ({ reasons }: Conclusion): string[] => reasons.map(({ kind }) => kind)

test('of a good night is complete and trusted, and has nothing to type', () => {
  expect(conclusionOf({ notes: ['the file has a column that nobody knows'] })).toMatchObject({
    state: 'good',
    headline: 'complete',
    complete: true,
    trusted: true,
    reasons: [{ kind: 'note', against: null }],
    next: [],
    night: { from: '2025-03-10', again: 'candlehouse nightly' },
  })
})

test('every kind of reason has an adviser, and no other kind has one', () => {
  expect(Object.keys(ADVISERS).sort()).toEqual([...REASON_KINDS].sort())
})

describe('windows', () => {
  test('of the night that are served are missing, and repair fetches them', () => {
    const conclusion = conclusionOf({ run: { exitCode: 4 }, ledger: { gaps: [gapOf({ code: 'failed' })] } })
    expect(conclusion).toMatchObject({ state: 'attention', complete: false, trusted: true })
    expect(conclusion.headline).toBe('2 windows missing (ohlc)')
    expect(conclusion.reasons).toMatchObject([
      { kind: 'windows', code: 'failed', count: 2, since: '2025-03-13', expiresOn: '2026-03-14' },
    ])
    expect(commandsOf(conclusion)).toEqual(['candlehouse repair'])
  })

  test('of other sessions do not make the night incomplete, and are fetched too', () => {
    const conclusion = conclusionOf({ ledger: { gaps: [gapOf({ ofNight: false })] } })
    expect(conclusion).toMatchObject({ state: 'good', headline: 'complete', complete: true })
    expect(commandsOf(conclusion)).toEqual(['candlehouse repair'])
  })

  test('that the service no longer serves have no command, but a statement', () => {
    const conclusion = conclusionOf({ ledger: { gaps: [gapOf({ served: false })] } })
    expect(kindsOf(conclusion)).toEqual(['expired'])
    expect(conclusion.complete).toBe(true)
    expect(conclusion.next).toEqual([
      { command: null, why: 'ohlc of 2025-03-13: cannot be fetched any more' },
    ])
  })

  test('of a run for another trading date than the latest are repaired for that date', () => {
    const gaps = [gapOf()]
    expect(commandsOf(conclusionOf({ dateOption: ' --date 2025-03-14', ledger: { gaps } }))).toEqual([
      'candlehouse repair --date 2025-03-14',
    ])
    // Those after it are none that such a repair would reach.
    const later = [gapOf({ from: '2025-03-17', to: '2025-03-17', ofNight: false })]
    expect(commandsOf(conclusionOf({ dateOption: ' --date 2025-03-14', ledger: { gaps: later } }))).toEqual([
      'candlehouse repair',
    ])
  })

  test('that the run reports and the ledger does not have are named too', () => {
    const missing = [{ dataset: 'masterdata', line: '2025-03-14: no answer' }]
    expect(conclusionOf({ run: { exitCode: 4 }, missing }).reasons).toMatchObject([
      { kind: 'windows', text: 'masterdata: 2025-03-14: no answer', against: 'complete' },
    ])
  })
})

test('an outage while accounts are read says so, and what reads them again', () => {
  const problems = [{ kind: 'accounts_failed', text: 'accounts were not read: HTTP 502' }] as const
  const night = conclusionOf({ run: { exitCode: 4 }, problems })
  expect(night).toMatchObject({ complete: false, headline: 'the accounts were not read' })
  expect(commandsOf(night)).toEqual(['candlehouse snapshot'])
})

test.each([
  ['session_lost', 'complete'],
  ['accounts_skipped', null],
] as const)(
  'accounts that are partial without a session (%s) need a login first, and say so',
  (kind, against) => {
    // The order of the reasons differs: the gap is of this night, or of an earlier one.
    const gap = { dataset: 'snapshot', windows: 1, keys: ['001'], keyCount: 1, expiresOn: null }
    for (const ofNight of [true, false]) {
      const conclusion = conclusionOf({
        run: { exitCode: against === null && !ofNight ? 0 : 4 },
        problems: [{ kind, text: 'there is no session' }],
        ledger: { gaps: [gapOf({ ...gap, ofNight })] },
      })
      expect(kindsOf(conclusion).sort()).toEqual(['accounts_partial', kind].sort())
      expect(commandsOf(conclusion)).toEqual(['candlehouse login', 'candlehouse snapshot'])
    }
  },
)

describe('a failure', () => {
  test.each([
    [3, 'settings', ['candlehouse doctor', 'candlehouse nightly']],
    [5, 'outage', ['candlehouse nightly']],
    [6, 'storage', ['candlehouse replay', 'candlehouse nightly']],
    [1, 'bug', ['candlehouse nightly']],
    [130, 'stopped', ['candlehouse nightly']],
  ] as const)('with exit %s says why, and what to type', (exitCode, kind, commands) => {
    const hint = kind === 'storage' ? 'candlehouse replay' : 'free some space'
    const conclusion = conclusionOf({ run: { exitCode }, failure: { message: 'it broke', hint } })
    expect(conclusion.state).toBe(kind === 'stopped' ? 'stopped' : 'failed')
    expect(conclusion.complete).toBe(false)
    expect(conclusion.headline).toMatch(/^the nightly for 2025-03-14 failed with exit \d+: it broke/)
    expect(kindsOf(conclusion)).toEqual([kind])
    expect(commandsOf(conclusion)).toEqual(commands)
  })

  test('comes before all else, and repeats the command line that was typed', () => {
    const conclusion = conclusionOf({
      run: { exitCode: 5, job: 'backfill' },
      again: 'candlehouse backfill ohlc --from 2025-01-02',
      failure: { message: 'the service gave up', hint: undefined },
      ledger: { gaps: [gapOf()] },
    })
    expect(kindsOf(conclusion)).toEqual(['outage', 'windows'])
    expect(commandsOf(conclusion)).toEqual([
      'candlehouse backfill ohlc --from 2025-01-02',
      'candlehouse repair',
    ])
  })
})

describe('what a later run does not settle stays', () => {
  const failedNight = (): Conclusion =>
    conclusionOf({
      run: { exitCode: 5 },
      again: 'candlehouse nightly --sessions 9',
      failure: { message: 'the service gave up', hint: undefined },
    })

  test('an import does not hide that the night failed', () => {
    const failed = failedNight()
    const later = conclusionOf({ run: { job: 'import', runId: '2' }, keysRead: [], before: failed })
    expect(later).toMatchObject({ state: 'failed', complete: false, night: { runId: failed.run.runId } })
    expect(commandsOf(later)).toEqual(['candlehouse nightly --sessions 9'])
    expect(conclusionOf({ run: { runId: '3' }, before: later })).toMatchObject({ state: 'good', reasons: [] })
  })

  test('accounts are settled by a run that reads those of the key', () => {
    const problems = [{ kind: 'session_lost', text: 'the session is lost', key: 'desk' }] as const
    const night = conclusionOf({ run: { exitCode: 4 }, problems })
    expect(commandsOf(night)).toEqual(['candlehouse login --key desk', 'candlehouse snapshot --key desk'])
    const after = (job: string, keysRead: string[]): Conclusion =>
      conclusionOf({ run: { job, runId: '2' }, keysRead, before: night })
    expect(after('repair', []).complete).toBe(false)
    expect(after('snapshot', ['other']).complete).toBe(false)
    expect(after('snapshot', ['desk']).complete).toBe(true)
  })

  test('a bucket is settled by the next publication, whatever publishes', () => {
    const night = conclusionOf({ run: { exitCode: 4 }, problems: [{ kind: 'bucket', text: 'it is down' }] })
    const after = (published: boolean): Conclusion =>
      conclusionOf({ run: { job: 'publish' }, keysRead: [], published, before: night })
    expect(after(false).reasons).toMatchObject([{ kind: 'bucket' }])
    expect(after(true).reasons).toEqual([])
  })

  test('what the ledger shows is never carried: it is read again', () => {
    const night = conclusionOf({ run: { exitCode: 4 }, ledger: { gaps: [gapOf()] } })
    expect(conclusionOf({ run: { job: 'repair' }, keysRead: [], before: night })).toMatchObject({
      state: 'good',
      next: [],
    })
  })
})

describe('rules', () => {
  const error = {
    rule: 8,
    title: 'candles agree',
    sessions: 1,
    from: '2025-03-14',
    to: '2025-03-14',
    relations: ['market.candle'],
    keys: [] as string[],
    keyCount: 0,
    ofMarket: true,
  }
  const override = [
    'candlehouse sql "from recon.offender where rule = 8"',
    'candlehouse publish --accept 8 --because "…"',
  ]

  test('that are broken: repair first, then an override; after a repair only the override', () => {
    const night = conclusionOf({ run: { exitCode: 4 }, ledger: { openErrors: [error] } })
    expect(night).toMatchObject({ complete: true, trusted: false, headline: 'not trusted: rule 8 broken' })
    expect(commandsOf(night)).toEqual(['candlehouse repair', ...override])
    const repaired = conclusionOf({
      run: { job: 'repair', exitCode: 4 },
      keysRead: [],
      ledger: { openErrors: [error] },
      // The same rule as the repair itself names it.
      problems: [{ kind: 'withheld', text: 'rule 8 is broken', rule: 8 }],
      before: night,
    })
    expect(kindsOf(repaired)).toEqual(['withheld'])
    expect(commandsOf(repaired)).toEqual([null, ...override])
  })

  test.each([
    [[], 0, '1 session of market.candle'],
    [['CVRE2505'], 1, 'market.candle of CVRE2505'],
    [['ACB', 'FPT', 'HPG'], 5, 'market.candle of ACB, FPT, HPG and 2 more'],
  ])('that withhold rows of %j (%i keys) name them', (keys, keyCount, what) => {
    const { reasons } = conclusionOf({ ledger: { openErrors: [{ ...error, keys, keyCount }] } })
    expect(reasons[0]?.text).toBe(
      `rule 8 is broken (candles agree): readers see ${what} as before (2025-03-14)`,
    )
  })

  test('that could not be evaluated: the night is not trusted, and what is needed is fetched again', () => {
    const silent = conclusionOf({
      run: { exitCode: 4 },
      problems: [{ kind: 'not_evaluable', text: 'rule 2 could not be evaluated for 2025-03-14', rule: 2 }],
    })
    expect(silent).toMatchObject({
      complete: true,
      trusted: false,
      headline: 'not trusted: rule 2 could not be evaluated',
    })
    expect(commandsOf(silent)).toEqual([
      'candlehouse repair',
      `candlehouse sql "from recon.finding where rule = 2 and state = 'not_evaluable'"`,
    ])
  })

  test('about accounts: past snapshots cannot be fetched again', () => {
    const openErrors = [{ ...error, ofMarket: false, relations: ['account.equity_position'] }]
    expect(commandsOf(conclusionOf({ ledger: { openErrors } }))).toEqual([null, ...override])
  })
})

test('a code or a problem of which nothing is known has a reason and a command', () => {
  const conclusion = conclusionOf({
    run: { exitCode: 4 },
    ledger: { gaps: [gapOf({ code: 'of_tomorrow' })] },
    problems: [{ kind: 'problem', text: 'something else' }],
  })
  expect(conclusion.reasons).toMatchObject([{ code: 'of_tomorrow' }, { text: 'something else' }])
  expect(commandsOf(conclusion)).toEqual(['candlehouse repair', 'candlehouse nightly'])
})

test('exit 4 always has a reason', () => {
  expect(conclude(recordOf({ run: { exitCode: 4 } })).reasons).toMatchObject([
    { kind: 'problem', against: 'complete' },
  ])
})

describe('the headline', () => {
  const headline = (...problems: NonNullable<Parameters<typeof recordOf>[0]>['problems'] & {}): string =>
    conclusionOf({ run: { exitCode: 4 }, problems }).headline

  test.each([
    ['key', 'a key failed'],
    ['session_lost', 'the verified session is lost'],
    ['accounts_failed', 'the accounts were not read'],
    ['accounts_partial', '1 account partly read'],
    ['session_unseen', 'no answer has 2025-03-14'],
    ['deadline', 'the deadline was reached'],
    ['rejected', '1 record in quarantine'],
    ['bucket', 'the bucket is behind'],
    ['problem', 'its own text'],
  ] as const)('names a reason of kind %s', (kind, name) => {
    expect(headline({ kind, text: 'its own text', rule: 8 })).toBe(name)
  })

  test('names each kind once, with the numbers of its rules', () => {
    expect(
      headline(
        { kind: 'not_evaluable', text: 'a', rule: 8 },
        { kind: 'not_evaluable', text: 'b', rule: 8 },
        { kind: 'not_evaluable', text: 'c', rule: 9 },
        { kind: 'key', text: 'd' },
        { kind: 'accounts_skipped', text: 'e' },
        { kind: 'unrepaired', text: 'f', rule: 16 },
      ),
    ).toBe('a key failed; not trusted: rules 8, 9 could not be evaluated')
  })

  test('adds windows up, and names their datasets', () => {
    const gaps = [gapOf(), gapOf({ dataset: 'masterdata', windows: 1 }), gapOf({ reason: 'HTTP 502' })]
    expect(conclusionOf({ ledger: { gaps } }).headline).toBe('5 windows missing (ohlc, masterdata)')
  })

  test('of a run that failed is the failure alone', () => {
    const failure = { message: 'it broke', hint: undefined }
    const { headline: line } = conclusionOf({ run: { exitCode: 143 }, failure, ledger: { gaps: [gapOf()] } })
    expect(line).toBe('the nightly for 2025-03-14 failed with exit 143: it broke')
  })
})

test.each([
  [130, 'stopped'],
  [143, 'stopped'],
  [5, 'failed'],
] as const)('a failure with exit %i is %s', (exitCode, state) => {
  expect(conclusionOf({ run: { exitCode }, failure: { message: 'x', hint: undefined } }).state).toBe(state)
})

test('exit 4 without a reason against the night says where to look, notes or not', () => {
  const { reasons } = conclusionOf({ run: { exitCode: 4 }, notes: ['a note'] })
  expect(reasons.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    'problem: the nightly for 2025-03-14 ended with exit 4: see its notes',
    'note: a note',
  ])
})
