import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { addDays, type Day, dayCount, weekday } from 'candlehouse-foundation/market/day'
import { ZipFile } from 'yazl'
import { groupsBy } from '../../plan/groups.js'
import { ZIP_MTIME } from '../xlsx/write.js'
import { type EngineWriter, FileNames, writeTextLines } from './engine-writer.js'
import type { DayBar, Instrument, MarketHistory, MinuteBar } from './market-history.js'

/** LEAN's name of the market: a program adds it with `Market.Add("vietnam", 86)`. */
const MARKET = 'vietnam'

/** LEAN keeps prices of shares as whole numbers of ten-thousandths. */
const PRICE_UNITS = 10_000

/** Behind the last day that a file of factors or names can be asked for. */
const END_OF_TIME = '20501231'

/**
 * The folder `Data` of LEAN: raw bars in a zip file for each symbol (of minutes for each symbol and session), files of factors
 * and of names, hours and properties of the market.
 *
 * A factor is split into the part of shares (split) and the part of cash (price) where a declaration says which; an event that
 * nothing declares is a split. A symbol's file of names ends with its last session where it was delisted.
 *
 * @source QuantConnect/Lean, Data/equity/readme.md, Common/Data/Auxiliary/{CorporateFactorRow,MapFileRow}.cs,
 *   Common/Util/LeanData.cs. Not loaded by LEAN itself, which could not be installed where this was built.
 */
export const lean: EngineWriter = {
  timeframes: ['1d', '1m'],
  async write(history, folder, timeframe, onSymbol) {
    const names = new FileNames()
    const equity = join(folder, 'equity', MARKET)
    const listed = new Map(history.instruments.map((instrument) => [instrument.symbol, instrument]))
    await history.bySymbol('days', async (symbol, rows) => {
      const [name, instrument] = [names.of(symbol), listed.get(symbol)]
      if (timeframe === '1d') onSymbol()
      if (name === undefined || !instrument) return
      await writeTextLines(join(equity, 'factor_files', `${name}.csv`), factorFile(rows))
      await writeTextLines(join(equity, 'map_files', `${name}.csv`), mapFile(name, instrument))
      const bars = timeframe === '1d' ? dayLines(rows) : []
      // An empty line is not a bar that LEAN can read: a symbol that never traded has no file.
      if (bars.length > 0) await writeZip(join(equity, 'daily', `${name}.zip`), `${name}.csv`, bars)
    })
    if (timeframe === '1m')
      await history.bySymbol('minutes', async (symbol, rows) => {
        onSymbol()
        const name = names.of(symbol)
        if (name !== undefined) await writeSessions(join(equity, 'minute', name), name, rows)
      })
    await history.bySymbol('index_days', async (code, rows) => {
      const name = code.toLowerCase()
      const lines = rows.map(({ session, close, volume }) =>
        [`${compact(session)} 00:00`, close, close, close, close, volume ?? 0].join(','),
      )
      await writeZip(join(folder, 'index', MARKET, 'daily', `${name}.zip`), `${name}.csv`, lines)
    })
    await writeMarket(history, folder)
    return names.skipped()
  },
}

const compact = (day: string): string => day.replaceAll('-', '')

const units = (price: number): number => Math.round(price * PRICE_UNITS)

/** Of sessions in which something matched. */
function dayLines(rows: readonly DayBar[]): string[] {
  return rows.flatMap(({ session, open, high, low, close, volume }) =>
    open === null || high === null || low === null || close === null
      ? []
      : [[`${compact(session)} 00:00`, ...[open, high, low, close].map(units), volume ?? 0].join(',')],
  )
}

/** A zip file for each session; a bar is named by milliseconds since midnight, exchange time. */
async function writeSessions(folder: string, name: string, rows: readonly MinuteBar[]): Promise<void> {
  const bySession = groupsBy(rows, ({ minute }) => compact(minute.slice(0, 10)))
  for (const [session, bars] of bySession)
    await writeZip(
      join(folder, `${session}_trade.zip`),
      `${session}_${name}_minute_trade.csv`,
      bars.map(({ minute, open, high, low, close, volume }) => {
        const at = Date.parse(`1970-01-01T${minute.slice(11)}Z`)
        return [at, ...[open, high, low, close].map(units), volume].join(',')
      }),
    )
}

/**
 * What prices up to a day, that day included, are multiplied by: the session before each event, and the first one. The close of
 * that day lets LEAN compute what was paid.
 */
export function factorFile(rows: readonly DayBar[]): string[] {
  let [price, split] = [1, 1]
  const lines = [`${END_OF_TIME},1,1,0`]
  for (let at = rows.length - 1; at > 0; at -= 1) {
    const { event_factor = 1, share_factor = 1 } = rows[at] ?? {}
    if (event_factor === 1) continue
    const cash = event_factor / share_factor
    // LEAN takes any change of the price factor for a dividend, and doubles have digits of their own.
    const isPaid = Math.abs(cash - 1) > 1e-9
    split *= isPaid ? share_factor : event_factor
    if (isPaid) price *= cash
    lines.push(factorLine(rows, at - 1, price, split))
  }
  if (rows.length > 0) lines.push(factorLine(rows, 0, price, split))
  return [...new Set(lines)].reverse()
}

function factorLine(rows: readonly DayBar[], at: number, price: number, split: number): string {
  const close = rows.slice(0, at + 1).findLast((row) => row.close !== null)?.close ?? 0
  return [compact(rows[at]?.session ?? ''), plain(price), plain(split), close].join(',')
}

/** LEAN reads no exponents. */
const plain = (factor: number): string => factor.toFixed(15).replace(/\.?0+$/, '')

/** Without an exchange: LEAN knows those of the United States and India, and older releases drop a file that names another. */
function mapFile(name: string, { first_session, last_session }: Instrument): string[] {
  const last = last_session === null ? END_OF_TIME : compact(last_session)
  return [...new Set([compact(first_session), last])].map((day) => `${day},${name}`)
}

async function writeMarket(history: MarketHistory, folder: string): Promise<void> {
  const hours = (await history.hours()).map(({ starts, ends }) => ({
    start: starts,
    end: ends,
    state: 'market',
  }))
  const stored = new Set(history.sessions.map(({ session }) => session))
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
  const entry = {
    dataTimeZone: 'Asia/Ho_Chi_Minh',
    exchangeTimeZone: 'Asia/Ho_Chi_Minh',
    sunday: [],
    ...Object.fromEntries(days.map((day) => [day, hours])),
    saturday: [],
    holidays: weekdaysBetween(history.sessions[0]?.session ?? '', history.sessions.at(-1)?.session ?? '')
      .filter((day) => !stored.has(day))
      .map(american),
    earlyCloses: {},
    lateOpens: {},
  }
  const entries = { [`Equity-${MARKET}-[*]`]: entry, [`Index-${MARKET}-[*]`]: entry }
  await writeTextLines(join(folder, 'market-hours', 'market-hours-database.json'), [
    JSON.stringify({ entries }, null, 2),
  ])
  await writeTextLines(join(folder, 'symbol-properties', 'symbol-properties-database.csv'), [
    'market,symbol,type,description,quote_currency,contract_multiplier,minimum_price_variation,lot_size,market_ticker,minimum_order_size,price_magnifier,strike_multiplier',
    `${MARKET},[*],equity,,VND,1,10,1,,,,`,
    `${MARKET},[*],index,,VND,1,0.01,1,,,,`,
  ])
}

function weekdaysBetween(first: Day, last: Day): Day[] {
  const days = Array.from({ length: dayCount(first, last) }, (_, n) => addDays(first, n))
  return days.filter((day) => weekday(day) % 6 !== 0)
}

/** `3/14/2025` */
function american(day: string): string {
  const [year, month, date] = day.split('-').map(Number)
  return `${month}/${date}/${year}`
}

/** A zip file with one entry; the same rows make the same bytes. */
async function writeZip(file: string, entry: string, lines: readonly string[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from(`${lines.join('\n')}\n`), entry, { mtime: ZIP_MTIME })
  zip.end()
  await writeFile(file, zip.outputStream)
}
