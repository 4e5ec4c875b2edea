import { expect, test } from 'vitest'
import { LONG } from '../../support/long.js'
import { seeded } from '../support/seeded.js'
import { runDraws } from './support/run-draws.js'

const SEED = Number(process.env.SOAK_SEED ?? 20_250_314)
const DRAWS = Number(process.env.PROPORTION_DRAWS ?? (LONG ? 2000 : 100))
/** Share of the nights that have several faults that pass. */
const PACKS = Number(process.env.PROPORTION_PACKS ?? (LONG ? 0.15 : 0.4))

/** Parts with seeds of their own: a failure names its seed, and what a time limit cuts off is one part. */
const PART = Math.min(DRAWS, 100)

for (let from = 0; from < DRAWS; from += PART) {
  const seed = SEED + from
  test(`one fault on one window, ${PART} draws (seed ${seed}): all else is published, the window is named, the next night heals it`, async () => {
    expect(await runDraws(PART, PACKS, seeded(seed))).toEqual([])
  })
}
