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
