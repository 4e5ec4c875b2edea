import { cell, readReference } from '../market/reference.js'

/**
 * Rules marked `learning` that a person put in force for an account, as `RULE ACCOUNT`: `data/reference/strict_rules.csv`.
 * A break of theirs is a break, not `soft`.
 */
export function strictRules(): ReadonlySet<string> {
  const rows = readReference('strict_rules', ['rule', 'account_no', 'listed_on', 'because'])
  return new Set(rows.map((row) => `${Number(cell(row, 'rule'))} ${cell(row, 'account_no')}`))
}
