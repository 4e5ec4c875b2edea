import { expect, test } from 'vitest'
import { killAt, killAtRequest, type Lane, prepareNight, rebuild } from './support/kills.js'

/** Where a night is killed here, beside a request: in the middle of its batches, and of its commits to Delta logs. */
const KINDS = ['sql COMMIT', 'link lake']

test('SIGKILL at any step of a night, then the same command: equal hashes', async () => {
  const night = await prepareNight(1)
  // The soak program kills at all steps, and reads while a night goes on that nobody kills.
  const points = [...night.steps]
    .filter(([kind]) => KINDS.includes(kind))
    .map(([kind, count]) => ({ moment: 'before', nth: Math.ceil(count / 2), kind }) as const)
  expect(points).toHaveLength(KINDS.length)
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
