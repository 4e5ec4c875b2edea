import { beforeAll, describe, expect, test } from 'vitest'
import type { Effects } from '../../src/effects.js'
import type { RequestLog } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import {
  eveBefore,
  expectCode,
  FIRST,
  heldHashes,
  LOW_JITTER,
  night,
  SESSIONS,
  service,
  undisturbed,
} from './support/nights.js'
import { expectTruth } from './support/truth.js'

let plain: Awaited<ReturnType<typeof undisturbed>>

beforeAll(async () => {
  plain = await undisturbed()
})

describe('a deployment that differs from the specification is read to the same tables', () => {
  test('pages cut to 5 rows with counts: no page is asked twice, none beyond the end; page sizes refused above 50: stepped down to, and the refused ones never asked again; ISO dates, JSON numbers, bare arrays, counts as text, fields nobody knows, codes as numbers', async () => {
    const refusing = { pageSizeRefusedAbove: 50, errorCode: 'number' } as const
    const standIn = await service({ ...refusing, pageCap: 5, countsAsStrings: true })
    const cwd = temporaryFolder()
    expectCode(await eveBefore(standIn, cwd), 0)
    const first = [...standIn.requests]
    expect(askedAgain(first)).toEqual([])
    // 12 bars in a session.
    for (const symbol of ['FPT', 'FLC']) {
      const bars = first.filter(({ query }) => query.symbol === symbol && query.timeFrame === '1m')
      expect(
        bars.map(({ query }) => query.pageIndex),
        symbol,
      ).toEqual(['1', '2', '3'])
    }
    // 13 limits in a session. The smallest size shows that the size was refused, not the question; then the largest of
    // those that the service accepts is searched: once in the life of a client (packages/client/src/learned-dialect.ts).
    const limits = first.filter((each) => each.path.endsWith('/data/masterdata'))
    expect(limits.map(pageOf)).toEqual([
      'page 1 of 1000: 400',
      'page 1 of 10: 200',
      'page 1 of 500: 400',
      'page 1 of 100: 400',
      'page 1 of 50: 200',
      'page 2 of 5: 200',
      'page 3 of 5: 200',
    ])

    // What it was like the evening before does not matter, but for the page sizes.
    standIn.setOptions({
      pageCap: undefined,
      dateFormat: 'ISO',
      ohlcOrder: 'newest-first',
      ohlcCounts: false,
      ohlcEnvelope: 'array',
      emptyAs: '[]',
      numbers: 'json',
      extraFields: true,
      intradayPastToday: 'empty',
      expiresIn: 'ms',
    })
    const ran = await night(standIn, cwd)
    expectCode(ran, 0)
    expect(ran.stderr).not.toContain('warning')
    const second = standIn.requests.slice(first.length)
    expect(second.filter((request) => request.status !== 200)).toEqual([])
    // A bare array is believed at the third try: once in the life of a client.
    const [unbelieved, ...others] = askedAgain(second)
    expect(unbelieved).toMatch(/\/data\/ohlc .*"pageIndex":"1"/)
    expect(others).toEqual([unbelieved])
    expect(await heldHashes(cwd)).toEqual(plain.twice)
    for (const path of ['/data/securitiesSummary', '/data/masterdata', '/data/ohlc']) {
      const refused = first.filter((each) => each.path.endsWith(path) && each.status === 400)
      const sizes = refused.map((each) => each.query.pageSize)
      expect(standIn.count(path, { pageSize: '50' }), path).toBeGreaterThan(0)
      expect(sizes, `each size once, ${path}`).toEqual(['1000', '500', '100'])
    }
  })

  test('pages cut to 7 rows without a word, HTTP 204, trailing zeros, a token that expires on the way; no summary of the whole market: asked by symbol, the refused form never again; no refresh either', async () => {
    const clock = runsAhead()
    const standIn = await service({
      pageCap: 7,
      ohlcOrder: 'newest-first',
      ohlcCounts: false,
      emptyAs: 'http204',
      numbers: 'trailing',
      tokenTtlSeconds: 10,
      now: clock.now,
      summaryWithoutFilter: 'refuse',
    })
    standIn.onRequest = clock.advance
    const cwd = temporaryFolder()
    const eve = await eveBefore(standIn, cwd, clock)
    expectCode(eve, 0)
    expect(eve.stderr).not.toContain('warning')
    expect(standIn.count('/auth/refresh')).toBeGreaterThan(0)
    expect(standIn.count('/auth/token')).toBe(1)
    // Renewed ahead of time, by one for all: no request met the end of a token.
    expect(standIn.requests.filter((request) => request.status === 401)).toEqual([])
    const unfiltered = (): number =>
      standIn.requests.filter((each) => each.path.endsWith('/securitiesSummary') && !each.query.symbol).length
    const asked = unfiltered()
    // Once as meant, once with the smallest page: the refusal does not say what it minds.
    expect(asked).toBeLessThanOrEqual(2)

    if (!LONG) {
      // A session that cannot be refreshed: packages/client/test/session.test.ts.
      await expectTruth(standIn, cwd, { sessions: [FIRST] })
      return
    }
    standIn.setOptions({ refreshShape: 'refused' })
    const refreshed = standIn.count('/auth/refresh')
    expectCode(await night(standIn, cwd, {}, { effects: clock }), 0)
    expect(unfiltered()).toBe(asked)
    expect(standIn.count('/auth/refresh')).toBeGreaterThan(refreshed)
    expect(standIn.count('/auth/token')).toBeGreaterThan(2)
    await expectTruth(standIn, cwd, { sessions: SESSIONS })
  })

  // In short: DD/MM/YYYY, commas and 204, test/e2e/accounts.test.ts; the others, packages/client/test and test/contract.
  test.runIf(LONG)(
    'DD/MM/YYYY, commas, newest first without counts, {code:204}, board for exchange, no gzip; nothing for the whole market, but rows by symbol: probed, not believed',
    async () => {
      const standIn = await service({
        dateFormat: 'DD/MM/YYYY',
        ohlcBareDate: 'refuse',
        ohlcOrder: 'newest-first',
        ohlcCounts: false,
        ohlcEnvelope: 'data',
        emptyAs: '204',
        numbers: 'commas',
        masterdataBoardField: 'board',
        gzip: false,
        summaryWithoutFilter: 'empty',
      })
      const cwd = temporaryFolder()
      const ran = await night(standIn, cwd)
      expectCode(ran, 0)
      expect(ran.stderr).not.toContain('warning')
      expect(standIn.count('/data/securitiesSummary', { symbol: 'FPT' })).toBeGreaterThan(0)
      await expectTruth(standIn, cwd, { sessions: SESSIONS })
    },
  )
})

/** Questions that had been asked before, each as often as it was asked again. */
function askedAgain(requests: readonly RequestLog[]): string[] {
  const questions = requests.map(({ path, query }) => `${path} ${JSON.stringify(query)}`)
  return questions.filter((question, at) => questions.indexOf(question) !== at)
}

function pageOf({ query, status }: RequestLog): string {
  return `page ${query.pageIndex} of ${query.pageSize}: ${status}`
}

/** A clock for client and service that every request moves by 200 ms, so that tokens of ten seconds end within a run. */
function runsAhead(): Effects & { advance: () => Promise<void> } {
  let ahead = 0
  return {
    ...LOW_JITTER,
    now: () => Date.now() + ahead,
    monotonic: () => performance.now() + ahead,
    advance: async () => {
      ahead += 200
    },
  }
}
