import { expect, test } from 'vitest'
import {
  boundaries,
  killAt,
  killAtRequest,
  type Lane,
  prepareNight,
  rebuild,
  watch,
} from './support/kills.js'

/** Kills of a night here, spread over its steps. */
const KILLS = 4

test('SIGKILL at any step of a night, then the same command: equal hashes', async () => {
  const night = await prepareNight(1)
  // A night that nobody kills: a month closes, a day is restated, and readers see all of it or nothing.
  const [first] = night.lanes
  const watched = first && (await watch(night, first))
  expect(watched?.wrong).toEqual([])
  expect(watched?.reads).toBeGreaterThan(1)
  // Some from the first to the last one; the soak program kills at all of them.
  const all = boundaries(night, 1)
  const points = all.filter((_, at) => at % Math.ceil(all.length / KILLS) === 0)
  expect(points.length).toBeGreaterThan(2)
  const kills: { name: string; run: (lane: Lane) => Promise<string | undefined> }[] = [
    ...points.map((point) => ({
      name: Object.values(point).join(' '),
      run: (lane: Lane) => killAt(night, lane, point),
    })),
    // The soak program does 200 at any time, and all steps of every kind.
    ...[30].map((request) => ({
      name: `request ${request}`,
      run: (lane: Lane) => killAtRequest(night, lane, request),
    })),
  ]
  const failures: string[] = []
  const work = async (lane: Lane): Promise<void> => {
    for (let kill = kills.pop(); kill; kill = kills.pop()) {
      const wrong = await kill.run(lane)
      if (wrong) failures.push(`${kill.name}: ${wrong}`)
    }
  }
  await Promise.all(night.lanes.map(work))
  // The last night of each lane was killed and run again: its raw pages are all that is needed.
  for (const lane of night.lanes) expect(await rebuild(lane)).toBeUndefined()
  for (const { standIn } of night.lanes) await standIn.close()
  expect(failures).toEqual([])
})
