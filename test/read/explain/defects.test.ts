import { expect, test } from 'vitest'
import { renderExplanation } from '../../../src/cli/render/explain.js'
import { LONG } from '../../support/long.js'
import { DEFECTS, type Defect, drawDefect, drawStory, evenings, firstWrong, type Story } from './evenings.js'
import { explained } from './stored.js'

/** One of each kind; `make soak` has 200. */
const COUNT = LONG ? 200 : DEFECTS.length

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

test(`${COUNT} defects: the first wrong event is named, and nothing before it`, async () => {
  const wrong: unknown[] = []
  for (const { seed, story, defect } of defectiveStories(COUNT)) {
    const explanation = await explained(story, evenings(story, defect))
    const [first] = explanation.differences
    const { kind, day, symbol, orderId } = first ?? {}
    const expected = firstWrong(story, defect)
    if (JSON.stringify({ kind, day, symbol, orderId }) !== JSON.stringify(expected))
      wrong.push({ seed, defect: defect.kind, expected, first })
    for (let rerun = 1; rerun <= (LONG ? 4 : 0); rerun++)
      expect(bytes(await explained(story, evenings(story, defect)))).toBe(bytes(explanation))
  }
  expect(wrong).toEqual([])
})

/** What `reconcile --explain` writes, as JSON and in words. */
const bytes = (explanation: Awaited<ReturnType<typeof explained>>): string =>
  [JSON.stringify(explanation), renderExplanation(explanation)].join('\n')

test('one defect of each kind, explained again and again: the same bytes', async () => {
  const written = new Map<string, Set<string>>()
  for (const { story, defect } of defectiveStories(LONG ? DEFECTS.length : 1)) {
    const own = new Set<string>()
    for (let rerun = 1; rerun <= (LONG ? 100 : 3); rerun++)
      own.add(bytes(await explained(story, evenings(story, defect))))
    written.set(defect.kind, own)
  }
  expect([...written].filter(([, own]) => own.size !== 1)).toEqual([])
})
