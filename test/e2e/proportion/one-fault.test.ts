import { expect, test } from 'vitest'
import { LONG } from '../../support/long.js'
import { ALWAYS } from '../support/bad-answers.js'
import { seeded } from '../support/seeded.js'
import type { Filling } from './support/draws.js'
import { runDraws } from './support/run-draws.js'
import { NIGHTS } from './support/world.js'

const SEED = Number(process.env.SOAK_SEED ?? 20_250_314)
const DRAWS = Number(process.env.PROPORTION_DRAWS ?? (LONG ? 2000 : 39))
/** In short: one home with accounts, whose windows are of both kinds; a night with a fault that lasts, and one with 38 that pass. */
const FILLING: Filling = LONG
  ? {
      packs: 0.15,
      pack: 5,
      single: [1, 2, ALWAYS, ALWAYS, ALWAYS],
      // One home in three: a night with accounts costs as much as two without.
      accounts: (nth) => nth % 3 === 1,
      firstNights: 3,
      lastNight: { accounts: NIGHTS, market: NIGHTS },
    }
  : {
      packs: 1 / 2,
      pack: 38,
      endsWithPack: true,
      single: [ALWAYS],
      accounts: () => true,
      firstNights: 1,
      lastNight: { accounts: 3, market: 3 },
    }

/** Parts with seeds of their own: a failure names its seed, and what a time limit cuts off is one part. */
const PART = Math.min(DRAWS, 100)

for (let from = 0; from < DRAWS; from += PART) {
  const seed = SEED + from
  test(`one fault on one window, ${PART} draws (seed ${seed}): all else is published, the window is named, the next night heals it`, async () => {
    expect(await runDraws(PART, FILLING, seeded(seed))).toEqual([])
  })
}
