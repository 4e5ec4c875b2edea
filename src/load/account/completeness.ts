import type { PartWalk } from '../../land/journal.js'
import { type PartName, parts } from '../../plan/parts.js'

/** The answer for one part and key of an account. */
export interface PartAnswer {
  readonly part: PartName
  /** Account, symbol or conditional order. */
  readonly key: string
  /** Every page walk for it: a list that was short is walked again. */
  readonly walks: readonly PartWalk[]
  /** Number of distinct valid records. */
  readonly distinct: number
  readonly rejected: number
  /** Why a page of the answer cannot be read at all. */
  readonly problem: string | undefined
  /** Number of records that the service counts; undefined if it does not. */
  readonly expected: number | undefined
}

/** Parts that cannot be empty: every account has a balance, and every symbol a maximum quantity. */
const NEVER_EMPTY: readonly PartName[] = ['accountBalance', 'ppmmrAccount', 'maxBuySell']

/** Why an answer is not complete; undefined if it is. Distinct records count, not the pages that they are in. */
export function whatIsMissing(answer: PartAnswer): string | undefined {
  const { part, key, walks, distinct, rejected, problem, expected } = answer
  const { about, key: keyed } = parts[part]
  const name = keyed === 'symbol' || keyed === 'order' ? `${about} of ${key}` : about
  if (problem) return `${name}: ${problem}`
  if (rejected > 0) return `${name}: ${rejected} ${rejected === 1 ? 'record' : 'records'} rejected`
  const refused = walks.find((walk) => walk.end.state === 'refused')
  if (refused) return `${name}: refused: ${refused.end.reason ?? ''}`
  if (expected !== undefined && distinct !== expected)
    return `${name}: ${distinct} of the ${expected} that the service counts`
  if (expected === undefined && walks.every((walk) => walk.end.state === 'incomplete'))
    return `${name}: ${walks.at(-1)?.end.reason ?? 'incomplete'}`
  if (distinct === 0 && NEVER_EMPTY.includes(part)) return `${name}: the answer holds no figures`
  return undefined
}
