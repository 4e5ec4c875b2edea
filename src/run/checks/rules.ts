import {
  type AuditScope,
  audit,
  overrideBreaks,
  type RuleResult,
  scopeOfRuns,
  trustedRules,
  uncheckedRuns,
} from '../../audit/index.js'
import type { Database } from '../../duckdb/open.js'
import { UsageError } from '../../errors.js'
import { loadCalendar } from '../../market/calendar.js'
import { withheldSessions } from '../../publish/index.js'
import type { RunIo } from '../lifecycle/run-io.js'
import type { BrokenRule, Checks } from '../report/summary.js'

/** A rule that a person overrules with the run that finds it broken. */
export interface Accept {
  readonly rule: number
  readonly because: string
}

/** What is judged, and by whom. */
export interface Judging {
  readonly home: string
  /** Run that judges. */
  readonly runId: string
  readonly scope: AuditScope
}

/** What these runs brought, with whatever runs before them brought that was never judged. */
export async function unjudgedScope(
  warehouse: Database,
  home: string,
  runs: readonly string[],
): Promise<AuditScope> {
  const all = [...new Set([...(await uncheckedRuns(warehouse, home)), ...runs])].sort()
  return scopeOfRuns(home, all)
}

/**
 * Judges what was brought by the rules, before any of it is published: what breaks a rule of severity `error` is
 * withheld.
 */
export async function judgeRuns(warehouse: Database, judging: Judging, io: RunIo): Promise<RuleResult[]> {
  const { home, runId, scope } = judging
  io.progress.phase('check')
  const verdicts = await audit(
    warehouse,
    scope,
    {
      home,
      calendar: loadCalendar(),
      runId,
      onRule: (rule) => io.progress.advance(1, rule.title),
      signal: io.signal,
    },
    io.effects,
  )
  io.progress.done()
  return verdicts
}

/** What these verdicts say. */
export async function checksOf(warehouse: Database, verdicts: readonly RuleResult[]): Promise<Checks> {
  const broken = verdicts
    .filter((each) => each.state === 'break')
    .map(({ rule, subject, tradingDate }) => `${rule.number} ${subject} ${tradingDate}`)
  return await checksWhere(
    warehouse,
    (state) => verdicts.filter((each) => each.state === state).length,
    `concat_ws(' ', rule, subject, trading_date) IN (SELECT unnest(from_json(?, '["VARCHAR"]')))`,
    [JSON.stringify(broken)],
  )
}

/** What the run that judged last found, with whatever keeps sessions from readers, of earlier runs too. */
export async function standingChecks(warehouse: Database): Promise<Checks> {
  const rows = await warehouse.rows<{ state: RuleResult['state']; n: bigint }>(
    `SELECT state, count(*) AS n FROM recon.finding
     WHERE run_id = (SELECT max(run_id) FROM recon.finding) GROUP BY state`,
  )
  return await checksWhere(
    warehouse,
    (state) => Number(rows.find((row) => row.state === state)?.n ?? 0),
    "severity = 'error' AND accepted IS NULL",
    [],
  )
}

/** @param where which breaks are told, of those that stand */
async function checksWhere(
  warehouse: Database,
  count: (state: RuleResult['state']) => number,
  where: string,
  values: readonly string[],
): Promise<Checks> {
  return {
    pass: count('pass'),
    soft: count('soft'),
    break: count('break'),
    notEvaluable: count('not_evaluable'),
    breaks: await brokenRules(warehouse, where, values),
    withheld: await withheldSessions(warehouse),
    couldBeListed: await trustedRules(warehouse),
  }
}

async function brokenRules(
  warehouse: Database,
  where: string,
  values: readonly string[],
): Promise<BrokenRule[]> {
  const breaks = await warehouse.rows<Omit<BrokenRule, 'offenders'> & { offenders: bigint }>(
    `WITH broken AS (FROM recon.finding WHERE state = 'break' AND ${where}), worst AS (
       SELECT rule, subject, trading_date,
         first({'relation': relation, 'key': key} ORDER BY state, abs(residual) DESC NULLS LAST, relation, key) AS row
       FROM recon.offender SEMI JOIN broken USING (rule, subject, trading_date) GROUP BY ALL
     )
     SELECT rule, title, severity, subject, CAST(trading_date AS VARCHAR) AS "tradingDate", offenders,
       row.relation AS relation, row.key AS key, expected, actual, residual, accepted
     FROM broken LEFT JOIN worst USING (rule, subject, trading_date)
     ORDER BY severity, rule, trading_date, subject`,
    values,
  )
  return breaks.map((each) => ({ ...each, offenders: Number(each.offenders) }))
}

/** Accepts what a night finds broken of a rule; a rule of which nothing is broken is no fault of the night. */
export async function overruleIfBroken(
  warehouse: Database,
  home: string,
  accept: Accept,
  io: RunIo,
): Promise<void> {
  const accepted = await overrideBreaks(warehouse, home, accept, io.effects)
  if (accepted.length === 0)
    io.effects.log.warn(`no break of rule ${accept.rule} stands: there was nothing to accept`)
}

/** Accepts what stands of a rule. @throws UsageError where nothing does */
export async function overrule(warehouse: Database, home: string, accept: Accept, io: RunIo): Promise<void> {
  const accepted = await overrideBreaks(warehouse, home, accept, io.effects)
  // The same command again, after a kill came between accepting and publishing.
  const [before] = await warehouse.rows(
    `SELECT 1 FROM recon.finding WHERE rule = ? AND state = 'break' AND accepted IS NOT NULL LIMIT 1`,
    [accept.rule],
  )
  if (accepted.length > 0 || before) return
  throw new UsageError(`no break of rule ${accept.rule} stands: there is nothing to accept`, {
    hint: 'candlehouse status    # names the rules that are broken',
  })
}
