import type { Database } from '../duckdb/open.js'
import { literal, sqlFile } from '../duckdb/sqlfile.js'
import { markMonths } from '../warehouse/dirty.js'
import type { RuleResult } from './check.js'
import type { Override } from './overrides.js'

/** What an audit found. */
export interface Findings {
  readonly verdicts: readonly RuleResult[]
  /** Runs that are judged with it. */
  readonly runs: readonly string[]
  readonly acceptances: readonly Override[]
  readonly runId: string
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * Verdicts → `recon.finding`, temp table `offender` → `recon.offender`, in one transaction. Verdicts take the place of
 * those on the same sessions and snapshots; a state that stays keeps its `since`.
 */
export async function recordResults(database: Database, findings: Findings): Promise<void> {
  const { verdicts, runs, runId, now } = findings
  const rows = verdicts.map(({ rule, subject, tradingDate, state, judged, offenders, relations, note }) => ({
    rule: rule.number,
    title: rule.title,
    severity: rule.severity,
    subject,
    trading_date: tradingDate,
    state,
    judged,
    offenders,
    relations: relations.length > 0 ? relations.join(',') : null,
    note,
  }))
  await database.run(sqlFile('recon/verdict.sql'), [JSON.stringify(rows)])
  await database.run(sqlFile('recon/offenders_seen.sql'))
  await database.run(`SET VARIABLE judged_by = ${literal(runId)}`)
  await database.run(`SET VARIABLE judged_at = ${literal(new Date(now).toISOString())}::TIMESTAMPTZ`)
  await database.transaction(async () => {
    await storeOverrides(database, findings.acceptances)
    await database.run(sqlFile('recon/finding.sql'))
    await markMonths(database, 'recon.finding', 'verdict')
    await markMonths(database, 'recon.offender', 'verdict')
    if (runs.length > 0)
      await database.run(
        `UPDATE ops.run SET judged_at = getvariable('judged_at') WHERE run_id IN (${runs.map(literal).join(', ')})`,
      )
  })
}

/** `recon.acceptance` is what the file says. */
export async function storeOverrides(database: Database, acceptances: readonly Override[]): Promise<void> {
  const [held] = await database.rows<{ n: bigint }>('SELECT count(*) AS n FROM recon.acceptance')
  if (Number(held?.n ?? 0) === acceptances.length) return
  await database.run('DELETE FROM recon.acceptance')
  await database.run(sqlFile('recon/acceptance.sql'), [JSON.stringify(acceptances)])
  await database.run(`INSERT INTO ops.dirty_partition VALUES ('recon.acceptance', 'all')`)
}
