import { literal, sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import { type Withheld, withheldSessions } from '../lake/withheld-rows.js'
import type { Ask } from './query.js'

/** An incomplete window that expires. Days are trading dates, except `expiresOn`. */
export interface ExpiringWindow {
  dataset: string
  key: string
  timeframe: string
  day: string
  /** Day from which the service no longer serves it. */
  expiresOn: string
  /** Days from today, in exchange time. */
  inDays: number
}

/** Incomplete windows that the service stops serving within a number of days, without those of shorter limits. */
export interface Expiring {
  withinDays: (typeof LIMITS)[number]
  windows: number
  /** The one that expires first. */
  next: ExpiringWindow
}

/** Findings of the latest trading date that was checked. */
export interface FindingsStatus {
  tradingDate: string
  /** Severities and states that occur. */
  counts: { severity: string; state: string; findings: number }[]
}

export interface Warnings {
  /** Nearest first. */
  expiring: Expiring[]
  withheld: Withheld[]
  /** Null if nothing was checked yet, or if the catalog was published by a version without rules. */
  findings: FindingsStatus | null
}

export const noWarnings: Warnings = { expiring: [], withheld: [], findings: null }

/** Days before expiry at which a gap is shown. */
const LIMITS = [1, 7, 14, 30] as const

/**
 * What needs attention: gaps that expire, withheld sessions, findings.
 *
 * @param today in exchange time
 */
export async function readWarnings(ask: Ask, today: string): Promise<Warnings> {
  const expiring = await expiringWindows(ask, today)
  const findingView = await ask(
    `SELECT 1 AS one FROM duckdb_views() WHERE schema_name = 'recon' AND view_name = 'finding'`,
  )
  if (findingView.length === 0) return { ...noWarnings, expiring }
  return { expiring, withheld: await withheldSessions(ask), findings: await latestFindings(ask) }
}

async function expiringWindows(ask: Ask, today: string): Promise<Expiring[]> {
  const rows = await ask<ExpiringWindow & { within: Expiring['withinDays']; windows: number }>(
    sqlTemplate('read/expiring_windows.sql', {
      open_gap: sqlFile('warehouse/open_gap.sql'),
      today: literal(today),
      limits: LIMITS.join(', '),
    }),
  )
  return rows.map(({ within, windows, ...next }) => ({ withinDays: within, windows, next }))
}

async function latestFindings(ask: Ask): Promise<FindingsStatus | null> {
  const rows = await ask<Record<'trading_date' | 'severity' | 'state' | 'findings', string>>(
    sqlFile('night/latest_findings.sql'),
  )
  const [first] = rows
  if (!first) return null
  const counts = rows.map(({ trading_date: _, findings, ...row }) => ({ ...row, findings: Number(findings) }))
  return { tradingDate: first.trading_date, counts }
}
