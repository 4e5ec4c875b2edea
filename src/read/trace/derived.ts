import { isTimeframe, minutes } from 'candlehouse-foundation/market/timeframe'
import { literal } from '../../duckdb/sqlfile.js'
import type { Ask } from '../query.js'
import type { TracedPage } from './traced-page.js'

/** What a derived candle is computed from, and the pages that it came in. */
export interface Derivation {
  /** 1m bars; empty for a 1d bar. */
  readonly bars: readonly Record<string, unknown>[]
  /** The daily summary of a 1d bar; null for any other. */
  readonly summary: Readonly<Record<string, unknown>> | null
  readonly pages: readonly TracedPage[]
}

/** @param candle a row of the catalog's `market.candle` with `is_derived` */
export async function readDerivation(
  ask: Ask,
  candle: Readonly<Record<string, unknown>>,
): Promise<Derivation> {
  return candle.timeframe === '1d' ? await fromSummary(ask, candle) : await fromMinutes(ask, candle)
}

async function fromSummary(ask: Ask, candle: Readonly<Record<string, unknown>>): Promise<Derivation> {
  const from = `FROM market.daily_summary WHERE symbol = ${text(candle.symbol)}
    AND trading_date = CAST(${text(candle.trading_date)} AS DATE)`
  const [summary] = await ask(
    `SELECT symbol, trading_date, open, high, low, close, total_match, total_match_value, request_id ${from}`,
  )
  return { bars: [], summary: summary ?? null, pages: await pagesOf(ask, from) }
}

async function fromMinutes(ask: Ask, candle: Readonly<Record<string, unknown>>): Promise<Derivation> {
  const timeframe = String(candle.timeframe)
  const length = isTimeframe(timeframe) ? minutes(timeframe) : 0
  const opened = `CAST(${text(candle.opened_at)} AS TIMESTAMPTZ)`
  const from = `FROM market.candle WHERE timeframe = '1m' AND symbol = ${text(candle.symbol)}
    AND trading_date = CAST(${text(candle.trading_date)} AS DATE)
    AND opened_at >= ${opened} AND opened_at < ${opened} + INTERVAL ${length} MINUTE`
  return {
    bars: await ask(
      `SELECT opened_at, local_time, open, high, low, close, volume, value, request_id ${from} ORDER BY opened_at`,
    ),
    summary: null,
    pages: await pagesOf(ask, from),
  }
}

async function pagesOf(ask: Ask, from: string): Promise<TracedPage[]> {
  return await ask<TracedPage>(
    `SELECT * FROM ops.request WHERE request_id IN (SELECT request_id ${from}) ORDER BY request_id`,
  )
}

function text(value: unknown): string {
  return literal(String(value))
}
