import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'
import { type BarLength, type EngineWriter, FileNames } from './engine-writer.js'
import type { DayBar, Instrument, MinuteBar } from './market-history.js'

type Schema = NonNullable<Parameters<typeof parquetWriteBuffer>[0]['schema']>

/** Prices are adjusted, which makes parts of a dong of a whole one; volumes are whole shares. */
const PRICE_DECIMALS = 4

/** nautilus keeps numbers as 128-bit integers of 10^-16, little-endian. */
const SCALE_OF_PRICE = 10n ** BigInt(16 - PRICE_DECIMALS)
const SCALE_OF_VOLUME = 10n ** 16n

const LENGTH: Readonly<Record<BarLength, string>> = { '1d': '1-DAY', '1m': '1-MINUTE' }

/**
 * The folder of nautilus_trader's `ParquetDataCatalog`: instruments and bars.
 *
 * Prices are adjusted and volumes divided by the same factor, since the engine knows no corporate actions: a position that is
 * held over a split would lose half of its worth with raw ones. Ticks and price limits are of raw prices, so they are not in
 * it: the increment is the last decimal. A bar carries the instant at which it ends; that of a session is 15:00.
 *
 * @source nautilus_trader 1.231.0, nautilus_trader/persistence/catalog/parquet.py; its wheels for Linux and macOS, of high
 *   precision
 */
export const nautilus: EngineWriter = {
  timeframes: ['1d', '1m'],
  async write(history, folder, timeframe, onSymbol) {
    const names = new FileNames()
    const boards = new Map<string, string>()
    for (const instrument of history.instruments) {
      if (names.of(instrument.symbol) === undefined) continue
      const id = `${instrument.symbol}.${instrument.board ?? 'UNKNOWN'}`
      boards.set(instrument.symbol, id)
      await writeIn(join(folder, 'data', 'equity', id), 0n, 0n, equity(id, instrument))
    }
    const write = async (symbol: string, bars: readonly Bar[]): Promise<void> => {
      onSymbol()
      const id = boards.get(symbol)
      const [first, last] = [bars[0], bars.at(-1)]
      if (!id || !first || !last) return
      const type = `${id}-${LENGTH[timeframe]}-LAST-EXTERNAL`
      await writeIn(join(folder, 'data', 'bar', type), first.ends, last.ends, barFile(id, type, bars))
    }
    if (timeframe === '1d')
      await history.bySymbol('days', async (symbol, rows) => write(symbol, rows.flatMap(dayBar)))
    else await history.bySymbol('minutes', async (symbol, rows) => write(symbol, rows.map(minuteBar)))
    return names.skipped()
  },
}

/** Adjusted; `ends` is in nanoseconds of Unix time. */
interface Bar {
  ends: bigint
  open: number
  high: number
  low: number
  close: number
  volume: number
}

/** None for a session in which nothing matched. */
function dayBar({ session, open, high, low, close, volume, factor }: DayBar): Bar[] {
  if (open === null || high === null || low === null || close === null) return []
  const ends = nanoseconds(`${session}T15:00:00+07:00`)
  return [{ ends, ...adjusted({ open, high, low, close, volume: volume ?? 0 }, factor) }]
}

function minuteBar({ minute, open, high, low, close, volume, factor }: MinuteBar): Bar {
  const ends = nanoseconds(`${minute.replace(' ', 'T')}+07:00`) + 60_000_000_000n
  return { ends, ...adjusted({ open, high, low, close, volume }, factor) }
}

function adjusted({ open, high, low, close, volume }: Omit<Bar, 'ends'>, factor: number): Omit<Bar, 'ends'> {
  return {
    open: open * factor,
    high: high * factor,
    low: low * factor,
    close: close * factor,
    volume: volume / factor,
  }
}

const nanoseconds = (instant: string): bigint => BigInt(Date.parse(instant)) * 1_000_000n

const FIXED = (name: string): Schema[number] => ({
  name,
  type: 'FIXED_LEN_BYTE_ARRAY',
  type_length: 16,
  repetition_type: 'REQUIRED',
})

const INSTANT = (name: string): Schema[number] => ({
  name,
  type: 'INT64',
  converted_type: 'UINT_64',
  repetition_type: 'REQUIRED',
})

function barFile(id: string, type: string, bars: readonly Bar[]): ArrayBuffer {
  const prices = (field: 'open' | 'high' | 'low' | 'close'): Uint8Array[] =>
    bars.map((bar) => fixed(BigInt(Math.round(bar[field] * 10 ** PRICE_DECIMALS)) * SCALE_OF_PRICE))
  const instants = BigInt64Array.from(bars, ({ ends }) => ends)
  return parquetWriteBuffer({
    columnData: [
      ...(['open', 'high', 'low', 'close'] as const).map((name) => ({ name, data: prices(name) })),
      {
        name: 'volume',
        data: bars.map(({ volume }) => fixed(BigInt(Math.round(volume)) * SCALE_OF_VOLUME)),
      },
      { name: 'ts_event', data: instants },
      { name: 'ts_init', data: instants },
    ],
    schema: [
      { name: 'schema', num_children: 7 },
      ...['open', 'high', 'low', 'close', 'volume'].map(FIXED),
      ...['ts_event', 'ts_init'].map(INSTANT),
    ],
    kvMetadata: [
      { key: 'bar_type', value: type },
      { key: 'instrument_id', value: id },
      { key: 'price_precision', value: String(PRICE_DECIMALS) },
      { key: 'size_precision', value: '0' },
    ],
  })
}

function fixed(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(16)
  bytes.writeBigInt64LE(BigInt.asIntN(64, value), 0)
  bytes.writeBigInt64LE(value >> 64n, 8)
  return bytes
}

function equity(id: string, { symbol, lot_size, name, board }: Instrument): ArrayBuffer {
  const texts: Record<string, string | null> = {
    id,
    raw_symbol: symbol,
    currency: 'VND',
    price_increment: (10 ** -PRICE_DECIMALS).toFixed(PRICE_DECIMALS),
    lot_size: String(lot_size),
    max_quantity: null,
    min_quantity: null,
    isin: null,
    margin_init: '0',
    margin_maint: '0',
    maker_fee: '0',
    taker_fee: '0',
  }
  const names = Object.keys(texts)
  const column = (column: string): ColumnSource => ({ name: column, data: [texts[column] ?? null] })
  return parquetWriteBuffer({
    columnData: [
      ...names.map(column),
      { name: 'price_precision', data: [PRICE_DECIMALS] },
      { name: 'info', data: [new TextEncoder().encode(JSON.stringify({ name, board }))] },
      { name: 'ts_event', data: [0n] },
      { name: 'ts_init', data: [0n] },
    ],
    schema: [
      { name: 'schema', num_children: names.length + 4 },
      ...names.map((column) => ({
        name: column,
        type: 'BYTE_ARRAY' as const,
        converted_type: 'UTF8' as const,
        repetition_type: 'OPTIONAL' as const,
      })),
      { name: 'price_precision', type: 'INT32', converted_type: 'UINT_8', repetition_type: 'OPTIONAL' },
      { name: 'info', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
      ...['ts_event', 'ts_init'].map(INSTANT),
    ],
    kvMetadata: [{ key: 'class', value: 'Equity' }],
  })
}

/** Files are named for their first and last instant, as the catalog looks for them. */
async function writeIn(folder: string, from: bigint, to: bigint, bytes: ArrayBuffer): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${fileTime(from)}_${fileTime(to)}.parquet`), new Uint8Array(bytes))
}

/** `2025-03-14T08-00-00-000000000Z` */
function fileTime(instant: bigint): string {
  const seconds = new Date(Number(instant / 1_000_000n)).toISOString().slice(0, 19).replaceAll(':', '-')
  return `${seconds}-000000000Z`
}
