import { describe, expect, test } from 'vitest'
import { adviceFor } from '../../src/night/advice.js'
import {
  type Advice,
  adviceLine,
  type Reason,
  SIGNS,
  seriousReasons,
  shortHeadline,
} from '../../src/night/conclusion.js'
import { conclusionOf, recordOf } from '../support/conclusions.js'

/** Commands, if any, and why. */
type Advised = readonly (readonly [command: string | null, why: string])[]

const advised = (reason: Partial<Reason>, record: Parameters<typeof recordOf>[0] = {}): Advised =>
  adviceFor(
    [{ kind: 'problem', text: 'any', against: 'complete', ...reason } as Reason],
    recordOf(record),
  ).map(({ command, why }) => [command, why])

const CONTINUES = 'continues where the run stopped'
const UNCHANGED = 'rule 8: the service returned the same values; fetching again changes nothing'
const OVERRIDE: Advised = [
  ['candlehouse sql "from recon.offender where rule = 8"', 'shows every row that breaks the rule'],
  [
    'candlehouse publish --accept 8 --because "…"',
    'publishes despite the break, if you know that the values are right',
  ],
]

/** Kinds of reasons, and what is advised for each. */
const ADVISED: readonly (readonly [Partial<Reason>, Advised])[] = [
  [
    { kind: 'settings' },
    [
      ['candlehouse doctor', 'checks the settings and credentials, and says what to correct'],
      ['candlehouse nightly', 'runs again once they are corrected'],
    ],
  ],
  [{ kind: 'outage' }, [['candlehouse nightly', `${CONTINUES}, once the service answers again`]]],
  [{ kind: 'storage' }, [['candlehouse nightly', `${CONTINUES}, once the storage is repaired`]]],
  [{ kind: 'usage' }, []],
  [{ kind: 'bug' }, [['candlehouse nightly', CONTINUES]]],
  [{ kind: 'stopped' }, [['candlehouse nightly', CONTINUES]]],
  [{ kind: 'stopped', since: '2025-03-14' }, [['candlehouse nightly', CONTINUES]]],
  [{ kind: 'stopped', since: '2025-03-13' }, [['candlehouse nightly --date 2025-03-13', CONTINUES]]],
  [{ kind: 'deadline' }, [['candlehouse nightly', CONTINUES]]],
  [
    { kind: 'key', key: 'desk' },
    [
      ['candlehouse doctor', 'checks the credentials of every key'],
      ['candlehouse snapshot --key desk', 'reads the accounts of the key once it works'],
    ],
  ],
  ...(['session_lost', 'accounts_skipped'] as const).map((kind): readonly [Partial<Reason>, Advised] => [
    { kind },
    [
      ['candlehouse login', 'once, with a one-time password: later runs read the accounts too'],
      ['candlehouse snapshot', 'then reads the accounts'],
    ],
  ]),
  [
    { kind: 'accounts_failed', key: 'desk' },
    [['candlehouse snapshot --key desk', 'reads the accounts once the service answers again']],
  ],
  [
    { kind: 'accounts_partial' },
    [['candlehouse snapshot', 'reads the accounts again; past snapshots cannot be fetched again']],
  ],
  [
    { kind: 'session_unseen', since: '2025-03-14' },
    [
      [
        'candlehouse nightly --date 2025-03-14',
        'requests the session again; once the service has it, or calendar.csv names the day, the night is complete',
      ],
    ],
  ],
  [{ kind: 'windows' }, [['candlehouse repair', 'fetches the incomplete windows again']]],
  [
    { kind: 'windows', expiresOn: '2026-03-14' },
    [['candlehouse repair', 'fetches the incomplete windows again; the first expires on 2026-03-14']],
  ],
  [
    { kind: 'not_evaluable', rule: 8 },
    [
      ['candlehouse repair', 'fetches again what the rule needs'],
      [
        `candlehouse sql "from recon.finding where rule = 8 and state = 'not_evaluable'"`,
        'shows what the rule lacks',
      ],
    ],
  ],
  [{ kind: 'not_evaluable' }, [['candlehouse repair', 'fetches again what the rule needs']]],
  [
    { kind: 'rejected' },
    [
      [
        'candlehouse sql "select dataset, reason, payload from ops.quarantine"',
        'shows the records, and why they are there',
      ],
      [
        null,
        'records in quarantine: only a later answer of the service replaces them, or a corrected file that you import again',
      ],
    ],
  ],
  [{ kind: 'bucket' }, [['candlehouse publish', 'brings the bucket what it lacks']]],
  [{ kind: 'problem' }, [['candlehouse nightly', 'does again what the run could not do']]],
  [
    { kind: 'expired', dataset: 'ohlc', since: '2024-03-13' },
    [[null, 'ohlc of 2024-03-13: cannot be fetched any more']],
  ],
  [
    { kind: 'unrequested', since: '2025-02-17', until: '2025-03-07' },
    [
      [
        'candlehouse backfill all --from 2025-02-17 --to 2025-03-07',
        'requests the sessions that no run has requested',
      ],
    ],
  ],
  [
    { kind: 'unrequested', dataset: 'ohlc', since: '2025-02-17', until: '2025-03-07' },
    [
      [
        'candlehouse backfill ohlc --from 2025-02-17 --to 2025-03-07',
        'requests the sessions that no run has requested',
      ],
    ],
  ],
  [{ kind: 'drift' }, []],
  [{ kind: 'note' }, []],
  [{ kind: 'unrepaired', rule: 8 }, [[null, UNCHANGED], ...OVERRIDE.slice(0, 1)]],
  [
    { kind: 'withheld', rule: 8 },
    [['candlehouse repair', 'fetches the sessions of the breaks again'], ...OVERRIDE],
  ],
  [
    { kind: 'withheld', rule: 8, dataset: 'snapshot' },
    [[null, 'rule 8: past snapshots cannot be fetched again; the next one is checked anew'], ...OVERRIDE],
  ],
  [{ kind: 'withheld' }, [['candlehouse repair', 'fetches the sessions of the breaks again']]],
]

test.each(ADVISED)('for each kind of reason the advice says what to type and why: %j', (reason, expected) => {
  expect(advised(reason)).toEqual(expected)
})

test('a repair that changed nothing does not advise another one', () => {
  expect(advised({ kind: 'withheld', rule: 8 }, { run: { job: 'repair' } })).toEqual([
    [null, UNCHANGED],
    ...OVERRIDE,
  ])
})

describe('the command', () => {
  const again = 'candlehouse backfill ohlc'
  const run = { job: 'backfill' }

  test('repeats this run where it reported the reason, or nobody did', () => {
    expect(advised({ job: 'backfill' }, { run, again })[0]?.[0]).toBe(again)
    expect(advised({}, { run, again })[0]?.[0]).toBe(again)
  })

  test('repeats the nightly that reported the reason', () => {
    const before = conclusionOf({ again: 'candlehouse nightly --sessions 9' })
    expect(advised({ job: 'nightly' }, { run, again, before })[0]?.[0]).toBe(
      'candlehouse nightly --sessions 9',
    )
    expect(advised({ job: 'nightly' }, { run, again, before: { ...before, night: null } })[0]?.[0]).toBe(
      'candlehouse nightly',
    )
    expect(advised({ job: 'nightly' }, { run, again })[0]?.[0]).toBe('candlehouse nightly')
  })

  test('repairs up to the trading date of the run, unless windows are after it', () => {
    const dateOption = ' --date 2025-03-14'
    const repair = (until?: string) =>
      advised({ kind: 'windows', ...(until === undefined ? {} : { until }) }, { dateOption })[0]?.[0]
    expect(repair()).toBe('candlehouse repair --date 2025-03-14')
    expect(repair('2025-03-14')).toBe('candlehouse repair --date 2025-03-14')
    expect(repair('2025-03-17')).toBe('candlehouse repair')
  })
})

describe('the hint of a failure', () => {
  const record = (hint: string | undefined) => ({ failure: { message: 'it broke', hint } })

  test('is advice where it is a command, with the reason behind its #', () => {
    expect(
      advised({ kind: 'usage', job: 'nightly' }, record('candlehouse doctor   # checks the home')),
    ).toEqual([['candlehouse doctor', 'checks the home']])
    expect(advised({ kind: 'usage', job: 'nightly' }, record('candlehouse doctor'))).toEqual([
      ['candlehouse doctor', 'what the run itself asks for'],
    ])
  })

  test('is none where it is no command, or belongs to another run', () => {
    expect(advised({ kind: 'usage', job: 'nightly' }, record('free some space'))).toEqual([])
    expect(advised({ kind: 'usage', job: 'nightly' }, record(undefined))).toEqual([])
    expect(advised({ kind: 'usage', job: 'import' }, record('candlehouse doctor'))).toEqual([])
    expect(advised({ kind: 'usage', job: 'nightly' })).toEqual([])
  })
})

test('each command is advised once, with its first reason, and each statement once', () => {
  const reason = (kind: Reason['kind'], since: string): Reason => ({
    kind,
    text: 'any',
    against: null,
    dataset: 'ohlc',
    since,
  })
  const record = recordOf({
    asks: ['candlehouse nightly # once more', 'candlehouse raw verify # checks pages'],
  })
  const reasons = [
    reason('bug', '1'),
    reason('expired', '2024-03-13'),
    reason('expired', '2024-03-14'),
    reason('problem', '1'),
    reason('expired', '2024-03-13'),
  ]
  expect(adviceFor(reasons, record)).toEqual([
    { command: 'candlehouse nightly', why: CONTINUES },
    { command: null, why: 'ohlc of 2024-03-13: cannot be fetched any more' },
    { command: null, why: 'ohlc of 2024-03-14: cannot be fetched any more' },
    { command: 'candlehouse raw verify', why: 'checks pages' },
  ])
})

test('advice is a line for a shell', () => {
  const line = (advice: Advice): string => adviceLine(advice)
  expect(line({ command: 'candlehouse repair', why: 'fetches again' })).toBe(
    'candlehouse repair    # fetches again',
  )
  expect(line({ command: null, why: 'nothing can be done' })).toBe('nothing can be done')
})

test('notes are not serious', () => {
  const { reasons } = conclusionOf({ notes: ['a'], problems: [{ kind: 'bucket', text: 'b' }] })
  expect(reasons).toHaveLength(2)
  expect(seriousReasons({ reasons }).map(({ kind }) => kind)).toEqual(['bucket'])
})

test('in a few words, a run that did not end is its state, and each state has a sign', () => {
  const words = (state: keyof typeof SIGNS): string => shortHeadline({ state, headline: 'a headline' })
  expect(words('good')).toBe('a headline')
  expect(words('attention')).toBe('a headline')
  expect(words('failed')).toBe('failed')
  expect(words('stopped')).toBe('stopped')
  expect(SIGNS).toEqual({ good: '✓', attention: '!', failed: '✕', stopped: '✕' })
})
