import type { Day } from 'candlehouse-foundation/market/day'
import { type AuditScope, type OverrideRequest, type RuleResult, scopeOfRuns } from '../../audit/index.js'
import { sqlFile } from '../../duckdb/sqlfile.js'
import type { RunSummary } from '../../night/summary.js'
import type { Settings } from '../../settings/index.js'
import { checksOfResults } from '../checks/findings.js'
import { overrideOpenFindings } from '../checks/override-findings.js'
import type { Run } from '../lifecycle/run.js'
import type { RunIo } from '../lifecycle/run-io.js'
import { withRun } from '../lifecycle/with-run.js'

export interface CheckOptions {
  /** What the latest run loaded when undefined. */
  readonly date: Day | undefined
  readonly override: OverrideRequest | undefined
}

/**
 * Runs every rule on one day, or on what the latest run loaded. Publishes nothing: the findings are published with the
 * next publication.
 *
 * @throws LockedError while a run has the warehouse locked · UsageError where there is nothing to override
 */
export async function runCheck(settings: Settings, options: CheckOptions, io: RunIo): Promise<RunSummary> {
  const frame = { job: 'check', kind: 'upkeep', tradingDate: options.date } as const
  const { summary } = await withRun(settings, frame, io, { work: (run) => check(run, options) })
  return summary
}

async function check(run: Run, { date, override }: CheckOptions): Promise<void> {
  const { warehouse, home, identity, io } = run
  const results = await run.runRules({
    ...(date ? await scopeOfDay(run, date) : scopeOfRuns(home, [identity.id])),
    checkUnchanged: true,
  })
  if (override) await overrideOpenFindings(warehouse, home, override, io)
  run.checks = await checksOfResults(warehouse, results)
  run.report.notes.push(
    ...notEvaluatedLines(results),
    results.length === 0
      ? 'there was nothing to check'
      : 'to add the findings to the catalog, run: candlehouse publish',
  )
}

/** What runs brought of a day. Nothing is recorded of what no run brought: a replay would not have it. */
async function scopeOfDay({ warehouse }: Run, date: Day): Promise<AuditScope> {
  const rows = await warehouse.rows<{ is_session: boolean }>(sqlFile('check/scope_of_day.sql'), [date])
  const has = (isSession: boolean): Day[] => (rows.some((row) => row.is_session === isSession) ? [date] : [])
  return { runs: [], days: has(true), snapshots: has(false) }
}

/** Reasons that are shown; the others are counted. */
const SHOWN = 12

/** Why rules could not be evaluated: one line per reason, with the rules that share it. */
export function notEvaluatedLines(results: readonly RuleResult[]): string[] {
  const rulesByReason = new Map<string, Set<number>>()
  for (const { state, rule, note } of results)
    if (state === 'not_evaluable' && note !== null)
      rulesByReason.set(note, (rulesByReason.get(note) ?? new Set()).add(rule.number))
  const lines = [...rulesByReason].map(([reason, numbers]) => {
    const rules = [...numbers].sort((a, b) => a - b)
    return `not evaluated, ${rules.length === 1 ? 'rule' : 'rules'} ${rules.join(', ')}: ${reason}`
  })
  const more = lines.length - SHOWN
  return more > 0 ? [...lines.slice(0, SHOWN), `${more} more reasons are in recon.finding.note`] : lines
}
