import type { Published, Row } from '../e2e/proportion/support/differences.js'
import { snakeCase } from '../e2e/support/snake-case.js'
import type { StandInMarket } from '../standin/index.js'

// What the service served, compared with what is published: value for value, by the names of the specification.

type Served = Readonly<Record<string, unknown>>

const day = (text: unknown): string => String(text).slice(0, 10).replaceAll('/', '-')

/** How a record of the service is found again: its key, as a row of the relation has it. */
interface Subject {
  readonly served: (market: StandInMarket) => readonly Served[]
  readonly keyOfServed: (record: Served) => string
  readonly keyOfRow: (row: Row) => string
  /** Rows that records of the truth stand behind. @default all */
  readonly covers?: (row: Row) => boolean
}

const bySymbolAndDay: Omit<Subject, 'served'> = {
  keyOfServed: (record) => `${record.symbol} ${day(record.tradingDate)}`,
  keyOfRow: (row) => `${row.symbol} ${row.trading_date}`,
}

const SUBJECTS: Readonly<Record<string, Subject>> = {
  'market.daily_summary': {
    ...bySymbolAndDay,
    served: ({ summaries }) => summaries as unknown as Served[],
  },
  'market.price_limit': {
    ...bySymbolAndDay,
    served: ({ masterdata }) => masterdata as unknown as Served[],
  },
  'market.index_summary': {
    served: ({ indexSummaries }) => indexSummaries as unknown as Served[],
    keyOfServed: (record) => `${record.index} ${day(record.tradingDate)}`,
    keyOfRow: (row) => `${row.index_code} ${row.trading_date}`,
  },
  'market.candle': {
    served: ({ daily, minutes }) => [...daily, ...minutes] as unknown as Served[],
    // The stand-in computes longer bars from these, as the specification lets it.
    covers: ({ timeframe }) => timeframe === '1d' || timeframe === '1m',
    // Bars of a minute are stamped in exchange time; one of a day has no time.
    keyOfServed: ({ symbol, tradingDate }) => `${symbol} ${String(tradingDate).replaceAll('/', '-').trim()}`,
    keyOfRow: ({ symbol, timeframe, opened_at, trading_date }) =>
      timeframe === '1d' ? `${symbol} ${trading_date}` : `${symbol} ${exchangeTime(String(opened_at))}`,
  },
}

/** UTC as DuckDB writes it → `YYYY-MM-DD HH:MM:SS` in exchange time. */
function exchangeTime(instant: string): string {
  const utc = Date.parse(`${instant.slice(0, 19).replace(' ', 'T')}Z`)
  return new Date(utc + 7 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
}

/**
 * Published values that the service never served.
 *
 * @param markets what the service had, now and before
 */
export function falseValues(published: Published, markets: readonly StandInMarket[]): string[] {
  return Object.entries(SUBJECTS).flatMap(([relation, { served, keyOfServed, keyOfRow, covers }]) => {
    const byKey = new Map<string, Served[]>()
    for (const market of markets)
      for (const record of served(market)) {
        const key = keyOfServed(record)
        byKey.set(key, [...(byKey.get(key) ?? []), record])
      }
    return [...(published.get(relation)?.values() ?? [])].filter(covers ?? (() => true)).flatMap((row) => {
      const records = byKey.get(keyOfRow(row))
      if (!records) return [`${relation} ${keyOfRow(row)}: the service has no such record`]
      return Object.entries(row).flatMap(([column, value]) => {
        const versions = records.flatMap((record) =>
          Object.entries(record).flatMap(([name, text]) => (snakeCase(name) === column ? [text] : [])),
        )
        const isServed =
          versions.length === 0 || value === null || versions.some((text) => isSame(text, value))
        return isServed ? [] : [`${relation} ${keyOfRow(row)}: ${column} is ${value}, served was ${versions}`]
      })
    })
  })
}

/** Whether a published value is that of the wire: numbers by value, dates by day. */
function isSame(served: unknown, published: unknown): boolean {
  if (served === null || served === undefined || served === '') return published === null
  const text = String(served)
  if (/^\d{4}[/-]\d{2}[/-]\d{2}/.test(text)) return day(text) === String(published).slice(0, 10)
  if (/^-?[\d.]+$/.test(text) && typeof published === 'number') return Number(text) === published
  return text === String(published)
}

/** How many values were compared: a comparison of nothing proves nothing. */
export function comparedRows(published: Published): number {
  return Object.keys(SUBJECTS).reduce((sum, relation) => sum + (published.get(relation)?.size ?? 0), 0)
}
