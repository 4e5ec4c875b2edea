import { ServiceError } from 'candlehouse-foundation/errors'
import { describe, expect, test } from 'vitest'
import { FaultScope } from '../../src/fetch/fault-scope.js'
import { type NoAnswer, NoAnswerError } from '../../src/source/source.js'

const { signal } = new AbortController()

function failure(about: Partial<NoAnswer> = {}): NoAnswerError {
  const last = { problem: 'HTTP 500', status: 500, body: new Uint8Array(), attempts: 5, receivedAt: 0 }
  const all = { query: {}, page: 1, isOutage: false, isTimeout: false, last, ...about }
  return new NoAnswerError('HTTP 500', all, { hint: 'later', cause: undefined })
}

const PROBED = ['indexList', 'securitiesByBoard', 'masterdata']

/** @param answers endpoints that are answered when the source is asked */
function scopeOf(answers: readonly string[]): { scope: FaultScope; probes: string[] } {
  const probes: string[] = []
  const isAnswering = async (failing: ReadonlySet<string>): Promise<boolean> => {
    for (const endpoint of PROBED.filter((name) => !failing.has(name))) {
      probes.push(endpoint)
      if (answers.includes(endpoint)) return true
    }
    return false
  }
  return { scope: new FaultScope({ isAnswering }), probes }
}

async function fail(
  scope: FaultScope,
  endpoint: string,
  times: number,
  about?: Partial<NoAnswer>,
): Promise<void> {
  for (let time = 0; time < times; time++) await scope.failed(endpoint, failure(about), signal)
}

describe('windows of one endpoint that fail', () => {
  test('are each tried to the end up to the third; then its others once, without retries', async () => {
    const { scope, probes } = scopeOf(['indexList'])
    await fail(scope, 'ohlc', 2)
    expect(scope.limitsOf('ohlc', 0).attempts()).toBeUndefined()
    expect(probes).toEqual([])
    await fail(scope, 'ohlc', 1)
    expect(scope.limitsOf('ohlc', 0).attempts()).toBe(1)
    expect(scope.limitsOf('masterdata', 0).attempts()).toBeUndefined()
    expect(probes).toEqual(['indexList'])
  })

  test('are not tried to the end where they are on their way when it turns out to be failing', async () => {
    const { scope } = scopeOf(['indexList'])
    const limits = scope.limitsOf('ohlc', 0)
    expect(limits.attempts()).toBeUndefined()
    await fail(scope, 'ohlc', 3)
    expect(limits.attempts()).toBe(1)
    scope.answered('ohlc')
    expect(limits.attempts()).toBeUndefined()
  })

  test('are no outage however many they are, as long as another endpoint answers', async () => {
    const { scope, probes } = scopeOf(['securitiesByBoard'])
    await fail(scope, 'ohlc', 1_700)
    // After 3, then 25 more, 50 more, … 800 more; the first endpoint of each probe does not answer.
    expect(probes).toHaveLength(2 * 7)
    scope.answered('ohlc')
    expect(scope.limitsOf('ohlc', 0).attempts()).toBeUndefined()
  })

  test('are not requested any more where they time out: each takes minutes', async () => {
    const { scope } = scopeOf(['indexList'])
    await fail(scope, 'ohlc', 15, { isTimeout: true })
    expect(scope.skipped('ohlc')).toBeUndefined()
    await fail(scope, 'ohlc', 1, { isTimeout: true })
    expect(scope.skipped('ohlc')).toMatchObject({
      attempts: 0,
      problem: expect.stringContaining('not requested'),
    })
    expect(scope.skipped('masterdata')).toBeUndefined()
  })

  test('are tried less often by later runs', () => {
    const { scope } = scopeOf([])
    expect([0, 1, 2, 3, 9].map((runs) => scope.limitsOf('ohlc', runs).attempts())).toEqual([
      undefined,
      3,
      2,
      1,
      1,
    ])
  })
})

describe('an outage', () => {
  test('is several endpoints that fail where no other answers', async () => {
    const { scope, probes } = scopeOf([])
    await fail(scope, 'indexList', 1)
    await fail(scope, 'securitiesByBoard', 2)
    await expect(fail(scope, 'securitiesByBoard', 1)).rejects.toThrow(
      /the service fails: indexList, securitiesByBoard/,
    )
    expect(probes).toEqual(['masterdata'])
  })

  test('is a service that nobody reaches or can sign in to', async () => {
    const { scope } = scopeOf(['indexList'])
    await expect(scope.failed('ohlc', failure({ isOutage: true }), signal)).rejects.toBeInstanceOf(
      ServiceError,
    )
  })

  test('is asked about once by windows that fail at the same time', async () => {
    const { scope, probes } = scopeOf([])
    await fail(scope, 'ohlc', 2)
    const ends = await Promise.allSettled([
      fail(scope, 'ohlc', 1),
      fail(scope, 'masterdata', 1),
      fail(scope, 'masterdata', 1),
    ])
    expect(ends.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
    expect(new Set(probes).size).toBe(probes.length)
  })
})
