import { expect, test } from 'vitest'
import { damagedNights } from '../e2e/support/damaged.js'
import { compareReaders } from '../load/differential.js'

const SEED = Number(process.env.SOAK_SEED ?? 20_250_314)
const PAGES = Number(process.env.SOAK_PAGES ?? 10_000)
const TEXTS = Number(process.env.SOAK_TEXTS ?? 1_000_000)

test(`${TEXTS} damaged pages (seed ${SEED}): every reader agrees`, async () => {
  const { accepted, plain } = await compareReaders(TEXTS, SEED)
  process.stderr.write(`${accepted} are JSON, ${plain} plain\n`)
  expect(plain).toBeGreaterThan(TEXTS / 40)
})

/** Parts with seeds of their own: a failure names its seed, and what a time limit cuts off is one part. */
const PART = Math.min(PAGES, 1_000)

for (let from = 0; from < PAGES; from += PART) {
  const seed = SEED + from
  test(`${PART} pages with random damage (seed ${seed}): no run ends with 1, all nights converge`, async () => {
    expect(await damagedNights(PART, seed, 0.7)).toBeGreaterThanOrEqual(PART)
  })
}
