import { describe, expect, it } from 'vitest'
import { fakeEffects } from '../../foundation/test/fake-effects.js'
import { waitOf } from '../src/throttle/retry-after.js'
import { createThrottle } from '../src/throttle/throttle.js'
import { stage, withLogin } from './support/service.js'

const NOW = Date.UTC(2025, 0, 2, 10)
const reply = (status: number, headers: Record<string, string> = {}) => ({ status, headers, receivedAt: NOW })

describe('a wait stated in a header', () => {
  const base = { receivedAt: NOW, date: undefined }
  it.each<[string, string, number | undefined]>([
    ['delta seconds', '30', 30_000],
    ['delta, fractional', '0.5', 500],
    ['zero', '0', 0],
    ['epoch seconds', String(NOW / 1000 + 45), 45_000],
    ['epoch milliseconds', String(NOW + 45_000), 45_000],
    ['an instant gone by', String(NOW / 1000 - 45), 0],
    ['an HTTP date', new Date(NOW + 90_000).toUTCString(), 90_000],
    ['negative', '-5', undefined],
    ['words', 'soon', undefined],
    ['NaN', 'NaN', undefined],
    ['hexadecimal', '0x10', undefined],
    ['nothing', '', undefined],
  ])('%s', (_, value, expected) => {
    expect(waitOf(value, base)).toBe(expected)
  })

  it('is measured by the clock of the service', () => {
    const date = new Date(NOW + 600_000).toUTCString()
    expect(waitOf(String(NOW / 1000 + 600 + 45), { receivedAt: NOW, date })).toBe(45_000)
    expect(waitOf(new Date(NOW + 645_000).toUTCString(), { receivedAt: NOW, date })).toBe(45_000)
    expect(waitOf('45', { receivedAt: NOW, date })).toBe(45_000)
  })
})

describe('the throttle', () => {
  it('never lets more than the cap start in a second', async () => {
    const effects = fakeEffects(NOW)
    const throttle = createThrottle({ maxRps: 10 }, effects)
    const starts = await Promise.all(Array.from({ length: 21 }, () => throttle.take()))
    expect((starts.at(-1)?.startedAt ?? 0) - (starts[0]?.startedAt ?? 0)).toBeCloseTo(2000)
  })

  it('does not wait at all when unbounded', async () => {
    const effects = fakeEffects(NOW)
    const throttle = createThrottle({ maxRps: Number.POSITIVE_INFINITY }, effects)
    await Promise.all(Array.from({ length: 100 }, () => throttle.take()))
    expect(effects.slept).toEqual([])
  })

  it('waits exactly as long as Retry-After says, without a cap, for all workers', async () => {
    const effects = fakeEffects(NOW)
    const throttle = createThrottle({ maxRps: Number.POSITIVE_INFINITY }, effects)
    const ticket = await throttle.take()
    expect(throttle.observe(ticket, reply(429, { 'retry-after': '1800' }))).toEqual({
      ms: 1_800_000,
      isStated: true,
    })
    const starts = await Promise.all([throttle.take(), throttle.take(), throttle.take()])
    expect(starts[0]?.startedAt).toBe(1_800_000)
    expect(throttle.pausedMs()).toBe(1_800_000)
  })

  it('pauses on a 200 whose remaining is 0, until the reset', async () => {
    const effects = fakeEffects(NOW)
    const throttle = createThrottle({ maxRps: Number.POSITIVE_INFINITY }, effects)
    const headers = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '20' }
    throttle.observe(await throttle.take(), reply(200, headers))
    expect((await throttle.take()).startedAt).toBe(20_000)
  })

  it.each([
    ['year 2099', String(Date.UTC(2099, 0, 1) / 1000), 900_000],
    ['garbage', 'soon', 1000],
    ['negative', '-1', 1000],
  ])('clamps or ignores a reset of %s', async (_, reset, expected) => {
    const effects = fakeEffects(NOW)
    const throttle = createThrottle({ maxRps: 10 }, effects)
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }
    expect(throttle.observe(await throttle.take(), reply(200, headers)).ms).toBe(expected)
  })

  it('halves once for a burst of 429s, then rises gently to the cap and no further', async () => {
    const effects = fakeEffects(NOW)
    const throttle = createThrottle({ maxRps: 10 }, effects)
    const burst = await Promise.all([throttle.take(), throttle.take(), throttle.take()])
    for (const ticket of burst) throttle.observe(ticket, reply(429))
    expect(throttle.rate()).toBe(5)
    let seconds = 0
    while (throttle.rate() < 10 && seconds < 60) {
      const before = effects.now()
      for (let i = 0; i < Math.ceil(throttle.rate()); i++) throttle.observe(await throttle.take(), reply(200))
      seconds += (effects.now() - before) / 1000
    }
    expect(seconds).toBeGreaterThan(5)
    expect(seconds).toBeLessThan(20)
    throttle.observe(await throttle.take(), reply(200))
    expect(throttle.rate()).toBe(10)
  })

  it('an unbounded rate is halved from the measured rate', async () => {
    const effects = fakeEffects(NOW)
    const throttle = createThrottle({ maxRps: Number.POSITIVE_INFINITY }, effects)
    const tickets = await Promise.all(Array.from({ length: 40 }, () => throttle.take()))
    throttle.observe(tickets[39] ?? { startedAt: 0 }, reply(429))
    expect(throttle.rate()).toBe(20)
  })

  it('a 429 without a wait time waits by full jitter from one second on', async () => {
    const effects = fakeEffects(NOW, 0.999)
    const throttle = createThrottle({ maxRps: 10 }, effects)
    const waits: number[] = []
    for (let i = 0; i < 3; i++) waits.push(throttle.observe(await throttle.take(), reply(429)).ms)
    expect(waits).toEqual([999, 1998, 3996])
  })
})

describe('the client', () => {
  it('obeys a 429 and asks again', async () => {
    await stage(
      withLogin((_, nth) => (nth === 1 ? { status: 429, headers: { 'retry-after': '120' } } : { body: [] })),
      async ({ client, effects }) => {
        expect(await client.market.indexList({})).toMatchObject({ outcome: 'empty', attempts: 2 })
        expect(effects.slept).toContain(120_000)
      },
    )
  })

  it('gives up when the service asks to wait for hours', async () => {
    await stage(
      withLogin(() => ({ status: 429, headers: { 'retry-after': '90000' } })),
      async ({ client }) => {
        await expect(client.market.indexList({})).rejects.toMatchObject({ exitCode: 5 })
      },
    )
  })
})
