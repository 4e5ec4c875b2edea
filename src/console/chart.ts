import { UsageError } from 'candlehouse-foundation/errors'
import type { Reader } from '../duckdb/reader.js'
import { literal, sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import type { LiveCatalog } from '../read/live-catalog.js'
import { objectsOf } from '../read/query.js'
import { CONDITIONAL_ORDER } from './accounts.js'
import {
  BAR_COLUMNS,
  BAR_LENGTHS,
  type BarLength,
  type ChartHead,
  FEW_BARS,
  isBarLength,
  isWithinSession,
  sensibleLength,
} from './bar-columns.js'

/** Bytes of a number. */
const WIDTH = 8

/** What a chart asks for, as the address says it. */
export interface ChartQuery {
  /** Empty: the busiest stock. */
  symbol: string
  /** Empty: sessions, or shorter bars where few sessions are stored. */
  timeframe: string
  adjusted: string
  /** A second symbol, which makes both adjusted; empty: none. */
  other: string
}

type Row = Record<string, unknown>

/**
 * All that the chart page draws in one answer (`bar-columns.ts` has its layout): bars as columns of numbers, sessions,
 * adjustment events, phases, own trades, and the bars of a second symbol. One publication answers all of it, and the page
 * waits once.
 *
 * @throws UsageError for a timeframe that does not exist
 */
export async function chartBytes(catalog: LiveCatalog, asked: ChartQuery): Promise<Buffer> {
  const { timeframe, other } = asked
  if (timeframe !== '' && !isBarLength(timeframe))
    throw new UsageError(`${timeframe} is not a timeframe of a chart`, {
      hint: `use one of ${BAR_LENGTHS.join(', ')}`,
    })
  const isAdjusted = other !== '' || asked.adjusted !== 'false'
  return await catalog.use(async (reader) => {
    const rowsOf = async (name: string, symbol: string, included = {}): Promise<Row[]> =>
      await objectsOf(reader, sqlTemplate(`console/${name}.sql`, { symbol: literal(symbol), ...included }))
    const [subject = {}] = await rowsOf('chart_subject', asked.symbol)
    const symbol = textOf(subject.symbol)
    const drawn = timeframe
      ? { timeframe, bars: await readBars(reader, symbol, timeframe, isAdjusted) }
      : await sensibleBars(reader, symbol, isAdjusted)
    const compared = other === '' ? NO_BARS : await readBars(reader, other, drawn.timeframe, isAdjusted)
    const head: ChartHead<Row[]> = {
      symbol,
      name: textOf(subject.name),
      board: textOf(subject.board),
      timeframe: drawn.timeframe,
      isAdjusted,
      bars: drawn.bars.count,
      otherBars: compared.count,
      days: await rowsOf('chart_days', symbol),
      events: await rowsOf('chart_events', symbol),
      phases: await rowsOf('chart_phases', symbol),
      fills: await rowsOf('chart_fills', symbol),
      conditional: await rowsOf('chart_conditional', symbol, {
        conditional_order: sqlFile(CONDITIONAL_ORDER),
      }),
    }
    return Buffer.concat([headBytes(head), ...drawn.bars.columns, ...compared.columns])
  })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

interface Bars {
  count: number
  /** Bytes of the columns, in the order of `BAR_COLUMNS`, each in pieces. */
  columns: Uint8Array[]
}

const NO_BARS: Bars = { count: 0, columns: [] }

/** Bars of sessions; where few are stored, the longest bars of which there are enough, else those of which there are most. */
async function sensibleBars(
  reader: Reader,
  symbol: string,
  isAdjusted: boolean,
): Promise<{ timeframe: BarLength; bars: Bars }> {
  const bars = await readBars(reader, symbol, '1d', isAdjusted)
  if (bars.count >= FEW_BARS) return { timeframe: '1d', bars }
  const sql = sqlTemplate('console/chart_timeframes.sql', { symbol: literal(symbol) })
  const timeframe = sensibleLength(await objectsOf(reader, sql))
  if (timeframe === undefined) return { timeframe: '1d', bars }
  return { timeframe, bars: await readBars(reader, symbol, timeframe, isAdjusted) }
}

/** Bars as the numbers that DuckDB computed, copied chunk by chunk: none becomes a value of JavaScript. */
async function readBars(
  reader: Reader,
  symbol: string,
  timeframe: BarLength,
  isAdjusted: boolean,
): Promise<Bars> {
  const about = { symbol: literal(symbol) }
  const source = isWithinSession(timeframe)
    ? sqlTemplate('console/bars_within_sessions.sql', { ...about, timeframe: literal(timeframe) })
    : sqlTemplate('console/bars_of_sessions.sql', about)
  const sql = sqlTemplate('console/chart_bars.sql', { ...about, source, adjusted: String(isAdjusted) })
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
