import type { Service } from '../service.js'

type Row = Record<string, unknown>

/** Spellings of live deployments → codes; upper and lower case are both accepted. */
const INDEX_SPELLINGS: Readonly<Record<string, string>> = {
  VNINDEX: 'VNIndex',
  HNXINDEX: 'HNXIndex',
  UPCOMINDEX: 'HNXUpcomIndex',
}

/** The code of an index in any spelling. */
export function indexCode(spelling: string): string {
  const code = spelling.toUpperCase()
  return Object.entries(INDEX_SPELLINGS).find(([, spelling]) => spelling.toUpperCase() === code)?.[0] ?? code
}

/** `2,493,089` (docs/market-facts.md#numbers-and-nulls). */
function separated(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll(/\B(?=(\d{3})+$)/g, ',') : value
}

/** `1234.0`. */
function trailing(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+$/.test(value) ? `${value}.0` : value
}

/** A JSON number. */
function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
}

/** How an endpoint's rows differ live; by the end of its path. */
const REWRITES: Readonly<Record<string, (row: Row, service: Service) => Row>> = {
  securitiesByBoard: (row) => ({
    ...row,
    lotSize: asNumber(row.lotSize),
    stockType: row.cwUnderlyingSymbol ? 'w' : 's',
  }),
  securitiesSummary(row, { world, clock }) {
    const day = String(row.tradingDate).slice(0, 10).replaceAll('/', '-')
    const instrument = world.find(String(row.symbol))
    const session = world.time.at(/^\d{4}/.test(day) ? day : clock.today())
    const limits = instrument ? world.reference(instrument, session) : undefined
    return {
      ...row,
      open: trailing(row.open),
      totalMatch: separated(row.totalMatch),
      totalDeal: asNumber(row.totalDeal),
      ceilingPrice: String(limits?.ceiling ?? ''),
      floorPrice: String(limits?.floor ?? ''),
      refPrice: String(limits?.reference ?? ''),
    }
  },
  indexSummary: (row) => ({
    ...row,
    totalMatchValue: separated(row.totalMatchValue),
    totalAdvanceStock: asNumber(row.totalAdvanceStock),
    totalForeignBuy: String(Math.floor(Number(row.totalMatch) / 12)),
    totalForeignSell: String(Math.floor(Number(row.totalMatch) / 14)),
  }),
  indexList: (row) => ({ ...row, index: INDEX_SPELLINGS[String(row.index)] ?? row.index }),
  masterdata: ({ symbol, exchange, ...fields }) => ({
    symbol,
    board: exchange,
    ...fields,
    refPrice: trailing(fields.refPrice),
  }),
  ohlc: (row) => ({ ...row, volume: asNumber(row.volume), value: separated(row.value) }),
}

/** An answer as a live deployment would give it. */
export function asLive(path: string, body: string, service: Service): string {
  const rewrite = REWRITES[path.slice(path.lastIndexOf('/') + 1)]
  if (!rewrite) return body
  const answer = JSON.parse(body) as Row[] | { data?: Row[] }
  const rows = (list: readonly Row[]): Row[] => list.map((row) => rewrite(row, service))
  if (Array.isArray(answer)) return JSON.stringify(rows(answer))
  return JSON.stringify(answer.data ? { ...answer, data: rows(answer.data) } : answer)
}
