import type { Dataset } from '../standin/index.js'

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Fields of every record of the market that many symbols have, as the specification lists them; without keys. */
export const FIELDS: Readonly<Partial<Record<Dataset, readonly string[]>>> = {
  securitiesByBoard: words('board lotSize listedShare'),
  securitiesSummary:
    words(`priceChange open high low close average totalMatch totalMatchValue totalBuy totalTradeBuy totalSell totalTradeSell
    remainForeignRoom totalForeignRoom`),
  indexSummary: words(`totalTrade totalTradeValue totalMatch totalMatchValue indexValue`),
  masterdata: words('ceiling floor refPrice'),
  ohlc: words('open high low close volume value'),
}

export const MANNERS = ['missing', 'renamed', 'null', 'another type'] as const
export type Manner = (typeof MANNERS)[number]

type Record_ = Record<string, unknown>

/** The record with one field told wrongly. */
export function told(row: Record_, field: string, manner: Manner): Record_ {
  const { [field]: truth, ...rest } = row
  if (manner === 'missing') return rest
  if (manner === 'renamed') return { ...rest, [`${field}New`]: truth }
  return { ...row, [field]: manner === 'null' ? null : { value: truth } }
}
