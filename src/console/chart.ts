import type { Reader } from '../duckdb/reader.js'
import { literal, sqlTemplate } from '../duckdb/sqlfile.js'
import type { LiveCatalog } from '../read/live-catalog.js'
import { objectsOf } from '../read/query.js'
import { BAR_COLUMNS, type ChartHead } from './bar-columns.js'
import { type CandleQuery, checkedQuery } from './candles.js'

/** Bytes of a number. */
const WIDTH = 8

/**
 * All that the chart page draws in one answer (`bar-columns.ts` has its layout): bars as columns of numbers, sessions,
 * adjustment events, phases, and the bars of a second symbol. One publication answers all of it, and the page waits once.
 *
 * @param other a second symbol; empty: none
 * @throws UsageError for a timeframe or a day that does not exist
 */
export async function chartBytes(catalog: LiveCatalog, asked: CandleQuery, other: string): Promise<Buffer> {
  const { symbol, timeframe, from, isAdjusted } = checkedQuery(asked)
  const first = literal(from || '0001-01-01')
  const bars = isAdjusted ? 'chart_bars_adjusted' : 'chart_bars'
  return await catalog.use(async (reader) => {
    const barsOf = async (name: string): Promise<Bars> =>
      await readBars(reader, statement(bars, { symbol: literal(name), timeframe: literal(timeframe), first }))
    const ask = async (name: string, parts: Record<string, string>): Promise<Record<string, unknown>[]> =>
      await objectsOf(reader, statement(name, parts))
    const about = { symbol: literal(symbol) }
    const drawn = await barsOf(symbol)
    const compared = other === '' ? { count: 0, columns: [] } : await barsOf(other)
    const head: ChartHead<Record<string, unknown>[]> = {
      bars: drawn.count,
      otherBars: compared.count,
      days: await ask('chart_days', { ...about, first }),
      events: await ask('chart_events', about),
      phases: await ask('chart_phases', about),
    }
    return Buffer.concat([headBytes(head), ...drawn.columns, ...compared.columns])
  })
}

function statement(name: string, parts: Record<string, string>): string {
  return sqlTemplate(`console/${name}.sql`, parts)
}

interface Bars {
  count: number
  /** Bytes of the columns, in the order of `BAR_COLUMNS`, each in pieces. */
  columns: Uint8Array[]
}

/** Bars as the numbers that DuckDB computed, copied chunk by chunk: none becomes a value of JavaScript. */
async function readBars(reader: Reader, sql: string): Promise<Bars> {
  const pieces: Uint8Array[][] = BAR_COLUMNS.map(() => [])
  let count = 0
  await reader.allColumns(sql, (columns, rows) => {
    count += rows
    for (const [index, column] of columns.entries()) {
      if (column.kind !== 'fixed' || column.width !== WIDTH)
        throw new TypeError(`${BAR_COLUMNS[index]} of a bar is not a number of ${WIDTH} bytes`)
      pieces[index]?.push(Uint8Array.from(column.bytes.subarray(0, rows * WIDTH)))
    }
  })
  return { count, columns: pieces.flat() }
}

/** The length of the JSON, then the JSON, filled with spaces up to where the columns can begin. */
function headBytes(head: ChartHead<unknown>): Buffer {
  const text = Buffer.from(JSON.stringify(head))
  const length = Math.ceil((4 + text.length) / WIDTH) * WIDTH - 4
  const bytes = Buffer.alloc(4 + length, ' ')
  bytes.writeUInt32LE(length)
  text.copy(bytes, 4)
  return bytes
}
