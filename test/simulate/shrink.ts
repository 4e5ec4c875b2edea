import type { Plan } from './plan.js'

/**
 * The least of a plan that still fails: without nights at its end, then without one disturbance after the other.
 *
 * @param fails runs a plan
 */
export async function shrink(plan: Plan, fails: (smaller: Plan) => Promise<boolean>): Promise<Plan> {
  let least = plan
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false
    for (const smaller of smallerThan(least)) {
      if (!(await fails(smaller))) continue
      least = smaller
      isSmaller = true
      break
    }
  }
  return least
}

function* smallerThan(plan: Plan): Generator<Plan> {
  const { nights } = plan
  if (nights.length > 1) {
    yield { ...plan, nights: nights.slice(0, -1) }
    yield { ...plan, nights: nights.slice(1) }
  }
  for (const [at, disturbances] of nights.entries())
    for (const [nth] of disturbances.entries())
      if (disturbances.length > 1 || (nights.length > 1 && at < nights.length - 1))
        yield { ...plan, nights: nights.with(at, disturbances.toSpliced(nth, 1)) }
}
