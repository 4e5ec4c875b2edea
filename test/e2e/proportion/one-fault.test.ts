import { expect, test } from 'vitest'
import { LONG } from '../../support/long.js'
import { seeded } from '../support/seeded.js'
import { runDraws } from './support/run-draws.js'

const SEED = Number(process.env.SOAK_SEED ?? 20_250_314)
const DRAWS = Number(process.env.PROPORTION_DRAWS ?? (LONG ? 2000 : 100))
/** Share of the nights that have several faults that pass. */
const PACKS = Number(process.env.PROPORTION_PACKS ?? (LONG ? 0.15 : 0.4))

test(`one fault on one window, ${DRAWS} draws (seed ${SEED}): all else is published, the window is named, the next night heals it`, async () => {
  expect(await runDraws(DRAWS, PACKS, seeded(SEED))).toEqual([])
})
