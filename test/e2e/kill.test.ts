import { expect, test } from 'vitest'
import {
  killAfter,
  killAt,
  killAtRequest,
  type Lane,
  type Night,
  type Point,
  prepareNight,
  rebuild,
} from './support/kills.js'

/** What only reads, and what only describes, leaves nothing behind that a kill could break. */
const HARMLESS = /^sql (SELECT|COMMENT|SET |CREATE OR REPLACE TEMP|DROP TABLE)/
/** What makes something last: killed after it too. */
const DURABLE = /^(rename|sql (COMMIT|CHECKPOINT|COPY))/

test('SIGKILL at any step of a night, then the same command: equal hashes', {
  timeout: 600_000,
}, async () => {
  const night = await prepareNight(2)
  const points = boundaries(night)
  expect(points.length).toBeGreaterThan(40)
  const kills: { name: string; run: (lane: Lane) => Promise<string | undefined> }[] = [
    ...points.map((point) => ({
      name: Object.values(point).join(' '),
      run: (lane: Lane) => killAt(night, lane, point),
    })),
    // The soak program does 200 of these.
    ...[400, 700, 900, 1100].map((ms) => ({
      name: `after ${ms} ms`,
      run: (lane: Lane) => killAfter(night, lane, ms),
    })),
    ...[1, 2, 30].map((request) => ({
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

/** Before the first step of every kind; of what makes something last, after the last one too. */
function boundaries(night: Night): Point[] {
  return [...night.steps]
    .filter(([kind]) => !HARMLESS.test(kind))
    .flatMap(([kind, count]): Point[] => [
      { moment: 'before', nth: 1, kind },
      ...(DURABLE.test(kind) ? [{ moment: 'after', nth: count, kind } as const] : []),
    ])
}
