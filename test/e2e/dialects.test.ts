import { beforeAll, describe, expect, test } from 'vitest'
import { DELISTED, type StandIn, type StandInOptions } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import {
  eveBefore,
  expectCode,
  heldHashes,
  night,
  SESSIONS,
  service,
  smallMarket,
  undisturbed,
} from './support/nights.js'
import { expectTruth } from './support/truth.js'

let plain: Awaited<ReturnType<typeof undisturbed>>

beforeAll(async () => {
  plain = await undisturbed()
})

describe('a deployment that differs from the specification is read to the same tables', () => {
  test('ISO dates, JSON numbers, bare arrays, counts as text, fields nobody knows, codes as numbers', async () => {
    await sameAsPlain({
      dateFormat: 'ISO',
      ohlcOrder: 'newest-first',
      ohlcCounts: false,
      ohlcEnvelope: 'array',
      emptyAs: '[]',
      numbers: 'json',
      extraFields: true,
      countsAsStrings: true,
      errorCode: 'number',
      intradayPastToday: 'empty',
      expiresIn: 'ms',
    })
  })

  test('pages cut to 7 rows without a word, HTTP 204, trailing zeros, a token that expires on the way', async () => {
    const standIn = await slow({
      pageCap: 7,
      ohlcOrder: 'newest-first',
      ohlcCounts: false,
      emptyAs: 'http204',
      numbers: 'trailing',
      tokenTtlSeconds: 1,
    })
    await sameAsPlain(standIn)
    expect(standIn.count('/auth/refresh')).toBeGreaterThan(0)
    expect(standIn.count('/auth/token')).toBe(1)
    // Renewed ahead of time, by one for all: no request met the end of a token.
    expect(standIn.requests.filter((request) => request.status === 401)).toEqual([])
  })

  test('pages cut to 7 rows with counts: no page is asked twice, none beyond the end', async () => {
    const { standIn } = await sameAsPlain({ pageCap: 7, countsAsStrings: true })
    const asked = standIn.requests.map((request) => `${request.path} ${JSON.stringify(request.query)}`)
    expect(asked.length).toBe(new Set(asked).size)
    // 12 bars a session: two sessions, one for the delisted symbol.
    expect(standIn.count('/data/ohlc', { timeFrame: '1m', symbol: 'FPT' })).toBe(4)
    expect(standIn.count('/data/ohlc', { timeFrame: '1m', symbol: 'FLC' })).toBe(2)
    expect(standIn.count('/data/masterdata')).toBe(4)
  })

  test('page sizes refused above 50: stepped down to, and the refused ones never asked again', async () => {
    const standIn = await service({ pageSizeRefusedAbove: 50, errorCode: 'number' })
    const cwd = temporaryFolder()
    expectCode(await eveBefore(standIn, cwd), 0)
    const first = [...standIn.requests]
    expectCode(await night(standIn, cwd), 0)
    expect(standIn.requests.slice(first.length).filter((request) => request.status !== 200)).toEqual([])
    expect(await heldHashes(cwd)).toEqual(plain.twice)
    for (const path of ['/data/securitiesSummary', '/data/masterdata', '/data/ohlc']) {
      const refused = first.filter((each) => each.path.endsWith(path) && each.status === 400)
      const sizes = refused.map((each) => each.query.pageSize)
      expect(standIn.count(path, { pageSize: '50' }), path).toBeGreaterThan(0)
      expect(sizes, `each size once, ${path}`).toEqual(['1000', '500', '100'])
    }
  })

  // Asked by symbol, a service only tells of symbols that its lists name.
  const listed = { market: smallMarket(DELISTED) }

  test('no summary of the whole market: asked by symbol, the refused form never again; no refresh either', async () => {
    const standIn = await slow({
      ...listed,
      summaryWithoutFilter: 'refuse',
      refreshShape: 'refused',
      tokenTtlSeconds: 1,
    })
    const cwd = temporaryFolder()
    expectCode(await eveBefore(standIn, cwd), 0)
    const unfiltered = (): number =>
      standIn.requests.filter((each) => each.path.endsWith('/securitiesSummary') && !each.query.symbol).length
    const asked = unfiltered()
    // Once as meant, once with the smallest page: the refusal does not say what it minds.
    expect(asked).toBeLessThanOrEqual(2)
    expectCode(await night(standIn, cwd), 0)
    expect(unfiltered()).toBe(asked)
    expect(standIn.count('/auth/refresh')).toBeGreaterThan(0)
    expect(standIn.count('/auth/token')).toBeGreaterThan(2)
    await expectTruth(standIn, cwd, { sessions: SESSIONS })
  })

  test('DD/MM/YYYY, commas, newest first without counts, {code:204}, board for exchange, no gzip; nothing for the whole market, but rows by symbol: probed, not believed', async () => {
    const standIn = await service({
      ...listed,
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
  })
})

/** One night against a deployment (or the service of one) ends well and holds what it holds elsewhere. */
async function sameAsPlain(
  deployment: Partial<StandInOptions> | StandIn,
): Promise<{ standIn: StandIn; cwd: string }> {
  const standIn = 'url' in deployment ? deployment : await service(deployment)
  const cwd = temporaryFolder()
  const ran = await night(standIn, cwd)
  expectCode(ran, 0)
  expect(ran.stderr).not.toContain('warning')
  expect(await heldHashes(cwd)).toEqual(plain.once)
  return { standIn, cwd }
}

/** A service that takes its time, so that a token of one second ends in the middle of a run. */
async function slow(options: Partial<StandInOptions>): Promise<StandIn> {
  const standIn = await service(options)
  standIn.onRequest = () => new Promise((resolve) => setTimeout(resolve, 150))
  return standIn
}
