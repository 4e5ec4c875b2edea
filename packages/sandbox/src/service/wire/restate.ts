import type { Restatement } from '../../options.js'

/** Replaces restated values in a row's JSON; rows that nothing restates pass untouched. */
export type Restate = (row: string, symbol: string, tradingDate: string) => string

export function restater(restatements: readonly Restatement[], route: string): Restate {
  const applicable = restatements.filter(
    (restatement) => restatement.route === undefined || route.endsWith(restatement.route),
  )
  if (applicable.length === 0) return (row) => row
  const byRow = new Map<string, Restatement[]>()
  for (const restatement of applicable) {
    const key = `${restatement.symbol} ${restatement.tradingDate}`
    byRow.set(key, [...(byRow.get(key) ?? []), restatement])
  }
  return (row, symbol, tradingDate) => {
    const changes = byRow.get(`${symbol} ${tradingDate}`)
    if (!changes) return row
    const record = JSON.parse(row) as Record<string, unknown>
    for (const { field, value } of changes) if (field in record) record[field] = value
    return JSON.stringify(record)
  }
}
