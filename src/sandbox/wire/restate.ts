import type { Restatement } from '../options.js'

/** Replaces restated values in a row's JSON; rows that nothing restates pass untouched. */
export type Restate = (row: string, symbol: string, tradingDate: string) => string

export function restater(restatements: readonly Restatement[], route: string): Restate {
  const here = restatements.filter((one) => one.route === undefined || route.endsWith(one.route))
  if (here.length === 0) return (row) => row
  const byRow = new Map<string, Restatement[]>()
  for (const one of here) {
    const key = `${one.symbol} ${one.tradingDate}`
    byRow.set(key, [...(byRow.get(key) ?? []), one])
  }
  return (row, symbol, tradingDate) => {
    const found = byRow.get(`${symbol} ${tradingDate}`)
    if (!found) return row
    const record = JSON.parse(row) as Record<string, unknown>
    for (const { field, value } of found) if (field in record) record[field] = value
    return JSON.stringify(record)
  }
}
