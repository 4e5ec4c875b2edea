import { expect, test } from 'vitest'
import { renderExplanation } from '../../../src/cli/render/explain.js'
import type { Explanation } from '../../../src/read/explain/explain.js'
import { LONG } from '../../support/long.js'
import { DEFECTS, type Defect, drawDefect, drawStory, evenings, firstWrong, type Story } from './evenings.js'
import { explained, explainedAgain } from './stored.js'

/** One of each kind; `make soak` has 200. */
const COUNT = LONG ? 200 : DEFECTS.length
/** How often each is explained. */
const RERUNS = LONG ? 5 : 2

test('stories without a defect agree to the end', async () => {
  for (let seed = 1; seed <= (LONG ? 50 : 2); seed++) {
    const story = drawStory(seed)
    const { differences, agreesUpTo } = await explained(story, evenings(story, undefined))
    expect([seed, differences, agreesUpTo]).toEqual([seed, [], story.days.at(-1)])
  }
})

/** Stories in which a defect of each kind in turn has an event. */
function* defectiveStories(count: number): Generator<{ seed: number; story: Story; defect: Defect }> {
  for (let seed = 100; count > 0; seed++) {
    const kind = DEFECTS[seed % DEFECTS.length]
    const story = drawStory(seed)
    const defect = kind && drawDefect(story, kind, seed)
    if (!defect) continue
    count--
    yield { seed, story, defect }
  }
}

/** What `reconcile --explain` writes, as JSON and in words. */
const bytes = (explanation: Explanation): string =>
  [JSON.stringify(explanation), renderExplanation(explanation)].join('\n')

test(`${COUNT} defects: the first wrong event is named, and nothing before it`, async () => {
  const wrong: unknown[] = []
  for (const { seed, story, defect } of defectiveStories(COUNT)) {
    const explanations = await explainedAgain(story, evenings(story, defect), RERUNS)
    const [first] = explanations[0]?.differences ?? []
    const { kind, day, symbol, orderId } = first ?? {}
    const expected = firstWrong(story, defect)
    if (JSON.stringify({ kind, day, symbol, orderId }) !== JSON.stringify(expected))
      wrong.push({ seed, defect: defect.kind, expected, first })
    expect(new Set(explanations.map(bytes)).size).toBe(1)
  }
  expect(wrong).toEqual([])
})

test('a defect explained again and again, and stored anew: the same bytes', async () => {
  const written = new Map<string, Set<string>>()
  for (const { story, defect } of defectiveStories(LONG ? DEFECTS.length : 1)) {
    const first = await explainedAgain(story, evenings(story, defect), LONG ? 100 : 3)
    const anew = await explained(story, evenings(story, defect))
    written.set(defect.kind, new Set([...first, anew].map(bytes)))
  }
  expect([...written].filter(([, own]) => own.size !== 1)).toEqual([])
})
