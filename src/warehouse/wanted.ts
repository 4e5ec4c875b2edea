import type { Database } from '../duckdb/open.js'
import { sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import type { Day } from '../market/day.js'
import type { Timeframe } from '../market/timeframe.js'
import { type FetchedName, isList } from '../plan/datasets.js'
import type { Offender, WantedWindow } from '../plan/wanted.js'

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

/** Rows of the market behind open findings, one per window that would bring them again. */
export async function openOffenders(
  database: Database,
  tradingDate: Day,
): Promise<(Offender & { findingName: string })[]> {
  const rows = await database.rows<Record<keyof Offender | 'findingName', string | null>>(
    sqlFile('warehouse/open_offenders.sql'),
    [tradingDate],
  )
  return rows.map((row) => ({
    rule: Number(row.rule),
    findingName: row.findingName ?? '',
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

/** How many symbols the latest lists name. */
export async function listedCount(database: Database): Promise<number> {
  const [row] = await database.rows<{ n: bigint }>(
    'SELECT count(*) AS n FROM market.security WHERE is_listed',
  )
  return Number(row?.n ?? 0)
}
