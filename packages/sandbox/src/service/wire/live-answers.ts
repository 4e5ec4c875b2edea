import { z } from 'zod'
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

/** How an endpoint's rows differ live: the rows, and their schema. */
interface LiveRow {
  rewrite(row: Row, service: Service): Row
  schema(row: z.ZodObject): z.ZodObject
}

/** By the end of the path. */
const LIVE_ROWS: Readonly<Record<string, LiveRow>> = {
  securitiesByBoard: {
    rewrite: (row) => ({
      ...row,
      lotSize: asNumber(row.lotSize),
      stockType: row.cwUnderlyingSymbol ? 'w' : 's',
    }),
    schema: (row) => row.extend({ lotSize: z.number(), stockType: z.string() }),
  },
  securitiesSummary: {
    rewrite(row, { world, clock }) {
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
    schema: (row) =>
      row.extend({
        totalDeal: z.number(),
        ceilingPrice: z.string(),
        floorPrice: z.string(),
        refPrice: z.string(),
      }),
  },
  indexSummary: {
    rewrite: (row) => ({
      ...row,
      totalMatchValue: separated(row.totalMatchValue),
      totalAdvanceStock: asNumber(row.totalAdvanceStock),
      totalForeignBuy: String(Math.floor(Number(row.totalMatch) / 12)),
      totalForeignSell: String(Math.floor(Number(row.totalMatch) / 14)),
    }),
    schema: (row) =>
      row.extend({
        totalAdvanceStock: z.number(),
        totalForeignBuy: z.string(),
        totalForeignSell: z.string(),
      }),
  },
  indexList: {
    rewrite: (row) => ({ ...row, index: INDEX_SPELLINGS[String(row.index)] ?? row.index }),
    schema: (row) => row,
  },
  masterdata: {
    rewrite: ({ symbol, exchange, ...fields }) => ({
      symbol,
      board: exchange,
      ...fields,
      refPrice: trailing(fields.refPrice),
    }),
    schema: (row) => row.omit({ exchange: true }).extend({ board: z.string() }),
  },
  ohlc: {
    rewrite: (row) => ({ ...row, volume: asNumber(row.volume), value: separated(row.value) }),
    schema: (row) => row.extend({ volume: z.number() }),
  },
}

function liveRowOf(path: string): LiveRow | undefined {
  return LIVE_ROWS[path.slice(path.lastIndexOf('/') + 1)]
}

/** An answer as a live deployment would give it. */
export function asLive(path: string, body: string, service: Service): string {
  const live = liveRowOf(path)
  if (!live) return body
  const answer = JSON.parse(body) as Row[] | { data?: Row[] }
  const rows = (list: readonly Row[]): Row[] => list.map((row) => live.rewrite(row, service))
  if (Array.isArray(answer)) return JSON.stringify(rows(answer))
  return JSON.stringify(answer.data ? { ...answer, data: rows(answer.data) } : answer)
}

/** The schema of an answer as a live deployment would give it. */
export function asLiveSchema(path: string, answer: z.ZodType): z.ZodType {
  const live = liveRowOf(path)
  if (!live) return answer
  const rows = (list: unknown): z.ZodType => {
    const row = (list as z.ZodArray<z.ZodObject>).element
    return z.array(live.schema(row).meta(row.meta() ?? {}))
  }
  if (answer instanceof z.ZodObject)
    return answer.extend({ data: rows(answer.shape.data) }).meta(answer.meta() ?? {})
  return rows(answer)
}
