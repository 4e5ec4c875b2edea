import { type RuleResult, trustedRules } from '../../audit/index.js'
import type { Database } from '../../duckdb/open.js'
import { literal } from '../../duckdb/sqlfile.js'
import { withheldSessions } from '../../lake/withheld-rows.js'
import { findingsOf } from '../../night/findings.js'
import type { BrokenRule, Checks } from '../../night/summary.js'

export async function checksOfResults(warehouse: Database, results: readonly RuleResult[]): Promise<Checks> {
  const broken = results
    .filter(({ state }) => state === 'break')
    .map(({ rule, subject, tradingDate }) => `${rule.number} ${subject} ${tradingDate}`)
  return await checksWhere(
    warehouse,
    (state) => results.filter((result) => result.state === state).length,
    `concat_ws(' ', rule, subject, trading_date) IN (
       SELECT unnest(from_json(${literal(JSON.stringify(broken))}, '["VARCHAR"]')))`,
  )
}

/** What the run that checked last found, with all open findings that withhold sessions, of earlier runs too. */
export async function openChecks(warehouse: Database): Promise<Checks> {
  const rows = await warehouse.rows<{ state: RuleResult['state']; n: bigint }>(
    `SELECT state, count(*) AS n FROM recon.finding
     WHERE run_id = (SELECT max(run_id) FROM recon.finding) GROUP BY state`,
  )
  return await checksWhere(
    warehouse,
    (state) => Number(rows.find((row) => row.state === state)?.n ?? 0),
    "severity = 'error' AND accepted IS NULL",
  )
}

/** @param where which open findings are shown */
async function checksWhere(
  warehouse: Database,
  count: (state: RuleResult['state']) => number,
  where: string,
): Promise<Checks> {
  return {
    pass: count('pass'),
    soft: count('soft'),
    break: count('break'),
    notEvaluable: count('not_evaluable'),
    breaks: await brokenRules(warehouse, where),
    withheld: await withheldSessions((sql) => warehouse.rows(sql)),
    couldBeListed: await trustedRules(warehouse),
  }
}

/** Open and overridden breaks, those of severity `error` first. */
async function brokenRules(warehouse: Database, where: string): Promise<BrokenRule[]> {
  const broken = `SELECT * FROM recon.finding WHERE state = 'break' AND ${where}`
  const order = 'severity, rule, "tradingDate", subject'
  const findings = await findingsOf((sql) => warehouse.rows(sql), broken, order)
  return findings.map(({ state, checked, note, ...rule }) => rule)
}
