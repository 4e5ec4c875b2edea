import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { describe, expect, test } from 'vitest'
import { backfill } from '../../jobs/backfill.js'
import { keepalive } from '../../jobs/keepalive.js'
import { nightly } from '../../jobs/nightly.js'
import { type Effects, silentLog, systemEffects } from '../../src/effects.js'
import type { Job } from '../../src/run/jobs/job.js'
import { runSchedule } from '../../src/schedule/loop.js'
import { inExchangeTime, missedSessions, nextDue } from '../../src/schedule/next.js'

const calendar = loadCalendar()
const at = (text: string): number => Date.parse(`${text}:00+07:00`)

interface Ran {
  job: Job['name']
  at: string
  sessions: number | undefined
}

/** Keeps both jobs from `start` to `end` on a clock that only sleeping and running moves. */
async function runUntil(
  start: string,
  end: string,
  options: { lastDone?: string; backfillHours?: number; jobs?: readonly Job[]; step?: number } = {},
): Promise<{ ran: Ran[]; shown: string[] }> {
  let now = at(start)
  let done = options.lastDone
  const ran: Ran[] = []
  const shown: string[] = []
  const stop = new AbortController()
  const tick = (ms: number): void => {
    now += ms
    if (now >= at(end)) stop.abort()
  }
  const effects: Effects = {
    ...systemEffects,
    now: () => now,
    monotonic: () => now,
    sleep: async (ms) => tick(ms),
    random: () => 0.5,
    log: silentLog,
  }
  await runSchedule(
    {
      jobs: options.jobs ?? [nightly, backfill],
      calendar: () => calendar,
      execute: async (job, sessions) => {
        ran.push({ job: job.name, at: inExchangeTime(now), sessions })
        if (job.name === 'nightly') done = calendar.latestClosedSession(now)
        tick(job.name === 'backfill' ? (options.backfillHours ?? 1) * 3_600_000 : 60_000)
        if (ran.length === 1) now += options.step ?? 0
      },
      lastDone: async () => done,
      show: (line) => shown.push(line),
    },
    stop.signal,
    effects,
  )
  return { ran, shown }
}

describe('a schedule that runs', () => {
  test('refreshes a session every hour, whatever was missed, and never before it is due', async () => {
    const { ran } = await runUntil('2025-03-14T12:00', '2025-03-14T15:00', {
      lastDone: '2025-03-10',
      jobs: [keepalive],
    })
    expect(ran).toEqual(
      ['12:20', '13:20', '14:20'].map((time) => ({
        job: 'keepalive',
        at: `2025-03-14T${time}+07:00`,
        sessions: undefined,
      })),
    )
  })

  test('runs the nightly on the evening of every session, the backfill on Saturday', async () => {
    const { ran } = await runUntil('2025-03-13T12:00', '2025-03-17T23:00', { lastDone: '2025-03-12' })
    expect(ran).toEqual([
      { job: 'nightly', at: '2025-03-13T18:30+07:00', sessions: undefined },
      { job: 'nightly', at: '2025-03-14T18:30+07:00', sessions: undefined },
      { job: 'backfill', at: '2025-03-15T08:00+07:00', sessions: undefined },
      { job: 'nightly', at: '2025-03-17T18:30+07:00', sessions: undefined },
    ])
  })

  test('after downtime catches up on three sessions with one run, at once', async () => {
    const { ran } = await runUntil('2025-03-14T10:00', '2025-03-14T12:00', { lastDone: '2025-03-10' })
    expect(ran).toEqual([{ job: 'nightly', at: '2025-03-14T10:00+07:00', sessions: undefined }])
  })

  test('after long downtime reaches back over every missed session', async () => {
    const { ran, shown } = await runUntil('2025-03-20T20:00', '2025-03-20T21:00', { lastDone: '2025-03-04' })
    expect(ran).toEqual([{ job: 'nightly', at: '2025-03-20T20:00+07:00', sessions: 12 }])
    expect(shown).toContain('nightly for 12 sessions, 2025-03-05 to 2025-03-20')
  })

  test('before its first run runs for the last session alone', async () => {
    const { ran } = await runUntil('2025-03-16T09:00', '2025-03-16T10:00')
    expect(ran).toEqual([{ job: 'nightly', at: '2025-03-16T09:00+07:00', sessions: undefined }])
  })

  test('does not run on a holiday', async () => {
    // 30 April and 1 and 2 May 2025 are closed.
    const { ran } = await runUntil('2025-04-30T08:00', '2025-05-02T23:00', { lastDone: '2025-04-29' })
    expect(ran).toEqual([])
  })

  test('a long backfill delays the nightly, which then runs at once and alone', async () => {
    const { ran } = await runUntil('2025-03-15T07:00', '2025-03-19T12:00', {
      lastDone: '2025-03-14',
      backfillHours: 60,
    })
    expect(ran.map(({ job, at: when }) => `${job} ${when}`)).toEqual([
      'backfill 2025-03-15T08:00+07:00',
      'nightly 2025-03-17T20:00+07:00',
      'nightly 2025-03-18T18:30+07:00',
    ])
  })

  test.each([
    ['back one hour', -3_600_000, ['2025-03-13T18:30', '2025-03-14T18:30']],
    ['forward one hour', 3_600_000, ['2025-03-13T18:30', '2025-03-14T18:30']],
    ['back one day', -86_400_000, ['2025-03-13T18:30', '2025-03-14T18:30']],
  ])('a clock that is set %s after a nightly does not run it twice', async (_, step, times) => {
    const { ran } = await runUntil('2025-03-13T12:00', '2025-03-14T23:00', {
      lastDone: '2025-03-12',
      jobs: [nightly],
      step,
    })
    expect(ran.map(({ at: when }) => when)).toEqual(times.map((time) => `${time}+07:00`))
  })

  test('shows the next run of each job', async () => {
    const { shown } = await runUntil('2025-03-14T08:00', '2025-03-14T09:00', { lastDone: '2025-03-13' })
    expect(shown).toEqual([
      'nightly: no session since its last run',
      'next nightly: 2025-03-14 18:30:00 UTC+7',
      'next backfill: 2025-03-15 08:00:00 UTC+7',
    ])
  })
})

describe('the next run', () => {
  test.each(['UTC', 'America/New_York', 'Asia/Ho_Chi_Minh'])(
    'is in exchange time on a host in %s',
    (zone) => {
      const host = process.env.TZ
      process.env.TZ = zone
      try {
        expect(inExchangeTime(nextDue(nightly, at('2025-03-09T12:00')))).toBe('2025-03-10T18:30+07:00')
        expect(inExchangeTime(nextDue(nightly, at('2025-03-10T18:30')))).toBe('2025-03-11T18:30+07:00')
      } finally {
        if (host === undefined) delete process.env.TZ
        else process.env.TZ = host
      }
    },
  )

  test('a session is missed only once its time has passed', () => {
    expect(missedSessions(nightly, '2025-03-13', calendar, at('2025-03-14T18:29'))).toEqual([])
    expect(missedSessions(nightly, '2025-03-13', calendar, at('2025-03-14T18:30'))).toEqual(['2025-03-14'])
  })
})
