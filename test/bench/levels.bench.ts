/**
 * What readers gain when the months of a closed year become one file, by layouts written with plain COPY: `make bench`. Ten
 * years of a relation with a row per symbol and session; BENCH_SYMBOLS and BENCH_YEARS make it smaller. It repeats the figures of
 * docs/decisions/0059-small-years-are-one-file.md.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { literal } from '../../src/duckdb/sqlfile.js'
import { MONTH_FORM, parquetOptions, YEAR_FORM } from '../../src/lake/lake-files.js'
import { median, record } from './results.js'

const SYMBOLS = Number(process.env.BENCH_SYMBOLS ?? 1_700)
const YEARS = Array.from({ length: Number(process.env.BENCH_YEARS ?? 10) }, (_, index) =>
  String(2015 + index),
)
const ROUNDS = 7
const ONE = `S${String(SYMBOLS >> 1).padStart(4, '0')}`

/** A weekday in the middle of each month of 2015. */
const MIDDLE = [15, 16, 16, 15, 15, 15, 15, 14, 15, 15, 16, 15]

const READINGS = {
  "a symbol's rows": `SELECT * FROM daily WHERE symbol = '${ONE}'`,
  "a symbol's prices": `SELECT trading_date, open, high, low, close FROM daily WHERE symbol = '${ONE}'`,
  'twelve sessions of all symbols, one per month': Array.from(
    { length: 12 },
    (_, index) =>
      `SELECT * FROM daily WHERE trading_date = DATE '2015-${String(index + 1).padStart(2, '0')}-${MIDDLE[index]}'`,
  ).join('; '),
  'all rows by session': 'SELECT trading_date, sum(value_1), max(close) FROM daily GROUP BY ALL',
  'the number of rows': 'SELECT count(*) FROM daily',
}

const folder = mkdtempSync(join(tmpdir(), 'candlehouse-bench-'))
try {
  const writer = await openDatabase(':memory:')
  for (const year of YEARS) await writeYear(writer, year)
  writer.close()
  const [years, months] = [await openLayout('years'), await openLayout('months')]
  for (const [label, statement] of Object.entries(READINGS)) await compare(years, months, label, statement)
  years.close()
  months.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Twelve files of months, and a file of the year that has one quarter after the other. */
async function writeYear(database: Database, year: string): Promise<void> {
  for (const layout of ['months', 'years']) mkdirSync(join(folder, layout), { recursive: true })
  const files = Array.from({ length: 12 }, (_, index) => {
    const month = `${year}-${String(index + 1).padStart(2, '0')}`
    return { month, file: join(folder, 'months', `${month}.parquet`) }
  })
  for (const { month, file } of files)
    await database.run(`COPY (${dailyRows(month)}) TO ${literal(file)} (${parquetOptions(MONTH_FORM)})`)
  await database.run(
    `COPY (FROM ${parquet(files.map(({ file }) => file))} ORDER BY quarter(trading_date), symbol, trading_date)
     TO ${literal(join(folder, 'years', `${year}.parquet`))} (${parquetOptions(YEAR_FORM)})`,
  )
}

/** Prices, and twenty quantities that compress badly, as quantities do. */
function dailyRows(month: string): string {
  const values = Array.from(
    { length: 20 },
    (_, index) => `(hash(i, n, ${index}) % 1000000)::BIGINT AS value_${index}`,
  )
  return `SELECT symbol, day::DATE AS trading_date, ${['open', 'high', 'low', 'close']
    .map((name, index) => `(8000 + i * 17 + hash(n, i) % 20 * 50 + ${index * 50})::DECIMAL(18,6) AS ${name}`)
    .join(', ')}, ${values.join(', ')}
    FROM (SELECT day, epoch(day)::BIGINT // 86400 AS n
        FROM generate_series(DATE '${month}-01', last_day(DATE '${month}-01'), INTERVAL 1 DAY) t(day) WHERE isodow(day) < 6),
      (SELECT i, 'S' || lpad(i::VARCHAR, 4, '0') AS symbol FROM range(${SYMBOLS}) r(i))
    ORDER BY symbol, trading_date`
}

async function openLayout(layout: string): Promise<Database> {
  const database = await openDatabase(':memory:')
  const files = readdirSync(join(folder, layout)).sort()
  await database.run(`CREATE VIEW daily AS FROM ${parquet(files.map((file) => join(folder, layout, file)))}`)
  return database
}

function parquet(files: readonly string[]): string {
  return `read_parquet([${files.map(literal).join(', ')}], hive_partitioning = false)`
}

async function compare(years: Database, months: Database, label: string, statement: string): Promise<void> {
  const times: { years: number; months: number }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const time = { years: await cpuMs(years, statement), months: await cpuMs(months, statement) }
    // The first one warms the cache.
    if (round > 0) times.push(time)
  }
  record({
    what: `reading ${YEARS.length} years of a daily relation, ${SYMBOLS} symbols: ${label}`,
    ours: `files of years ${median(times.map((time) => time.years)).toFixed(0)} CPU-ms`,
    beside: `files of months ${median(times.map((time) => time.months)).toFixed(0)} CPU-ms`,
    ratio: median(times.map((time) => time.years / time.months)),
  })
}

async function cpuMs(database: Database, statement: string): Promise<number> {
  const start = process.cpuUsage()
  await database.run(statement)
  const used = process.cpuUsage(start)
  return (used.user + used.system) / 1e3
}
