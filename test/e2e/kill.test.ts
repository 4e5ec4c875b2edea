import { expect, test } from 'vitest'
import { LONG } from '../support/long.js'
import { isOfSecondKey, killAgainAndAgain, prepareNight, rebuild } from './support/kills.js'

/** The night is killed at the hand-over of one API key to the next, the rerun between the commits to the Delta logs of two marts; in the long form at a commit of its batches too. */
const KINDS = LONG ? ['sql COMMIT', 'link lake'] : ['link lake']

test('SIGKILL at any step of a night, between two keys and two marts too, then the same command: equal hashes', async () => {
  const night = await prepareNight(1)
  const [lane] = night.lanes
  if (!lane) throw new RangeError('a night has a lane')
  // A rerun has fewer batches. The soak program kills at all steps of every kind, each time from the beginning.
  const points = [...night.steps]
    .filter(([kind]) => KINDS.includes(kind))
    .map(([kind, count]) => ({ moment: 'before', nth: kind === 'link lake' ? count : 3, kind }) as const)
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
  expect(points).toHaveLength(KINDS.length)
  expect(await killAgainAndAgain(night, lane, isOfSecondKey, points)).toBeUndefined()
  // Its raw pages are all that is needed. In short: test/e2e/raw.test.ts; pages of killed runs, test/simulate/.
  if (LONG) expect(await rebuild(lane)).toBeUndefined()
  await lane.standIn.close()
})
