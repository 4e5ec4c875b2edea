import type { Dataset, Row, StandInMarket } from '../../standin/index.js'
import { TEXT_FIELDS } from '../../standin/rows.js'
import { FIELD_FAULTS, type FieldFault, withFault } from './field-faults.js'
import { FIRST } from './nights.js'

const EXTENTS = ['every record', 'every other record'] as const

type Endpoint = Exclude<Dataset, 'account'>

/** One field of one endpoint's answers, and what becomes of it. */
export interface ColumnFault {
  readonly endpoint: Endpoint
  readonly field: string
  readonly fault: FieldFault
  readonly extent: (typeof EXTENTS)[number]
}

export function nameOf({ endpoint, field, fault, extent }: ColumnFault): string {
  return `${endpoint} ${field} ${fault} in ${extent}`
}

/** Every field of every endpoint of market data, with every fault: a text that is zero is another text. */
export function columnFaults(market: StandInMarket): ColumnFault[] {
  const records: Record<Endpoint, object | undefined> = {
    securitiesByBoard: market.securities[0],
    indexList: market.indexes[0],
    securitiesSummary: market.summaries[0],
    indexSummary: withoutIndex(market.indexSummaries[0]),
    masterdata: market.masterdata[0],
    ohlc: market.minutes[0],
  }
  return Object.entries(records).flatMap(([endpoint, record]) =>
    Object.keys(record ?? {}).flatMap((field) =>
      FIELD_FAULTS.filter((fault) => fault !== 'zero' || !TEXT_FIELDS.has(field)).flatMap((fault) =>
        EXTENTS.map((extent) => ({ endpoint: endpoint as Endpoint, field, fault, extent })),
      ),
    ),
  )
}

function withoutIndex(row: object | undefined): object {
  const { index: _, ...rest } = { index: undefined, ...row }
  return rest
}

/** Changes the fault's records, as they are served one after the other. */
export function mutationOf({
  endpoint,
  field,
  fault,
  extent,
}: ColumnFault): (dataset: Dataset, row: Row) => Row {
  let served = 0
  return (dataset, row) => {
    if (dataset !== endpoint || (extent === 'every other record' && served++ % 2 === 1)) return row
    return withFault(row, field, fault)
  }
}

type Cells = ReadonlyMap<string, Readonly<Record<string, unknown>>>

/** Rows of the market by relation and key. */
export type PublishedMarket = ReadonlyMap<string, Cells>

/** Key columns of the relations of the market. */
const KEYS: Readonly<Record<string, string>> = {
  'market.security': 'symbol',
  'market.market_index': 'index_code',
  'market.index_member': 'index_code, symbol, valid_from',
  'market.daily_summary': 'symbol, trading_date',
  'market.index_summary': 'index_code, trading_date',
  'market.price_limit': 'symbol, trading_date',
  'market.candle': 'symbol, timeframe, opened_at',
}

/** The published market, read with `ask`. */
export async function publishedMarket(
  ask: (sql: string) => Promise<Record<string, unknown>[]>,
): Promise<PublishedMarket> {
  const market = new Map<string, Cells>()
  for (const [relation, key] of Object.entries(KEYS)) {
    const provenance =
      relation === 'market.security' ? 'request_id, loaded_at, last_seen' : 'request_id, loaded_at'
    const rows = await ask(`select concat_ws(' ', ${key}) as key, * exclude (${provenance}) from ${relation}`)
    market.set(relation, new Map(rows.map((row) => [String(row.key), row])))
  }
  return market
}

/** Values that are of the moment: a night that lacks them cannot know them. */
const OF_MOMENT = ['i_index', 'i_nav', 'open_interest', 'settlement_price']

/**
 * What is published wrongly: rows of the session that was stored before have all values; of others a value may be missing. Empty
 * where nothing is wrong.
 */
export function wrongIn(actual: PublishedMarket, truth: PublishedMarket): string[] {
  const wrong: string[] = []
  for (const [relation, rows] of truth) {
    for (const [key, row] of rows) {
      const received = actual.get(relation)?.get(key)
      const wasStored = row.trading_date === undefined || row.trading_date === FIRST
      if (!received && wasStored) wrong.push(`${relation} ${key} is gone`)
      for (const [name, value] of Object.entries(received ?? {})) {
        const mayMiss = !wasStored || (relation === 'market.security' && OF_MOMENT.includes(name))
        if (value === row[name] || (value === null && mayMiss)) continue
        wrong.push(`${relation} ${key}: ${name} is ${value}, not ${row[name]}`)
      }
    }
    for (const key of actual.get(relation)?.keys() ?? [])
      if (!rows.has(key)) wrong.push(`${relation} ${key} is there`)
  }
  return wrong
}

/** Whether nothing differs at all. */
export function areEqual(actual: PublishedMarket, truth: PublishedMarket): boolean {
  const textOf = (market: PublishedMarket): string =>
    JSON.stringify([...market].map(([name, rows]) => [name, [...rows].sort(([a], [b]) => (a < b ? -1 : 1))]))
  return textOf(actual) === textOf(truth)
}

/** Fields that one or two symbols of the small market have: to lose them looks like a correction of one or two rows. */
const OF_FEW =
  words(`maturityDate lastTradingDate cwUnderlyingSymbol cwExercisePrice cwExecutionRatio iIndex iNav
  openInterest settlementPrice`)

/** Figures of an index of which a zero says nothing: it is one record, and no other figure of it contradicts the zero. */
const ZERO_OF_AN_INDEX = words(`totalAdvanceStock totalCeilingStock totalDeclineStock totalFloorStock
  totalNoChangeStock indexChange indexChangePercentage`)

/** Whether the faulty answer could be a true one. */
export function couldBeTrue({ endpoint, field, fault, extent }: ColumnFault): boolean {
  if (fault === 'another type') return false
  // Few symbols have put-through deals, and every other record has those of one: a single row may be corrected.
  if (fault === 'zero' && field === 'totalDeal' && extent === 'every other record')
    return endpoint === 'securitiesSummary'
  if (endpoint === 'indexSummary') return fault === 'zero' && ZERO_OF_AN_INDEX.includes(field)
  return OF_FEW.includes(field)
}

function words(text: string): string[] {
  return text.split(/\s+/)
}
