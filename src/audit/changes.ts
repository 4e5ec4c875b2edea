import type { CheckedInput, SessionInput, SourceHashes } from './inputs.js'
import { LOOKED_BACK, SOURCES, type Source, sourcesOf } from './reads.js'
import type { Rule } from './rule.js'

/** Rules that a session needs. The others would find what they have found. */
export interface NeededRules {
  /** To be run on all of its rows. */
  readonly all: readonly Rule[]
  /** To be run on the symbols alone of which the runs being checked brought bars: nothing else that they read has changed. */
  readonly touched: readonly Rule[]
}

/** Sources whose new rows belong to the symbol that they name. */
const OF_BARS: ReadonlySet<Source> = new Set(['market.candle', 'audit_bar_coverage', 'audit_page'])

/**
 * Which rules a session needs, by what they read of it and what has changed there since its last check.
 *
 * @param isMergeable whether a rule's stored finding can be changed for some symbols
 */
export function neededRules(
  input: SessionInput,
  former: CheckedInput | undefined,
  rules: readonly Rule[],
  isMergeable: (rule: Rule) => boolean,
): NeededRules {
  if (former?.inputs === input.inputs && former.checked_with === input.checked_with)
    return { all: [], touched: [] }
  const before = former?.checked_with === input.checked_with ? hashesOf(former) : undefined
  if (!before || before.overrides !== input.hashes.overrides) return { all: rules, touched: [] }
  const all: Rule[] = []
  const touched: Rule[] = []
  for (const rule of rules) {
    const changed = [...(sourcesOf(rule) ?? SOURCES)].filter((source) =>
      namesOf(source, rule).some((name) => before[name] !== input.hashes[name]),
    )
    const isAdded = (source: Source): boolean =>
      OF_BARS.has(source) && before[source] === input.oldHashes[source]
    if (changed.length === 0) continue
    if (rule.isPerSymbol && isMergeable(rule) && changed.every(isAdded)) touched.push(rule)
    else all.push(rule)
  }
  return { all, touched }
}

/** A rule that does not look back reads the rows of the session alone. */
function namesOf(source: Source, { reach }: Rule): (keyof SourceHashes)[] {
  return reach.back > 0 && LOOKED_BACK.has(source) ? [source, `${source} earlier`] : [source]
}

/** Earlier versions stored one hash of everything. */
function hashesOf({ inputs }: CheckedInput): SourceHashes | undefined {
  return inputs.startsWith('{') ? (JSON.parse(inputs) as SourceHashes) : undefined
}
