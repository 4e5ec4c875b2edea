import { UsageError } from 'candlehouse-foundation/errors'
import type { Reader } from '../duckdb/reader.js'
import { literal, sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import type { LiveCatalog } from '../read/live-catalog.js'
import { objectsOf } from '../read/query.js'
import { CONDITIONAL_ORDER } from './accounts.js'
import { chainOf } from './adjustment-chain.js'
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
import { type Indicator, indicatorColumns, indicatorsOf, indicatorWords, usualLength } from './indicators.js'

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
  /** Indicators of the symbol, as the address has them; empty: none. A comparison has none. */
  indicators: string
}

type Row = Record<string, unknown>

/**
 * All that the chart page draws in one answer (`bar-columns.ts` has its layout): bars as columns of numbers, sessions,
 * adjustment events, phases, own trades, indicators, and the bars of a second symbol. One publication answers all of it, and the page
 * waits once.
 *
 * @throws UsageError for a timeframe or an indicator that does not exist
 */
export async function chartBytes(catalog: LiveCatalog, asked: ChartQuery): Promise<Buffer> {
  const { timeframe, other } = asked
  if (timeframe !== '' && !isBarLength(timeframe))
    throw new UsageError(`${timeframe} is not a timeframe of a chart`, {
      hint: `use one of ${BAR_LENGTHS.join(', ')}`,
    })
  const indicators = other === '' ? indicatorsOf(asked.indicators) : []
  if (indicators === undefined)
    throw new UsageError(`${asked.indicators} are not indicators of a chart`, {
      hint: 'write them as sma50,ema,bands20,vwap,rsi14; lengths are from 2 to 500 bars',
    })
  const isAdjusted = other !== '' || asked.adjusted !== 'false'
  return await catalog.use(async (reader) => {
    const rowsOf = async (name: string, symbol: string, included = {}): Promise<Row[]> =>
      await objectsOf(reader, sqlTemplate(`console/${name}.sql`, { symbol: literal(symbol), ...included }))
    const [subject = {}] = await rowsOf('chart_subject', asked.symbol)
    const symbol = textOf(subject.symbol)
    const drawn = timeframe
      ? { timeframe, bars: await readBars(reader, { symbol, timeframe, isAdjusted, indicators }) }
      : await sensibleBars(reader, { symbol, isAdjusted, indicators })
    const compared =
      other === ''
        ? NO_BARS
        : await readBars(reader, { symbol: other, timeframe: drawn.timeframe, isAdjusted, indicators })
    const head: ChartHead<Row[]> = {
      symbol,
      name: textOf(subject.name),
      board: textOf(subject.board),
      timeframe: drawn.timeframe,
      isAdjusted,
      indicators: indicatorWords(indicators),
      bars: drawn.bars.count,
      otherBars: compared.count,
      days: await rowsOf('chart_days', symbol),
      events: await rowsOf('chart_events', symbol),
      chain: isAdjusted ? await chainOf(reader, symbol, other) : [],
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
  /** Bytes of the columns, in the order of `BAR_COLUMNS`, then those of indicators, each in pieces. */
  columns: Uint8Array[]
}

interface AskedBars {
  symbol: string
  timeframe: BarLength
  isAdjusted: boolean
  indicators: readonly Indicator[]
}

const NO_BARS: Bars = { count: 0, columns: [] }

/** Bars of sessions; where few are stored, the longest bars of which there are enough, else those of which there are most. */
async function sensibleBars(
  reader: Reader,
  asked: Omit<AskedBars, 'timeframe'>,
): Promise<{ timeframe: BarLength; bars: Bars }> {
  const bars = await readBars(reader, { ...asked, timeframe: '1d' })
  if (bars.count >= FEW_BARS) return { timeframe: '1d', bars }
  const sql = sqlTemplate('console/chart_timeframes.sql', { symbol: literal(asked.symbol) })
  const timeframe = sensibleLength(await objectsOf(reader, sql))
  if (timeframe === undefined) return { timeframe: '1d', bars }
  return { timeframe, bars: await readBars(reader, { ...asked, timeframe }) }
}

function barStatement({ symbol, timeframe, isAdjusted, indicators }: AskedBars): string {
  const about = { symbol: literal(symbol), timeframe: literal(timeframe) }
  const source = isWithinSession(timeframe)
    ? sqlTemplate('console/bars_within_sessions.sql', about)
    : sqlTemplate('console/bars_of_sessions.sql', { symbol: literal(symbol) })
  const bars = sqlTemplate('console/chart_bars.sql', { ...about, source, adjusted: String(isAdjusted) })
  if (indicators.length === 0) return bars
  const lengthOf = (kind: Indicator['kind']): string =>
    String(indicators.find((indicator) => indicator.kind === kind)?.length ?? usualLength(kind))
  return sqlTemplate('console/chart_indicators.sql', {
    symbol: literal(symbol),
    bars,
    columns: indicatorColumns(indicators)
      .map((name) => `coalesce(${name}, 'NaN') AS ${name}`)
      .join(', '),
    sma: lengthOf('sma'),
    ema: lengthOf('ema'),
    rsi: lengthOf('rsi'),
    bands: lengthOf('bands'),
  })
}

/** Bars as the numbers that DuckDB computed, copied chunk by chunk: none becomes a value of JavaScript. */
async function readBars(reader: Reader, asked: AskedBars): Promise<Bars> {
  const sql = barStatement(asked)
  const names = [...BAR_COLUMNS, ...indicatorColumns(asked.indicators)]
  const pieces: Uint8Array[][] = names.map(() => [])
  let count = 0
  await reader.allColumns(sql, (columns, rows) => {
    count += rows
    for (const [index, column] of columns.entries()) {
      if (column.kind !== 'fixed' || column.width !== WIDTH)
        throw new TypeError(`${names[index]} of a bar is not a number of ${WIDTH} bytes`)
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
