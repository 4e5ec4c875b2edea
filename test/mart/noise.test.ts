import { expect, test } from 'vitest'
import { LONG } from '../support/long.js'
import { compareEvents, noisyMarket } from './noise.js'

/** The year of the full market is in `make soak` too. In short: the cases adjustment_event and reference_glitch of test/cases/mart. */
test.runIf(LONG)(
  'two months with noise: splits and dividends are found, none is invented; declared, all are',
  async () => {
    const market = await noisyMarket('demo', '2025-02-17', '2025-04-29')
    const alone = await compareEvents(market)
    expect(alone.noisySessions).toBeGreaterThan(10)
    expect(alone.differing).toBeGreaterThan(100)
    expect(alone.events).toBeGreaterThan(10)
    expect(alone).toMatchObject({ invented: [], missed: [], wrong: [] })
    expect(alone.hidden.length).toBeLessThan(alone.events / 10)

    await market.declare()
    const declared = await compareEvents(market)
    expect(declared).toMatchObject({ invented: [], missed: [], hidden: [], wrong: [] })
    const states = new Set((await market.found()).map(({ state }) => state))
    expect([...states].filter((state) => !['confirmed', 'declared'].includes(state))).toEqual([])
  },
)
