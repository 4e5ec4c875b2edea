import { expect, test } from 'vitest'
import { LONG } from '../../support/long.js'
import { ALWAYS } from '../support/bad-answers.js'
import { seeded } from '../support/seeded.js'
import { runDraws } from './support/run-draws.js'
import { NIGHTS } from './support/world.js'

const SEED = Number(process.env.SOAK_SEED ?? 20_250_314)
const DRAWS = Number(process.env.PROPORTION_DRAWS ?? (LONG ? 2000 : 100))
/** In short: two homes; 3 nights with a fault that lasts, 4 with the other 100. */
const FILLING = LONG
  ? {
      ...{ packs: 0.15, pack: { accounts: 5, market: 5 }, single: [1, 2, ALWAYS, ALWAYS, ALWAYS] },
      ...{ firstNights: 3, lastNight: { accounts: NIGHTS, market: NIGHTS } },
    }
  : {
      ...{ packs: 0.6, pack: { accounts: 30, market: 20 }, single: [ALWAYS] },
      ...{ firstNights: 1, lastNight: { accounts: 4, market: 5 } },
    }

/** Parts with seeds of their own: a failure names its seed, and what a time limit cuts off is one part. */
const PART = Math.min(DRAWS, 100)

for (let from = 0; from < DRAWS; from += PART) {
  const seed = SEED + from
  test(`one fault on one window, ${PART} draws (seed ${seed}): all else is published, the window is named, the next night heals it`, async () => {
    expect(await runDraws(PART, FILLING, seeded(seed))).toEqual([])
  })
}
