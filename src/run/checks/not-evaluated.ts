import type { RuleResult } from '../../audit/index.js'

/** Reasons that are shown; the others are counted. */
const SHOWN = 12

/** Why rules could not be evaluated: one line per reason, with the rules that share it. */
export function notEvaluatedLines(results: readonly RuleResult[]): string[] {
  const rulesByReason = new Map<string, Set<number>>()
  for (const { state, rule, note } of results)
    if (state === 'not_evaluable' && note !== null)
      rulesByReason.set(note, (rulesByReason.get(note) ?? new Set()).add(rule.number))
  const lines = [...rulesByReason].map(([reason, numbers]) => {
    const rules = [...numbers].sort((a, b) => a - b)
    return `not evaluated, ${rules.length === 1 ? 'rule' : 'rules'} ${rules.join(', ')}: ${reason}`
  })
  const more = lines.length - SHOWN
  return more > 0 ? [...lines.slice(0, SHOWN), `${more} more reasons are in recon.finding.note`] : lines
}
