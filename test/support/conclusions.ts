import { conclude } from '../../src/night/conclude.js'
import type { Conclusion } from '../../src/night/conclusion.js'
import { EMPTY_LEDGER, type GapGroup, type LedgerFacts, type NightRecord } from '../../src/night/record.js'

/** The record of a good nightly, but for what a test gives. */
export function recordOf({
  ledger,
  run,
  ...given
}: Partial<Omit<NightRecord, 'ledger' | 'run'>> & {
  ledger?: Partial<LedgerFacts>
  run?: Partial<NightRecord['run']>
} = {}): NightRecord {
  return {
    run: {
      job: 'nightly',
      runId: '20250314T113000000Z-0001',
      tradingDate: '2025-03-14',
      finishedAt: '2025-03-14T11:31:00.000Z',
      exitCode: 0,
      ...run,
    },
    from: '2025-03-10',
    again: 'candlehouse nightly',
    dateOption: '',
    failure: null,
    problems: [],
    notes: [],
    asks: [],
    missing: [],
    keysRead: ['default'],
    published: true,
    before: null,
    ...given,
    ledger: { ...EMPTY_LEDGER, ...ledger },
  }
}

/** Incomplete windows of candles of the night, which the service still serves. */
export function gapOf(given: Partial<GapGroup> = {}): GapGroup {
  return {
    dataset: 'ohlc',
    code: null,
    reason: 'HTTP 500',
    windows: 2,
    from: '2025-03-13',
    to: '2025-03-14',
    keys: ['FPT', 'HPG'],
    keyCount: 2,
    expiresOn: '2026-03-14',
    served: true,
    ofNight: true,
    ...given,
  }
}

/** The conclusion of such a record. */
export function conclusionOf(...given: Parameters<typeof recordOf>): Conclusion {
  return conclude(recordOf(...given))
}
