import { describe, expect, test } from 'vitest'
import { fakeEffects } from '../../foundation/test/fake-effects.js'
import { createRate } from '../src/throttle/adaptive-rate.js'
import { PauseNotice } from '../src/throttle/pause-notice.js'
import { readHttpDate, serverClock, waitOf } from '../src/throttle/retry-after.js'

const DATE = 'Thu, 02 Jan 2025 10:00:00 GMT'
const AT = Date.UTC(2025, 0, 2, 10)

describe('a wait that the service states', () => {
  const wait = (value: string | undefined, date?: string) => waitOf(value, { receivedAt: AT + 500, date })

  test.each<[string | undefined, number | undefined]>([
    ['0', 0],
    ['2', 2000],
    [' 2 ', 2000],
    ['1.25', 1250],
    ['999999999', 999_999_999_000],
    ['-1', undefined],
    ['1.', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
    ['12345678901234567', undefined],
  ])('%j is %j ms', (value, ms) => {
    expect(wait(value)).toBe(ms)
  })

  test('is an instant in seconds from 1e9 on, in milliseconds from 1e12 on', () => {
    expect(waitOf('1000000000', { receivedAt: 999_999_999_000, date: undefined })).toBe(1000)
    expect(waitOf('1000000000000', { receivedAt: 999_999_999_000, date: undefined })).toBe(1000)
    expect(wait(String(AT / 1000 + 3))).toBe(2500)
    expect(wait(String(AT + 3000))).toBe(2500)
    expect(wait(String(AT - 3000))).toBe(0)
    expect(wait(String(AT + 3000), DATE)).toBe(3000)
  })

  test('is an instant as a date of HTTP', () => {
    expect(wait('Thu, 02 Jan 2025 10:00:07 GMT', DATE)).toBe(7000)
    expect(wait('Thursday, 02-Jan-25 10:00:07 GMT', DATE)).toBe(7000)
    expect(wait('Thu Jan 02 2025 10:00:07 GMT', DATE)).toBe(7000)
    expect(wait('Thu, 02 Jan 2025 09:00:00 GMT', DATE)).toBe(0)
    expect(wait('Thu, 99 Jan 2025 10:00:07 GMT', DATE)).toBeUndefined()
    expect(wait('2025-01-02T10:00:07Z', DATE)).toBeUndefined()
    expect(wait('x Thu, 02 Jan 2025 10:00:07 GMT', DATE)).toBeUndefined()
  })

  test('is measured with the clock of the service, or ours', () => {
    expect(serverClock({ receivedAt: 7, date: DATE })).toBe(AT)
    expect(serverClock({ receivedAt: 7, date: 'yesterday' })).toBe(7)
    expect(serverClock({ receivedAt: 7, date: undefined })).toBe(7)
    expect(readHttpDate('2025-01-02')).toBeUndefined()
    expect(readHttpDate('')).toBeUndefined()
  })
})

describe('the rate', () => {
  test('is halved, and rises to its ceiling again', () => {
    const rate = createRate(10)
    rate.succeeded()
    expect(rate.current()).toBe(10)
    rate.halve(0)
    expect(rate.current()).toBe(5)
    rate.succeeded()
    expect(rate.current()).toBe(5.1)
    for (let count = 0; count < 100; count++) rate.succeeded()
    expect(rate.current()).toBe(10)
  })

  test('rises by 5 % where that is more, and never falls below one request in two seconds', () => {
    const fast = createRate(100)
    fast.halve(0)
    fast.succeeded()
    expect(fast.current()).toBeCloseTo(50.05, 9)
    const slow = createRate(1)
    for (let count = 0; count < 5; count++) slow.halve(0)
    expect(slow.current()).toBe(0.5)
    slow.succeeded()
    expect(slow.current()).toBe(1)
  })

  test('without a limit is measured when it is halved: the busier of this second and the one before', () => {
    const halved = (starts: readonly number[], at: number): number => {
      const rate = createRate(Number.POSITIVE_INFINITY)
      for (const start of starts) rate.started(start)
      rate.halve(at)
      return rate.current()
    }
    const eight = Array.from({ length: 8 }, (_, index) => 5000 + index * 100)
    expect(halved(eight, 5900)).toBe(4)
    expect(halved([...eight, 6000], 6100)).toBe(4)
    expect(halved([...eight, 7000, 7100], 7200)).toBe(1)
    expect(halved(eight, 6100)).toBe(4)
    expect(halved([], 0)).toBe(0.5)
  })
})

describe('a pause', () => {
  const shown = (...pauses: readonly (readonly [afterMs: number, ms: number])[]): string[] => {
    const effects = fakeEffects(AT)
    const notice = new PauseNotice(effects)
    for (const [afterMs, ms] of pauses) {
      effects.advance(afterMs)
      notice.show('HTTP 503', ms)
    }
    return effects.warnings
  }

  test('is shown with its reason and its end where it is long', () => {
    expect(shown([0, 10_001])).toEqual(['HTTP 503: waiting 10 s, until 2025-01-02 17:00:10 exchange time'])
    expect(shown([0, 10_000])).toEqual([])
  })

  test('is shown again only where its end moves by more than a long pause', () => {
    expect(shown([0, 20_000], [5000, 25_000])).toHaveLength(1)
    expect(shown([0, 20_000], [5000, 25_001])).toHaveLength(2)
    expect(shown([0, 20_000], [30_000, 11_000])).toHaveLength(2)
  })
})
