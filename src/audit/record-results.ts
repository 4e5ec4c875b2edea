import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import { literal, sqlFile } from '../duckdb/sqlfile.js'
import { markMonths } from '../warehouse/dirty.js'
import type { RuleResult } from './check.js'
import { type CheckedInput, storeInputs } from './inputs.js'
import type { Override } from './override-file.js'
import { numberList, type Rule } from './rule.js'

export interface ResultPortion {
  readonly results: readonly RuleResult[]
  /** Inputs of the sessions or snapshots that the results are of. */
  readonly inputs: readonly CheckedInput[]
  /** Rules that were run on all subjects of the results: their findings are replaced. */
  readonly checkedRules: readonly Rule[]
  /** All rules that exist: findings of others are deleted. */
  readonly knownRules: readonly Pick<Rule, 'number'>[]
  /** Runs that are marked as checked in the same transaction. */
  readonly runs: readonly string[]
  readonly overrides: readonly Override[]
  runIdOf(subject: string, tradingDate: Day): string
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * Writes results to `recon.finding` and temp table `offender` to `recon.offender`, in one transaction. They replace the findings of
 * the same rules, sessions and snapshots. Only `run_id` and `judged_at` depend on when a run checked.
 */
export async function recordResults(database: Database, portion: ResultPortion): Promise<void> {
  const { results, inputs, overrides, runs, now } = portion
  if (results.length > 0) await prepareResults(database, portion)
  await database.transaction(async () => {
    await storeOverrides(database, overrides)
    if (results.length > 0) {
      await database.run(sqlFile('recon/finding.sql'))
      await markMonths(database, 'recon.finding', 'rule_result')
      await markMonths(database, 'recon.offender', 'rule_result')
    }
    await storeInputs(database, inputs)
    if (runs.length > 0)
      await database.run(
        `UPDATE ops.run SET judged_at = ${instant(now)} WHERE run_id IN (${runs.map(literal).join(', ')})`,
      )
  })
}

/** Temp table `rule_result`, and the variables that `sql/recon/finding.sql` reads. */
async function prepareResults(database: Database, portion: ResultPortion): Promise<void> {
  const { results, now } = portion
  const rows = results.map(
    ({ rule, subject, tradingDate, state, severity, checked, offenders, relations, note }) => ({
      rule: rule.number,
      title: rule.title,
      severity,
      subject,
      trading_date: tradingDate,
      state,
      judged: checked,
      offenders,
      relations: relations.length > 0 ? relations.join(',') : null,
      note,
      run_id: portion.runIdOf(subject, tradingDate),
    }),
  )
  await database.run(sqlFile('recon/rule_result.sql'), [JSON.stringify(rows)])
  await database.run(sqlFile('recon/offenders_seen.sql'))
  await database.run(`SET VARIABLE checked_rules = ${numberList(portion.checkedRules)}`)
  await database.run(`SET VARIABLE known_rules = ${numberList(portion.knownRules)}`)
  await database.run(`SET VARIABLE checked_at = ${instant(now)}`)
}

/** @param now epoch milliseconds */
function instant(now: number): string {
  return `${literal(new Date(now).toISOString())}::TIMESTAMPTZ`
}

/** Makes `recon.acceptance` equal to the file of overrides. */
export async function storeOverrides(database: Database, overrides: readonly Override[]): Promise<void> {
  const stored = await database.count('SELECT count(*) FROM recon.acceptance')
  // Overrides are only appended: if the number is equal, the list is.
  if (stored === overrides.length) return
  await database.run('DELETE FROM recon.acceptance')
  await database.run(sqlFile('recon/acceptance.sql'), [JSON.stringify(overrides)])
  await database.run(`INSERT INTO ops.dirty_partition VALUES ('recon.acceptance', 'all')`)
}
