import { describe, expect, test } from 'vitest'
import { type Verdict, verdictOf } from '../../src/console/pages/verdict.js'
import type { LastRun, Tonight } from '../../src/console/tonight.js'

const missing = (...windows: string[]): LastRun['datasets'] => [
  { dataset: 'ohlc', windows: 9, requests: 9, rows: 9, changed: 4, rejected: 0, missing: windows },
]

const night: LastRun = {
  job: 'nightly',
  tradingDate: '2025-03-14',
  exitCode: 0,
  startedAt: '2025-03-14T11:00:00Z',
  finishedAt: '2025-03-14T11:20:00Z',
  datasets: missing(),
  checks: { pass: 40, soft: 2, break: 0, notEvaluable: 3, breaks: [] },
  notes: [],
  next: [],
}

const repair: LastRun = { ...night, job: 'repair', finishedAt: '2025-03-14T12:00:00Z', checks: null }

const brokenRule = { ...night.checks, break: 1, breaks: [{ rule: 8, severity: 'error', accepted: null }] }

function verdict(nightly: LastRun | null, later: LastRun | null, gapCount = 0): Verdict {
  const status = { gapCount, withheld: [], expiring: [] } as unknown as Tonight['status']
  return verdictOf({ now: '', home: '', status, runs: { nightly, later }, progress: null })
}

describe('the verdict', () => {
  test('of a good night is good, and counts what was checked', () => {
    expect(verdict(night, null)).toEqual({
      level: 'good',
      title: 'The nightly for 2025-03-14 is complete',
      reasons: ['40 checks of this run pass, 2 are worth a look, none is broken'],
      next: [],
    })
  })

  test('stays that of the night after an import, which has a line of its own', () => {
    const failed = { ...repair, job: 'import', exitCode: 4, next: ['candlehouse sql "from ops.quarantine"'] }
    expect(verdict(night, failed)).toMatchObject({
      level: 'good',
      title: 'The nightly for 2025-03-14 is complete',
      since: 'import of 2025-03-14 19:00 ended with exit 4: 9 windows, 4 rows changed',
      next: ['candlehouse sql "from ops.quarantine"'],
    })
  })

  test('of a night with a gap is good again once a later run has closed it', () => {
    const gap = { ...night, exitCode: 4, datasets: missing('FPT: reset') }
    expect(verdict(gap, null, 1)).toMatchObject({
      level: 'look',
      reasons: ['1 window is incomplete'],
      next: ['candlehouse repair'],
    })
    expect(verdict(gap, repair, 1).level).toBe('look')
    expect(verdict(gap, repair, 0)).toMatchObject({ level: 'good', next: [] })
  })

  test('of a night that ended with 4 is never good by itself', () => {
    const late = { ...night, exitCode: 4, notes: ['the deadline came first'] }
    expect(verdict(late, null)).toMatchObject({ level: 'look', reasons: ['the deadline came first'] })
  })

  test('of a night that failed stays bad until another night', () => {
    const failed = { ...night, exitCode: 5, notes: ['the service gave up'] }
    expect(verdict(failed, repair)).toMatchObject({ level: 'bad', reasons: ['the service gave up'] })
  })

  test('names broken rules of severity error', () => {
    const broken = { ...night, exitCode: 4, checks: brokenRule } as LastRun
    expect(verdict(broken, null).reasons).toEqual(['1 rule of severity error broken'])
  })

  test('without a night is that of the last run; without any run it names the first commands', () => {
    expect(verdict(null, repair)).toMatchObject({ title: 'The repair for 2025-03-14 is complete' })
    expect(verdict(null, null)).toMatchObject({
      level: 'none',
      next: ['candlehouse plan', 'candlehouse nightly'],
    })
  })
})
