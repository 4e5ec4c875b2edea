import type { Day } from 'candlehouse-foundation/market/day'
import type { Timeframe } from 'candlehouse-foundation/market/timeframe'
import type { Database } from '../duckdb/open.js'
import { sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import type { BrokenCandles } from '../plan/coverage.js'
import { type FetchedName, isList } from '../plan/datasets.js'
import { type Offender, otherSourcesOf, type WantedWindow, windowsOf } from '../plan/wanted.js'

/** Reasons that a program acts on, as `ops.coverage.reason_code` has them. */
type ReasonCode = 'summary_restated' | 'contradicted'

export interface IncompleteWindow extends WantedWindow {
  readonly reason: string
  /** Null where the reason is for people only. */
  readonly reasonCode: ReasonCode | null
}

/**
 * Windows that are incomplete in the ledger, up to the trading date, expired ones included. A list is fetched as it is
 * now: an incomplete one counts until a later one is complete, and is fetched for the trading date.
 */
export async function incompleteWindows(database: Database, tradingDate: Day): Promise<IncompleteWindow[]> {
  const rows = await database.rows<{
    dataset: FetchedName
    key: string
    timeframe: Timeframe | ''
    day: Day
    reason: string
    reasonCode: ReasonCode | null
  }>(sqlTemplate('warehouse/incomplete_windows.sql', { open_gap: sqlFile('warehouse/open_gap.sql') }), [
    tradingDate,
  ])
  return rows.map((row) => ({
    ...row,
    day: isList(row.dataset) ? tradingDate : row.day,
    why: `incomplete: ${row.reason}`,
    exact: true,
  }))
}

/** A rule that does not hold for a subject on a trading date, and that nobody has overridden. */
export interface OpenFinding {
  readonly rule: number
  readonly title: string
  readonly severity: 'error' | 'warn'
  readonly subject: string
  readonly day: Day
}

/** Open findings up to the trading date, accounts included. */
export async function openFindings(database: Database, tradingDate: Day): Promise<OpenFinding[]> {
  return await database.rows<OpenFinding>(
    `SELECT rule, title, severity, subject, CAST(trading_date AS VARCHAR) AS day FROM recon.finding
     WHERE state = 'break' AND accepted IS NULL AND trading_date <= ?::DATE
     ORDER BY rule, trading_date, subject`,
    [tradingDate],
  )
}

/** A row of the market behind an open finding. */
interface OpenOffender extends Offender {
  readonly findingName: string
  /** Whether rows are withheld because of it: the rule is of severity `error`, on the board of the row too. */
  readonly withholds: boolean
}

/**
 * Rows of the market behind open findings, one per window that would bring them again.
 *
 * @param from first trading date of the findings. @default all of them
 */
export async function openOffenders(
  database: Database,
  tradingDate: Day,
  from: Day = '0001-01-01',
): Promise<OpenOffender[]> {
  const rows = await database.rows<Record<keyof OpenOffender, string | null>>(
    sqlFile('warehouse/open_offenders.sql'),
    [from, tradingDate],
  )
  return rows.map((row) => ({
    rule: Number(row.rule),
    findingName: row.findingName ?? '',
    withholds: Boolean(row.withholds),
    relation: row.relation ?? '',
    symbol: row.symbol ?? undefined,
    index: row.index ?? undefined,
    timeframe: row.timeframe ?? undefined,
    day: row.day ?? tradingDate,
    dataset: row.dataset ?? undefined,
    key: row.key ?? undefined,
    cut: Boolean(row.cut),
  }))
}

/** Candle windows of these days with rows that are withheld because of an open finding, as a repair requests them. */
export async function brokenCandles(database: Database, from: Day, to: Day): Promise<BrokenCandles[]> {
  const offenders = await withheldOffenders(database, from, to)
  return offenders
    .flatMap((offender) => windowsOf(offender, to))
    .flatMap(({ key, timeframe, day, why }) =>
      timeframe !== '' && from <= day && day <= to ? [{ symbol: key, timeframe, day, why }] : [],
    )
}

/**
 * Windows of these days that could bring rows again that are withheld because of an open finding. A rule that compares two
 * sources names one of them: the other one may be wrong.
 */
export async function withheldWindows(database: Database, from: Day, to: Day): Promise<WantedWindow[]> {
  const offenders = await withheldOffenders(database, from, to)
  return offenders.flatMap((offender) => [...windowsOf(offender, to), ...otherSourcesOf(offender)])
}

async function withheldOffenders(database: Database, from: Day, to: Day): Promise<OpenOffender[]> {
  return (await openOffenders(database, to, from)).filter(({ withholds }) => withholds)
}

/** How many symbols the latest lists name. */
export async function listedCount(database: Database): Promise<number> {
  return await database.count('SELECT count(*) FROM market.security WHERE is_listed')
}
