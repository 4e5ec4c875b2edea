import { describe, expect, it } from 'vitest'
import { type FakeEffects, fakeEffects } from '../../foundation/test/fake-effects.js'
import { createThrottle } from '../src/throttle/throttle.js'
import { stage, token, withLogin } from './support/service.js'

const HOUR = 3_600_000
const STEPS: readonly [string, number][] = [
  ['back one hour', -HOUR],
  ['forward one hour', HOUR],
  ['back one day', -24 * HOUR],
  ['forward one day', 24 * HOUR],
]
const NOW = Date.UTC(2025, 0, 2, 10)

function elapsed(effects: FakeEffects): number {
  return effects.slept.reduce((sum, ms) => sum + ms, 0)
}

describe('a wall clock that is set', () => {
  it.each(STEPS)('%s changes nothing about the pace of requests', async (_, ms) => {
    const effects = fakeEffects(NOW)
    const throttle = createThrottle({ maxRps: 10 }, effects)
    for (let n = 0; n < 12; n++) await throttle.take()
    effects.step(ms)
    for (let n = 0; n < 12; n++) await throttle.take()
    expect(elapsed(effects)).toBeCloseTo(2300)
  })

  it.each(STEPS)('%s changes nothing about a pause that the service asked for', async (_, ms) => {
    const effects = fakeEffects(NOW)
    const throttle = createThrottle({ maxRps: 10 }, effects)
    const limited = { status: 429, headers: { 'retry-after': '60' }, receivedAt: effects.now() }
    throttle.observe(await throttle.take(), limited)
    effects.step(ms)
    await throttle.take()
    expect(elapsed(effects)).toBeCloseTo(60_000)
  })

  it.each(STEPS)('%s costs a session at most one refresh', async (_, ms) => {
    await stage(
      withLogin((request, nth) =>
        request.path.endsWith('/auth/refresh')
          ? { body: token(nth + 1, stamp(ms) + 8 * 3600) }
          : { body: [] },
      ),
      async ({ client, effects, service }) => {
        await client.market.indexList({})
        effects.step(ms)
        for (let n = 0; n < 20; n++) await client.market.indexList({})
        expect(service.asked('/auth/refresh').length).toBeLessThanOrEqual(1)
        expect(service.asked('/auth/token')).toHaveLength(1)
      },
    )
  })

  it('back one hour does not keep a token that has ended', async () => {
    await stage(
      withLogin((request, nth) =>
        request.path.endsWith('/auth/refresh') ? { body: token(nth + 1, stamp(10 * HOUR)) } : { body: [] },
      ),
      async ({ client, effects, service }) => {
        await client.market.indexList({})
        effects.advance(8 * HOUR)
        effects.step(-HOUR)
        await client.market.indexList({})
        expect(service.asked('/auth/refresh')).toHaveLength(1)
      },
    )
  })

  it('does not make two ended tokens look like thefts by another login', async () => {
    let valid = 1
    await stage(
      (request, nth) => {
        if (request.path.endsWith('/auth/refresh')) {
          valid = nth + 1
          return { body: token(valid) }
        }
        if (request.path.endsWith('/auth/token')) return { body: token(1) }
        const refused = request.headers.authorization !== `Bearer access-token-${valid}`
        return refused ? { status: 401, body: { code: '401', msg: 'expired' } } : { body: [] }
      },
      async ({ client, effects }) => {
        for (let n = 0; n < 4; n++) {
          await client.market.indexList({})
          effects.advance(HOUR)
          effects.step(-HOUR)
          valid = 0
        }
        expect(client.session.grade).toBe('market')
      },
    )
  })
})

describe('a machine that slept', () => {
  it('ends a pause, and sends no burst afterwards', async () => {
    const effects = fakeEffects(NOW)
    const throttle = createThrottle({ maxRps: 10 }, effects)
    const limited = { status: 429, headers: { 'retry-after': '60' }, receivedAt: effects.now() }
    throttle.observe(await throttle.take(), limited)
    effects.advance(8 * HOUR)
    for (let n = 0; n < 6; n++) await throttle.take()
    // Five requests a second after the 429: five gaps of 200 ms.
    expect(elapsed(effects)).toBeCloseTo(1000)
  })

  it('renews its token before the next request, also where the monotonic clock stood still', async () => {
    for (const sleep of [
      (effects: FakeEffects) => effects.advance(9 * HOUR),
      (effects: FakeEffects) => effects.step(9 * HOUR),
    ]) {
      await stage(
        withLogin((request, nth) =>
          request.path.endsWith('/auth/refresh') ? { body: token(nth + 1, stamp(20 * HOUR)) } : { body: [] },
        ),
        async ({ client, effects, service }) => {
          await client.market.indexList({})
          sleep(effects)
          await client.market.indexList({})
          expect(service.asked('/auth/refresh')).toHaveLength(1)
        },
      )
    }
  })
})

describe('a pause', () => {
  it('of more than ten seconds is shown once, with its reason and its end in exchange time', async () => {
    const effects = fakeEffects(NOW)
    const throttle = createThrottle({ maxRps: 10 }, effects)
    const tickets = await Promise.all([1, 2, 3].map(() => throttle.take()))
    for (const ticket of tickets) {
      effects.advance(500)
      const limited = { status: 429, headers: { 'retry-after': '1800' }, receivedAt: effects.now() }
      throttle.observe(ticket, limited)
    }
    expect(effects.warnings).toEqual([
      'the service limits requests (HTTP 429 with Retry-After): waiting 1800 s, until 2025-01-02 17:30:00 exchange time',
    ])
  })

  it('between two attempts is shown too', async () => {
    await stage(
      withLogin((_, nth) => (nth <= 6 ? { status: 503, body: 'down' } : { body: [] })),
      async ({ client, effects }) => {
        await client.market.indexList({})
        expect(effects.warnings[0]).toMatch(/^GET .*indexList: HTTP 503.*: waiting 15 s, until 2025-01-02 /)
      },
    )
  })

  it('of ten seconds or less is not shown', async () => {
    await stage(
      withLogin((_, nth) => (nth === 1 ? { status: 429, headers: { 'retry-after': '10' } } : { body: [] })),
      async ({ client, effects }) => {
        await client.market.indexList({})
        expect(effects.warnings).toEqual([])
      },
    )
  })
})

/** Epoch seconds, that long after the clock of `fakeEffects` begins. */
function stamp(ms: number): number {
  return (NOW + ms) / 1000
}
