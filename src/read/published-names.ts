import { nearestNames } from 'candlehouse-foundation/nearest-names'
import { martObjects } from '../mart/objects.js'
import { relations } from '../relations.js'

/** Relations whose rows are stored, in the order of the dictionary: what `trace` takes. */
export function storedNames(): string[] {
  return relations.map(({ name }) => name)
}

/** Every relation that has rows without arguments, in order: what `export` and `sql` take. */
export function readableNames(): string[] {
  const views = martObjects().filter(({ kind }) => kind === 'view' || kind === 'table')
  return [...new Set([...storedNames(), ...views.map(({ name }) => `mart.${name}`)])].sort()
}

/**
 * Relations that a wrong name may have meant, the nearest first: the same name in a schema, a few letters apart, with or
 * without the schema, or a longer name that has it as a part.
 */
export function relationsLike(name: string, known: readonly string[]): string[] {
  const wanted = name.toLowerCase()
  const bare = (relation: string): string => relation.split('.').at(-1) ?? ''
  const sameName = known.filter((relation) => bare(relation) === bare(wanted))
  if (sameName.length > 0) return sameName
  const similar = nearestNames(wanted, known)
  if (similar.length > 0) return similar
  const similarNames = nearestNames(bare(wanted), [...new Set(known.map(bare))])
  if (similarNames.length > 0) return known.filter((relation) => similarNames.includes(bare(relation)))
  return bare(wanted).length < SHORTEST_PART
    ? []
    : known.filter((relation) => relation.includes(bare(wanted)))
}

/** Shorter parts are in many names by chance. */
const SHORTEST_PART = 4

/** The words that lead from a wrong name of a relation to the right one. */
export function didYouMean(names: readonly string[]): string {
  return names.length === 0 ? '' : `; did you mean ${names.slice(0, MOST_NAMES).join(' or ')}?`
}

const MOST_NAMES = 3
