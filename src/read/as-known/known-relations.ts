import { martObjects, readsOf } from '../../mart/objects.js'
import { relations } from '../../relations.js'
import { namesRead } from '../statement-names.js'
import type { StatementTree } from '../statement-tree.js'

/** Stored relations whose earlier rows can be rebuilt, each by the macro `mart.NAME_as_known_on`. */
export const KNOWN_RELATIONS = [
  'market.security',
  'market.daily_summary',
  'market.index_summary',
  'market.price_limit',
  'market.candle',
  'market.corporate_action',
] as const

/** Materialized tables that the macros rebuild from these. */
export const REBUILT_TABLES = ['mart.adjustment_event', 'mart.chain_gap'] as const

/** What the statement of a user reads, schema-qualified. */
export interface StatementReads {
  /** Named by the statement, and all that these rest on, down to what is stored. */
  readonly all: ReadonlySet<string>
  /** Of these, what has no history: its rows are those of now. Each with the way from a name of the statement. */
  readonly withoutHistory: ReadonlyMap<string, readonly string[]>
}

/**
 * What a statement reads as it was known at an instant. A table of the rulebook or the calendar is of the package, not of a night,
 * and counts as known.
 *
 * @param ownTexts texts of the user's own views, by their names
 */
export function readsOfStatement(tree: StatementTree, ownTexts: ReadonlyMap<string, string>): StatementReads {
  const rebuilt = new Set<string>([...KNOWN_RELATIONS, ...REBUILT_TABLES])
  const objects = new Map(martObjects().map((object) => [`mart.${object.name}`, object]))
  const stored = new Set(relations.map(({ name }) => name))
  const ways = new Map<string, readonly string[]>()
  const macros = tree.functions.map((name) => `mart.${name}`).filter((name) => objects.has(name))
  for (const name of [...namesRead(tree, ownTexts.keys()), ...macros]) ways.set(name, [name])
  const withoutHistory = new Map<string, readonly string[]>()
  // Names that are added while it is walked are walked too.
  for (const [name, way] of ways) {
    if (rebuilt.has(name)) continue
    if (stored.has(name)) {
      withoutHistory.set(name, way)
      continue
    }
    const text = ownTexts.get(name)
    const reads = text === undefined ? (objects.get(name)?.reads ?? []) : readsOf(text)
    for (const read of reads) if (!ways.has(read)) ways.set(read, [...way, read])
  }
  return { all: new Set(ways.keys()), withoutHistory }
}
