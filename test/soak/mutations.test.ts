import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { setStage } from '../trust/caught.js'
import { MUTATIONS } from '../trust/kinds.js'

const SEED = Number(process.env.SOAK_SEED ?? 20_250_314)

/** Every lie in a night of its own; MISSED in the report says which were missed. */
test(`${MUTATIONS.length} lies in the answers (seed ${SEED}): at least 95 % are caught`, async () => {
  const stage = await setStage()
  const missed: string[] = []
  const unused: string[] = []
  for (const [at, mutation] of MUTATIONS.entries()) {
    const { lied, signs } = await stage.runLie(mutation, SEED + at)
    if (!lied) unused.push(mutation.name)
    else if (signs.length === 0) missed.push(mutation.name)
    if (process.env.SOAK_REPORT)
      appendFileSync(
        process.env.SOAK_REPORT,
        `${signs.length > 0 ? 'caught' : lied ? 'MISSED' : 'UNTOLD'}\t${mutation.name}\t${signs.slice(0, 2).join('; ')}\n`,
      )
  }
  await stage.close()
  process.stderr.write(`missed: ${missed.join(', ') || 'none'}\n`)
  expect(unused).toEqual([])
  expect(missed.length / MUTATIONS.length).toBeLessThanOrEqual(0.05)
})
