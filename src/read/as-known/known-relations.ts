import { martObjects } from '../../mart/objects.js'
import { relations } from '../../relations.js'
import { namesRead } from '../statement-names.js'
import type { StatementTree } from '../statement-tree.js'

/** Stored relations whose earlier rows can be rebuilt, each by the macro `mart.NAME_as_known_on`. */
export const KNOWN_RELATIONS = [
  'market.security',
  'market.daily_summary',
  'market.index_summary',
  'market.index_member',
  'market.price_limit',
  'market.candle',
  'market.corporate_action',
] as const

/** Materialized tables that a macro rebuilds from these. */
export const REBUILT_TABLES = ['mart.adjustment_event', 'mart.chain_gap'] as const

/** What that macro reads, as these were known. */
const OF_EVENTS = ['market.price_limit', 'market.daily_summary', 'market.corporate_action']

/** What the statement of a user reads, schema-qualified. */
export interface StatementReads {
  /** Named by the statement, and all that these rest on, down to what is stored. */
  readonly all: ReadonlySet<string>
  /** Of these, what has no history: its rows are those of now. Each with the way from a name of the statement. */
  readonly withoutHistory: ReadonlyMap<string, readonly string[]>
}

/** Relations that a view of the user's own names; undefined for a table of the user's own, whose rows are those of now. */
export type OwnReads = ReadonlyMap<string, readonly string[] | undefined>

/**
 * What a statement reads as it was known at an instant. A table of the rulebook or the calendar is of the package, not of a night,
 * and counts as known.
 *
 * @param own views and tables of the user's own, by their names
 */
export function readsOfStatement(tree: StatementTree, own: OwnReads): StatementReads {
  const known = new Set<string>(KNOWN_RELATIONS)
  const rebuilt = new Set<string>(REBUILT_TABLES)
  const objects = new Map(martObjects().map((object) => [`mart.${object.name}`, object]))
  const stored = new Set(relations.map(({ name }) => name))
  const isOfNow = (name: string): boolean =>
    own.has(name) ? own.get(name) === undefined : stored.has(name) && !known.has(name) && !rebuilt.has(name)
  const ways = new Map<string, readonly string[]>()
  for (const name of [...namesRead(tree, own.keys()), ...macrosOf(tree)]) ways.set(name, [name])
  const withoutHistory = new Map<string, readonly string[]>()
  // Names that are added while it is walked are walked too.
  for (const [name, way] of ways) {
    if (isOfNow(name)) {
      withoutHistory.set(name, way)
      continue
    }
    const reads = rebuilt.has(name) ? OF_EVENTS : (own.get(name) ?? objects.get(name)?.reads ?? [])
    for (const read of reads) if (!ways.has(read)) ways.set(read, [...way, read])
  }
  return { all: new Set(ways.keys()), withoutHistory }
}

/** Macros that a statement or view calls as expressions. */
export function macrosOf({ functions }: Pick<StatementTree, 'functions'>): string[] {
  const macros = new Set(martObjects().map(({ name }) => name))
  return functions.filter((name) => macros.has(name)).map((name) => `mart.${name}`)
}
