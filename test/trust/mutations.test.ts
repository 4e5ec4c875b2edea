import { afterAll, beforeAll, expect, test } from 'vitest'
import { BEFORE, type Stage, setStage } from './caught.js'
import { MUTATIONS } from './kinds.js'

/** Of the 254 lies that `make soak` tells. */
const SAMPLE = ['summary close: wrong digit']

let stage: Stage
beforeAll(async () => {
  stage = await setStage(1, [BEFORE])
})
afterAll(async () => await stage.close())

test.each(SAMPLE)('a night with this lie is caught: %s', async (name) => {
  const at = MUTATIONS.findIndex((mutation) => mutation.name === name)
  const mutation = MUTATIONS[at]
  if (!mutation) throw new RangeError(`there is no lie ${name}`)
  const { lied, signs } = await stage.runLie(mutation, at)
  expect(lied).toBe(true)
  expect(signs).not.toEqual([])
})
