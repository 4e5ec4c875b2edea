import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { seeded } from '../e2e/support/seeded.js'
import { LONG } from '../support/long.js'
import { READS } from './announcement.js'
import { EFFECT_NAMES, EFFECTS, type EffectName } from './effects.js'
import { mutated, mutations } from './mutations.js'
import { CHECKS, type Outcome, runSuite } from './suite.js'
import { type Bench, openBench } from './virtual-outside.js'

const SEED = 20_251_120
const ALL: ReadonlySet<EffectName> = new Set(EFFECT_NAMES)
const otherThan = (result: Outcome['result'], outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter((outcome) => outcome.result !== result)

test('the sandbox keeps every sentence of the specification and its own choices, with one password that works once', async () => {
  const bench = await openBench()
  const run = await runSuite(bench.target(), { allowed: ALL, choices: true }, bench.outside)
  await bench.sandbox.close()
  expect(otherThan('kept', run.outcomes)).toEqual([])
  expect(run).toMatchObject({ stopped: undefined, openOrders: [] })
  expect(new Set(run.outcomes.map(({ id }) => id)).size).toBe(CHECKS.length)
  expect(CHECKS.length).toBeGreaterThan(90)
})

describe('the live dialect with a limit of 100 requests per 10 s', () => {
  let run: Awaited<ReturnType<typeof runSuite>>
  let bench: Bench
  beforeAll(async () => {
    const fieldSuffixes = { broker: 'ABC', depository: 'XYZ' }
    const rateLimit = { limit: 100, windowSeconds: 10 }
    bench = await openBench({ dialect: 'live', fieldSuffixes, rateLimit })
    run = await runSuite(bench.target(), { allowed: ALL, choices: true }, bench.outside)
    await bench.sandbox.close()
  })

  test('breaks nothing: what differs is known, and its section is named', () => {
    const known = run.outcomes.filter(({ result }) => result === 'known')
    const sections = known.map(({ id, sections: places }) => [
      id,
      places.map((place) => place.split('#')[1]).join(' '),
    ])
    expect(Object.fromEntries(sections)).toEqual({
      'securities-fields': 'numbers-and-nulls',
      'summary-fields': 'numbers-and-nulls',
      'index-summary-fields': 'numbers-and-nulls',
      'masterdata-fields': 'board-or-exchange',
      'ohlc-fields': 'numbers-and-nulls',
      'ohlc-frames': 'candle-paging',
      'ohlc-year': 'candle-paging',
      'ohlc-envelope': 'candle-paging',
      'ohlc-pages': 'candle-paging',
      'accountBalance-fields': 'field-suffixes',
      'ppmmrAccount-fields': 'field-suffixes',
      'order-book-paging': 'order-book-paging',
      'order-book-range': 'empty-results',
      'fco-list-shape': 'letter-case',
      'fco-list-filters': 'empty-results',
      'fco-history': 'conditional-orders',
      'fco-place': 'letter-case conditional-orders',
      'fco-validity': 'conditional-orders',
      'choice-reused-client-id': 'client-request-ids',
    })
    const others = run.outcomes.filter(({ result }) => result !== 'known')
    expect(otherThan('kept', others)).toEqual([])
    expect(run).toMatchObject({ stopped: undefined, openOrders: [] })
  })

  test('is waited for, and never met', () => {
    expect(bench.waited()).toBeGreaterThan(10_000)
    expect([...run.sent.waits.keys()]).toEqual(['rate limit'])
  })

  test('each section is one of the market facts', () => {
    const facts = readFileSync(join(packageRoot, 'docs/market-facts.md'), 'utf8')
    const headings = [...facts.matchAll(/^### (.+)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    )
    const places = new Set(run.outcomes.flatMap(({ sections }) => sections))
    expect(places.size).toBeGreaterThan(7)
    for (const place of places) {
      const [page, heading] = place.split('#')
      expect([page, headings.includes(heading ?? '')]).toEqual(['docs/market-facts.md', true])
    }
  })
})

test('what is announced is what is sent, to a quarter', async () => {
  const count = async (allowed: readonly EffectName[], only?: readonly string[]): Promise<number> => {
    const bench = await openBench()
    await runSuite(bench.target(), { allowed: new Set(allowed), only }, bench.outside)
    await bench.sandbox.close()
    return bench.sandbox.requests()
  }
  const announced = READS.market + READS.accounts
  expect(Math.abs((await count([])) - announced)).toBeLessThan(announced / 4)
  for (const name of EFFECT_NAMES) {
    const { requests } = EFFECTS[name]
    const checks = CHECKS.filter(({ effect }) => effect === name).map(({ id }) => id)
    // Its checks alone send what they cost, behind the login of the run.
    const more = (await count([name], checks)) - 1
    expect([name, more > 0, more <= Math.max(requests * 1.25, requests + 2)]).toEqual([name, true, true])
  }
})

test('the status of an answer about accounts is shown, its figures are not', async () => {
  const bench = await openBench()
  const teapot: typeof fetch = async (input, init) =>
    String(input).includes('maxBuySell')
      ? new Response('{"code":"418","msg":"no"}', { status: 418 })
      : await bench.outside.fetch(input, init)
  const only = ['max-buy-sell']
  const { outcomes } = await runSuite(bench.target(), { only }, { ...bench.outside, fetch: teapot })
  await bench.sandbox.close()
  expect(outcomes).toMatchObject([{ result: 'broken', why: 'HTTP status of maxBuySell is 418, not 200' }])
})

describe('a mutation of the sandbox turns the suite red', () => {
  let bench: Bench
  let otp = ''
  beforeAll(async () => {
    // Each mutation logs in anew: its password is one that works more than once.
    bench = await openBench({ singleUseOtp: false })
    otp = bench.sandbox.otp
  })
  afterAll(() => bench.sandbox.close())
  const wanted = (ids: readonly string[]): string[] =>
    CHECKS.map(({ id }) => id).filter((id) => ids.some((begin) => id.startsWith(begin)))
  // Every third one; `make soak` tries them all.
  const all = mutations(seeded(SEED))
  test('there are fifty at least, each one its own', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(all.length).toBeGreaterThanOrEqual(50)
  })
  test.each(all.filter((_, at) => LONG || at % 3 === 0))('$id', async (mutation) => {
    const only = wanted(mutation.checks)
    expect(only).not.toEqual([])
    const outside = { ...bench.outside, fetch: mutated(mutation) }
    const { outcomes } = await runSuite(
      bench.target({ signIn: { by: 'otp', otp } }),
      { allowed: ALL, only },
      outside,
    )
    const expected = mutation.isKnown ? 'known' : 'broken'
    expect(outcomes.filter(({ result }) => result === expected)).not.toEqual([])
  })
})
