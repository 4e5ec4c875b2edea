import { nearestNames } from 'candlehouse-foundation/nearest-names'
import type { Source } from './setting-sources.js'
import { specs } from './spec.js'

/** Those of the AWS tools have neighbours of their own: AWS_ENDPOINT_URL_STS. */
const NAMES = Object.values(specs).flatMap(({ variable }) => (variable.startsWith('AWS_') ? [] : [variable]))

/**
 * Variables that are not settings and are spelled almost like one, in words. Nothing else shows them: without an address runs take
 * the embedded sandbox. A longer name, as BROKER_API_KEY_2, is one of the user's own.
 *
 * @param used variables that `[[accounts]]` names
 */
export function mistypedVariables(sources: readonly Source[], used: ReadonlySet<string>): string[] {
  return sources.flatMap(({ origin, values }) => {
    if (origin !== 'environment' && origin !== '.env') return []
    const unknown = Object.keys(values).filter(
      (name) => values[name] && !used.has(name) && !NAMES.some((known) => name.startsWith(known)),
    )
    return unknown.flatMap((name) => {
      const [nearest] = nearestNames(name, NAMES)
      return nearest ? [`${name} (${origin}) is not a setting: did you mean ${nearest}?`] : []
    })
  })
}
