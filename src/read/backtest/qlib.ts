import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BarLength, type EngineWriter, FileNames, writeTextLines } from './engine-writer.js'
import type { DayBar, IndexDay, MarketHistory, MinuteBar } from './market-history.js'

/** qlib's own words for the length of a bar. */
const FREQUENCY: Readonly<Record<BarLength, string>> = { '1d': 'day', '1m': '1min' }

/**
 * The folder that `qlib.init(provider_uri=…)` takes: calendars, instruments with their first and last day, and one file of
 * 32-bit floats for each symbol and field.
 *
 * Prices are adjusted, as qlib expects: price = raw price x factor, volume = raw volume / factor, so `$close/$factor` is the raw
 * price. `$limit_up` and `$limit_down` are 1 where a session closed at its ceiling or floor: for `limit_threshold` of its
 * exchange. A session in which nothing matched has no price: its exchange then trades nothing.
 *
 * @source qlib 0.9.7, docs/component/data.rst, scripts/dump_bin.py, qlib/backtest/exchange.py
 */
export const qlib: EngineWriter = {
  timeframes: ['1d', '1m'],
  async write(history, folder, timeframe, onSymbol) {
    const names = new FileNames()
    const times =
      timeframe === '1d' ? history.sessions.map(({ session }) => session) : await history.minutes()
    await writeTextLines(join(folder, 'calendars', `${FREQUENCY[timeframe]}.txt`), times)
    await writeInstruments(history, folder, timeframe, names)
    const calendar = new Map(times.map((time, index) => [time, index]))
    const features = (symbol: string, columns: Columns, owner = symbol) =>
      writeFeatures(join(folder, 'features'), names.of(symbol, owner), FREQUENCY[timeframe], columns)
    if (timeframe === '1m') {
      await history.bySymbol('minutes', async (symbol, rows) => {
        await features(
          symbol,
          columnsOf(rows, ({ minute }) => calendar.get(minute), MINUTE_FIELDS),
        )
        onSymbol()
      })
      return names.skipped()
    }
    const at = ({ session }: DayBar | IndexDay): number | undefined => calendar.get(session)
    await history.bySymbol('days', async (symbol, rows) => {
      await features(symbol, columnsOf(rows, at, dayFields()))
      onSymbol()
    })
    // A benchmark is asked for by its name; nobody can buy it.
    await history.bySymbol('index_days', async (code, rows) => {
      await features(code, columnsOf(rows, at, INDEX_FIELDS), `index ${code}`)
    })
    return names.skipped()
  },
}

/** Missing where nothing is known of it. */
type Field<Row> = (row: Row) => number | null

const adjusted = (price: number | null, factor: number): number | null =>
  price === null ? null : price * factor

/** Fields of a symbol's sessions in their order: the change is measured from the last session in which something matched. */
function dayFields(): Record<string, Field<DayBar>> {
  let former: number | null = null
  return {
    open: ({ open, factor }) => adjusted(open, factor),
    high: ({ high, factor }) => adjusted(high, factor),
    low: ({ low, factor }) => adjusted(low, factor),
    close: ({ close, factor }) => adjusted(close, factor),
    vwap: ({ average, factor }) => adjusted(average, factor),
    volume: ({ volume, factor }) => (volume === null ? null : volume / factor),
    amount: ({ value }) => value,
    factor: ({ factor }) => factor,
    change: ({ close, factor }) => {
      const now = adjusted(close, factor)
      if (now === null) return null
      const change = former === null ? null : now / former - 1
      former = now
      return change
    },
    limit_up: ({ is_at_ceiling }) => (is_at_ceiling === null ? null : Number(is_at_ceiling)),
    limit_down: ({ is_at_floor }) => (is_at_floor === null ? null : Number(is_at_floor)),
  }
}

const MINUTE_FIELDS: Readonly<Record<string, Field<MinuteBar>>> = {
  open: ({ open, factor }) => open * factor,
  high: ({ high, factor }) => high * factor,
  low: ({ low, factor }) => low * factor,
  close: ({ close, factor }) => close * factor,
  volume: ({ volume, factor }) => volume / factor,
  factor: ({ factor }) => factor,
}

const INDEX_FIELDS: Readonly<Record<string, Field<IndexDay>>> = {
  close: ({ close }) => close,
  volume: ({ volume }) => volume,
  factor: () => 1,
}

/** A field's file: where in the calendar it begins, then a value for each step of it; NaN is a missing one. */
type Columns = ReadonlyMap<string, Float32Array>

function columnsOf<Row>(
  rows: readonly Row[],
  at: (row: Row) => number | undefined,
  fields: Readonly<Record<string, Field<Row>>>,
): Columns {
  const placed = rows.flatMap((row) => {
    const index = at(row)
    return index === undefined ? [] : [{ row, index }]
  })
  const first = placed[0]?.index ?? 0
  const length = placed.length === 0 ? 0 : (placed.at(-1)?.index ?? 0) - first + 1
  return new Map(
    Object.entries(fields).map(([name, field]) => {
      const values = new Float32Array(length + 1).fill(Number.NaN)
      values[0] = first
      for (const { row, index } of placed) values[index - first + 1] = field(row) ?? Number.NaN
      return [name, values]
    }),
  )
}

async function writeFeatures(
  folder: string,
  name: string | undefined,
  frequency: string,
  columns: Columns,
): Promise<void> {
  if (name === undefined) return
  const fieldsFolder = join(folder, DEVICE.test(name) ? `_qlib_${name}` : name)
  await mkdir(fieldsFolder, { recursive: true })
  for (const [field, values] of columns)
    await writeFile(join(fieldsFolder, `${field}.${frequency}.bin`), littleEndian(values))
}

/** Names of devices on Windows, which qlib looks for under another name. @source qlib/utils/__init__.py, code_to_fname */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

function littleEndian(values: Float32Array): Uint8Array {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes
}

/** `all.txt`, and of each index the stays of its members; the time of a stay ends with the session's last minute. */
async function writeInstruments(
  { instruments, members, sessions }: MarketHistory,
  folder: string,
  timeframe: BarLength,
  names: FileNames,
): Promise<void> {
  const last = sessions.at(-1)?.session ?? ''
  const stay = (symbol: string, from: string, to: string): string =>
    [symbol, from, timeframe === '1d' ? to : `${to} 23:59:59`].join('\t')
  const known = new Set<string>()
  const all: string[] = []
  for (const { symbol, first_session, last_session } of instruments) {
    if (names.of(symbol) === undefined) continue
    known.add(symbol)
    all.push(stay(symbol, first_session, last_session ?? last))
  }
  const universes = new Map([['all', all]])
  for (const { index_code, symbol, first_session, last_session } of members) {
    if (!known.has(symbol)) continue
    const name = index_code.toLowerCase()
    universes.set(name, [...(universes.get(name) ?? []), stay(symbol, first_session, last_session)])
  }
  for (const [name, stays] of universes)
    await writeTextLines(join(folder, 'instruments', `${name}.txt`), stays)
}
