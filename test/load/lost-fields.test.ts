import { expect, test } from 'vitest'
import { areEqual, columnFaults, couldBeTrue, nameOf, wrongIn } from '../e2e/support/column-faults.js'
import { seeded } from '../e2e/support/seeded.js'
import { LONG } from '../support/long.js'
import { ColumnStage, market } from './column-stage.js'

const SEED = Number(process.env.SOAK_SEED ?? 20_250_314)

/** One in so many, drawn anew for each seed; all of them in `make soak`. */
const EVERY = LONG ? 1 : 200

const random = seeded(SEED)
const drawn = columnFaults(market).filter(() => random() * EVERY < 1)

/**
 * A column of an answer that is missing, renamed, null, zero or of another type, in every record or in every other one:
 * stored values stay, nothing wrong is loaded, the window is incomplete and names the field, and the whole answer that comes
 * after it leaves what an undisturbed night leaves. Where an answer is taken as complete, it lost nothing.
 */
test(`${drawn.length} columns lost (seed ${SEED})`, async () => {
  const stage = new ColumnStage()
  const truth = await stage.truth()
  const faults: string[] = []
  for (const fault of drawn) {
    const { missing, market: loaded, healed } = await stage.load(fault)
    const name = nameOf(fault)
    if (healed !== truth.healed && !couldBeTrue(fault)) faults.push(`${name}: did not heal`)
    if (couldBeTrue(fault)) continue
    if (missing.length === 0) {
      if (!areEqual(loaded, truth.market))
        faults.push(`${name}: complete, ${wrongIn(loaded, truth.market)[0]}`)
      continue
    }
    if (!missing.some((line) => line.includes(fault.field))) faults.push(`${name}: not named: ${missing[0]}`)
    faults.push(...wrongIn(loaded, truth.market).map((wrong) => `${name}: ${wrong}`))
  }
  expect(faults).toEqual([])
})
