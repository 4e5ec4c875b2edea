import { join } from 'node:path'
import { expect } from 'vitest'
import type { StandIn } from '../../standin/index.js'
import { ask } from '../../support/published.js'
import { snakeCase } from './snake-case.js'

type Row = Record<string, unknown>

/** What the catalog should hold, from the stand-in's own tables, to the last digit. */
export async function expectTruth(
  standIn: StandIn,
  cwd: string,
  within: { sessions: readonly string[] },
): Promise<void> {
  const { market } = standIn
  const days = new Set(within.sessions)
  const held = (row: { tradingDate: string }): boolean =>
    days.has(row.tradingDate.slice(0, 10).replaceAll('/', '-'))
  const traded = new Set(market.summaries.map((row) => `${row.symbol} ${row.tradingDate}`))
  await expectRows(cwd, 'market.security', ['symbol'], market.securities.map(named))
  await expectRows(cwd, 'market.market_index', ['index_code'], market.indexes.map(indexed))
  await expectRows(
    cwd,
    'market.daily_summary',
    ['symbol', 'trading_date'],
    market.summaries.filter(held).map(named),
  )
  await expectRows(
    cwd,
    'market.index_summary',
    ['index_code', 'trading_date'],
    market.indexSummaries.filter(held).map(indexed),
  )
  await expectRows(
    cwd,
    'market.price_limit',
    ['symbol', 'trading_date'],
    market.masterdata.filter(held).map(named),
  )
  const candles = [
    ...market.daily.filter(held).map((row) => candle(row, '1d')),
    ...market.minutes
      .filter((row) => held(row) && traded.has(`${row.symbol} ${row.tradingDate.slice(0, 10)}`))
      .map((row) => candle(row, '1m')),
  ]
  await expectRows(cwd, "(FROM market.candle WHERE timeframe IN ('1m', '1d'))", CANDLE_KEY, candles)
}

const CANDLE_KEY = ['symbol', 'timeframe', 'opened_at']

async function expectRows(cwd: string, relation: string, key: string[], truth: Row[]): Promise<void> {
  const columns = new Set(truth.flatMap((row) => Object.keys(row)))
  const rows = (await ask(join(cwd, 'data'), `from ${relation}`)).map((row) =>
    Object.fromEntries([...columns].map((name) => [name, plain(row[name])])),
  )
  const order = (row: Row): string => key.map((name) => row[name]).join(' ')
  const sorted = (all: Row[]): Row[] => all.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
  expect(sorted(rows), relation).toEqual(sorted(truth))
}

/** The API's names in snake_case, its dates as ISO, its empty strings as null. */
function named(row: object): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      snakeCase(name),
      plain(/Date$/.test(name) && typeof value === 'string' ? value.replaceAll('/', '-') : value),
    ]),
  )
}

function indexed(row: object): Row {
  const { index, ...rest } = row as { index: string }
  return { ...named(rest), index_code: index }
}

function candle(row: { tradingDate: string }, timeframe: string): Row {
  const [day = '', time = '00:00:00'] = row.tradingDate.replaceAll('/', '-').split(' ')
  const opened = new Date(`${day}T${time}+07:00`).toISOString().replace('.000Z', 'Z')
  return { ...named({ ...row, tradingDate: day }), timeframe, opened_at: opened }
}

/** Numbers as text without zeros that say nothing, so that '27000' and '27000.000000' are one. */
function plain(value: unknown): unknown {
  if (value === '' || value === null || value === undefined) return null
  const text = String(value)
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
