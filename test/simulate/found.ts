import type { Plan } from './plan.js'

/** What seeds found: the least plan that failed, and why. Each fails again if its cause comes back. */
export interface Found {
  /** The seed that failed first, as seeds were drawn then. */
  readonly seed: number
  readonly what: string
  /** A test close to the code that fails for the same cause: `FOUND=1` leaves the plan out, `make soak` runs all of them. */
  readonly near?: string
  readonly plan: Omit<Plan, 'seed'>
}

export const FOUND: readonly Found[] = [
  {
    seed: 36,
    what:
      'a night that ended early (outage, kill, deadline) had not requested some candles; the next one, whose sessions had moved on, ' +
      'said complete: they were incomplete windows of no ledger',
    near: 'test/e2e/proportion/unfinished-night.test.ts',
    plan: {
      accounts: false,
      before: 0,
      nights: [[{ kind: 'outage', nth: 27, seconds: 3600 }], []],
    },
  },
  {
    seed: 4,
    what:
      'a field was lost on one night, and every record of the same session rejected on the next: once values came, each was a ' +
      'revision of a null that the service never had',
    near: 'test/cases/load/what-comes-after-two-bad-answers-replaces-nothing',
    plan: {
      accounts: false,
      before: 0,
      nights: [
        [{ kind: 'field', dataset: 'masterdata', field: 'refPrice', manner: 'null' }],
        [{ kind: 'field', dataset: 'masterdata', field: 'ceiling', manner: 'another type' }],
      ],
    },
  },
  {
    seed: 22,
    what:
      'no answer had a symbol on the night after an outage: its summary of the session before, which that night asked ' +
      'for, was never requested again',
    near: 'test/load/evidence.test.ts',
    plan: {
      accounts: false,
      before: 3,
      nights: [[{ kind: 'outage', nth: 3, seconds: 3600 }], [{ kind: 'hidden', symbol: 'PVS' }]],
    },
  },
  {
    seed: 138,
    what:
      'a field of the candles was lost on one night, and the symbol left out of everything on the next: once the values came, ' +
      'each was a revision of a null that the service never had',
    near: 'test/cases/load/nothing-does-not-complete-what-lacks-a-field',
    plan: {
      accounts: false,
      before: 3,
      nights: [
        [{ kind: 'field', dataset: 'ohlc', field: 'open', manner: 'renamed' }],
        [{ kind: 'hidden', symbol: 'FPT' }],
      ],
    },
  },
  {
    seed: 30,
    what: 'no answer had a symbol on one night, and on the next the list of its board failed: its membership ended and began again',
    plan: {
      accounts: false,
      before: 3,
      nights: [
        [{ kind: 'hidden', symbol: 'ACV' }],
        [{ kind: 'window', window: 'securitiesByBoard UPCOM', damage: '403', times: 999 }],
      ],
    },
  },
  {
    seed: 30,
    what: 'the same, and on the next night the list of its index failed',
    plan: {
      accounts: false,
      before: 3,
      nights: [
        [{ kind: 'hidden', symbol: 'FPT' }],
        [{ kind: 'window', window: 'securitiesByBoard VN30', damage: '403', times: 999 }],
      ],
    },
  },
  {
    seed: 214,
    what: 'the first night of a home had a symbol in no list and no answer: its sessions of that night were never requested',
    near: 'test/load/evidence.test.ts',
    plan: { accounts: false, before: 0, nights: [[{ kind: 'hidden', symbol: 'VCB' }]] },
  },
]
