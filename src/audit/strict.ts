import { cell, readReference } from 'candlehouse-foundation/market/reference'

/**
 * Rules marked `learning` that a person has listed as strict for an account, as `RULE ACCOUNT`: for it their breaks are breaks, not
 * `soft`. From `data/reference/strict_rules.csv`.
 */
export function strictRules(): ReadonlySet<string> {
  const rows = readReference('strict_rules', ['rule', 'account_no', 'listed_on', 'because'])
  return new Set(rows.map((row) => `${Number(cell(row, 'rule'))} ${cell(row, 'account_no')}`))
}
