import { expect, test } from 'vitest'
import { boundaries, killAfter, killAt, type Lane, prepareNight, watch } from '../e2e/support/kills.js'
import { seeded } from '../e2e/support/seeded.js'

const SEED = Number(process.env.SOAK_SEED ?? 20_250_303)
const KILLS = Number(process.env.SOAK_KILLS ?? 200)

/** Longest that a night of the small market has been seen to take, start of Node included. */
const NIGHT_MS = 3_500

test(`${KILLS} SIGKILLs at random moments (seed ${SEED}): equal hashes after every rerun`, async () => {
  const night = await prepareNight(2)
  const random = seeded(SEED)
  const moments = Array.from({ length: KILLS }, () => Math.floor(random() * NIGHT_MS))
  const failures: string[] = []
  const work = async (lane: Lane): Promise<void> => {
    for (let ms = moments.pop(); ms !== undefined; ms = moments.pop()) {
      const wrong = await killAfter(night, lane, ms)
      if (wrong) failures.push(`after ${ms} ms: ${wrong}`)
    }
  }
  await Promise.all(night.lanes.map(work))
  for (const { standIn } of night.lanes) await standIn.close()
  expect(failures).toEqual([])
})

test('SIGKILL at every step of every kind: equal hashes after every rerun', async () => {
  const night = await prepareNight(2)
  // A night that nobody kills: a month and a year close, a day is restated, and readers see all of it or nothing.
  const [first] = night.lanes
  const watched = first && (await watch(night, first))
  expect(watched?.wrong).toEqual([])
  expect(watched?.reads).toBeGreaterThan(1)
  const points = boundaries(night, Number.POSITIVE_INFINITY)
  const failures: string[] = []
  const work = async (lane: Lane): Promise<void> => {
    for (let point = points.pop(); point; point = points.pop()) {
      const wrong = await killAt(night, lane, point)
      if (wrong) failures.push(`${point.moment} ${point.nth} ${point.kind}: ${wrong}`)
    }
  }
  await Promise.all(night.lanes.map(work))
  for (const { standIn } of night.lanes) await standIn.close()
  expect(failures).toEqual([])
})
