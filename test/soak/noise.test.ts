import { expect, test } from 'vitest'
import { compareEvents, noisyMarket } from '../mart/noise.js'

test('a year of the full market with noise: no event is invented, none is missed; declared, all are found', async () => {
  const market = await noisyMarket('full', '2024-07-01', '2025-06-30')
  const alone = await compareEvents(market)
  const { events, noisySessions, differing, hidden } = alone
  process.stderr.write(
    `${events} events, ${differing} differences of noise on ${noisySessions} sessions; ${hidden.length} events within the noise\n`,
  )
  expect(events).toBeGreaterThan(1000)
  expect(differing).toBeGreaterThan(10_000)
  expect(alone).toMatchObject({ invented: [], missed: [], wrong: [] })
  // Of one or two ticks, on a noisy day: the prices of a tick alone cannot show them.
  expect(hidden.length).toBeLessThan(events / 10)

  await market.declare()
  expect(await compareEvents(market)).toMatchObject({ invented: [], missed: [], hidden: [], wrong: [] })
  const found = await market.found()
  const confirmed = found.filter(({ state }) => state === 'confirmed')
  const small = found.filter(({ state }) => state === 'declared')
  process.stderr.write(`${confirmed.length} confirmed, ${small.length} declared and too small to show\n`)
  expect(confirmed.length + small.length).toBe(found.length)
})
