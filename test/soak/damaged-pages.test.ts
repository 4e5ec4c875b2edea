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

test(`${PAGES} pages with random damage (seed ${SEED}): no run ends with 1, all nights converge`, async () => {
  expect(await damagedNights(PAGES, SEED)).toBeGreaterThanOrEqual(PAGES)
})
