// The truth: what the service holds. Plain mutable arrays; whatever a test changes is served from then on.

import { minuteBars } from './bars.js'
import { slashed } from './dates.js'
import { buildDay, dailyBar, lotOf, multiplierOf } from './day.js'
import { buildIndexDay, indexesOf, indexRows } from './indexes.js'
import type { CandleRow, IndexRow, IndexSummaryTruth, MasterRow, SecurityRow, SummaryRow } from './rows.js'
import { defaultSymbols, oddSymbol, type SymbolSeed } from './symbols.js'

export interface StandInMarket {
  /** 'YYYY-MM-DD', ascending. */
  sessions: string[]
  seeds: SymbolSeed[]
  securities: SecurityRow[]
  indexes: IndexRow[]
  /** Symbols per index, delisted ones included: their rows of their time still belong to it. */
  members: Record<string, string[]>
  /** By session, then in the order of the seeds; so are `masterdata`, `daily` and `minutes`. */
  summaries: SummaryRow[]
  indexSummaries: IndexSummaryTruth[]
  masterdata: MasterRow[]
  daily: CandleRow[]
  minutes: CandleRow[]
  /**
   * Changes a daily record after the fact; `day` as 'YYYY-MM-DD' or 'YYYY/MM/DD'. The daily candle, the minute
   * bars and the totals of its indexes follow; price limits and other sessions stay.
   */
  restate(symbol: string, day: string, changes: Partial<SummaryRow>): SummaryRow
}

export interface MarketPlan {
  sessions: string[]
  /** Instead of the default names. */
  symbols?: SymbolSeed[]
  /** On top of them, as plain UPCOM stocks: for instance ODD_SYMBOLS. */
  extraSymbols?: string[]
}

const securityOf = (seed: SymbolSeed, first: string, last: SummaryRow | undefined): SecurityRow => ({
  symbol: seed.symbol,
  symbolNameVi: `Công ty ${seed.symbol}`,
  symbolNameEn: `${seed.symbol} Company`,
  board: seed.board,
  lotSize: String(lotOf(seed)),
  maturityDate: seed.kind === 'warrant' || seed.kind === 'future' ? '2099/12/31' : '',
  firstTradingDate: first,
  lastTradingDate: seed.kind === 'warrant' ? '2099/12/29' : '',
  cwUnderlyingSymbol: seed.kind === 'warrant' ? seed.symbol.slice(1, 4) : '',
  cwExercisePrice: seed.kind === 'warrant' ? '19500' : '',
  cwExecutionRatio: seed.kind === 'warrant' ? '4:1' : '',
  listedShare: seed.kind === 'future' ? '' : '1500000000',
  icbCode: seed.kind === 'stock' ? '8355' : '',
  icbName: seed.kind === 'stock' ? 'Ngân hàng' : '',
  iIndex: seed.kind === 'etf' ? '23050.5' : '',
  iNav: seed.kind === 'etf' ? '23040.25' : '',
  openInterest: last?.openInterest ?? null,
  settlementPrice: last?.settlementPrice ?? null,
})

const restate = (
  market: StandInMarket,
  symbol: string,
  day: string,
  changes: Partial<SummaryRow>,
): SummaryRow => {
  const date = slashed(day)
  const row = market.summaries.find((one) => one.symbol === symbol && one.tradingDate === date)
  const seed = market.seeds.find((one) => one.symbol === symbol)
  if (!row || !seed) throw new Error(`no record of ${symbol} on ${date}`)
  const before = { ...row }
  Object.assign(row, changes)
  const { tick } = seed
  const shape = {
    symbol,
    day: date,
    tick,
    lot: lotOf(seed),
    multiplier: multiplierOf(seed),
    open: Number(row.open),
    high: Number(row.high),
    low: Number(row.low),
    close: Number(row.close),
    volume: Number(row.totalMatch),
    value: Number(row.totalMatchValue),
  }
  const replace = (rows: CandleRow[], fresh: CandleRow[]): void => {
    const old = (one: CandleRow) => one.symbol === symbol && one.tradingDate.startsWith(date)
    const hit = rows.findIndex(old)
    const later = rows.findIndex((one) => one.tradingDate > `${date} 99`)
    const at = hit >= 0 ? hit : later >= 0 ? later : rows.length
    rows.splice(at, rows.filter(old).length, ...fresh)
  }
  const daily = dailyBar(row)
  replace(market.daily, daily ? [daily] : [])
  replace(market.minutes, minuteBars(shape))
  for (const total of market.indexSummaries) {
    if (total.tradingDate !== date || !indexesOf(seed).includes(total.index)) continue
    for (const [sum, part] of [
      ['totalMatch', 'totalMatch'] as const,
      ['totalMatchValue', 'totalMatchValue'] as const,
      ['totalTrade', 'totalMatch'] as const,
      ['totalTradeValue', 'totalMatchValue'] as const,
    ]) {
      total[sum] = String(Number(total[sum]) + Number(row[part]) - Number(before[part]))
    }
  }
  return row
}

export const buildMarket = ({ sessions, symbols, extraSymbols = [] }: MarketPlan): StandInMarket => {
  const seeds = [...(symbols ?? defaultSymbols()), ...extraSymbols.map(oddSymbol)]
  const market: StandInMarket = {
    sessions: [...sessions],
    seeds,
    securities: [],
    indexes: indexRows(),
    members: {},
    summaries: [],
    indexSummaries: [],
    masterdata: [],
    daily: [],
    minutes: [],
    restate: (symbol, day, changes) => restate(market, symbol, day, changes),
  }
  const middle = sessions[Math.max(0, Math.ceil(sessions.length / 2) - 1)]
  const references = seeds.map((seed) => seed.base)
  for (const { index } of market.indexes) {
    market.members[index] = seeds.filter((seed) => indexesOf(seed).includes(index)).map((seed) => seed.symbol)
  }
  sessions.forEach((session, at) => {
    const day = slashed(session)
    seeds.forEach((seed, rank) => {
      const until = seed.until ?? (seed.listed === false ? middle : undefined)
      if ((seed.from && session < seed.from) || (until && session > until)) return
      const rows = buildDay(seed, rank, at, day, references[rank] ?? seed.base)
      references[rank] = rows.nextReference
      market.summaries.push(rows.summary)
      market.masterdata.push(rows.master)
      if (rows.daily) market.daily.push(rows.daily)
      market.minutes.push(...rows.minutes)
    })
    const limits = market.masterdata.filter((one) => one.tradingDate === day)
    for (const { index } of market.indexes) {
      const members = new Set(market.members[index])
      const rows = market.summaries.filter((one) => one.tradingDate === day && members.has(one.symbol))
      market.indexSummaries.push(buildIndexDay(index, at, day, rows, limits))
    }
  })
  for (const seed of seeds.filter((one) => one.listed !== false)) {
    const own = market.summaries.filter((one) => one.symbol === seed.symbol)
    market.securities.push(securityOf(seed, own[0]?.tradingDate ?? '', own.at(-1)))
  }
  return market
}
