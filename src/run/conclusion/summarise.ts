import { CandlehouseError } from 'candlehouse-foundation/errors'
import { counted } from 'candlehouse-foundation/number-text'
import { adviceLine, type Conclusion } from '../../night/conclusion.js'
import { isStopped } from '../../night/reasons.js'
import type { Checks, RunOutcome, RunSummary } from '../../night/summary.js'
import type { Run } from '../lifecycle/run.js'
import type { Tally } from '../lifecycle/tally.js'
import { type Asked, concludeRun } from './conclude-run.js'

/**
 * Exit code of a run: that of its failure, else 4 when anything was rejected, is missing or was skipped, or a rule of
 * severity `error` is broken and nobody has overridden it: in this run's data, or in older data of the market, whose rows
 * are still withheld; else 0.
 *
 * @param failure the error that the run failed with; undefined if it did not fail
 */
export function exitCodeOf({ tally, report, checks }: Run, failure: unknown): number {
  if (failure instanceof CandlehouseError) return failure.exitCode
  if (failure !== undefined) return 1
  const gaps = tally.total().rejected > 0 || report.missing.length > 0 || report.problems.length > 0
  return report.exitCode ?? (gaps || isBroken(checks) ? 4 : 0)
}

function outcomeWord(exitCode: number): RunOutcome {
  if (exitCode === 0) return 'complete'
  if (exitCode === 4) return 'attention'
  return isStopped(exitCode) ? 'stopped' : 'failed'
}

/** Whether a rule of severity `error` is broken and nobody has overridden it. Past snapshots cannot be fetched again. */
function isBroken(checks: Checks | null): boolean {
  if (checks === null) return false
  return (
    checks.breaks.some(({ severity, accepted }) => severity === 'error' && accepted === null) ||
    checks.withheld.some(({ relation }) => relation.startsWith('market.'))
  )
}

const SEE_MARKET = 'candlehouse sql "select board, count(*) from market.security group by 1"'
const SEE: Readonly<Record<string, string>> = {
  snapshot: 'candlehouse sql "select account_no, as_of, state, missing from account.snapshot"',
  import:
    'candlehouse sql "select dataset, key, min(window_from), max(window_to) from ops.coverage where state = \'imported\' group by all"',
}
const SEE_ACTIONS =
  'candlehouse sql "select symbol, ex_date, state, factor, remark from mart.adjustment_event where state <> \'observed\'"'

/**
 * What a person reads at the end: counts per dataset, what is missing and why, what to type next. Read from the warehouse:
 * before it is replaced or closed.
 */
export async function summarise(run: Run, asked: Asked, failure: unknown): Promise<RunSummary> {
  const { identity, tradingDate, report, tally, checks } = run
  const { job, id: runId } = identity
  const exitCode = exitCodeOf(run, failure)
  const finishedAt = new Date(run.finishedAt).toISOString()
  const conclusion = await concludeRun(run, { job, runId, tradingDate, finishedAt, exitCode }, asked, failure)
  return {
    job,
    runId,
    tradingDate,
    outcome: outcomeWord(exitCode),
    exitCode,
    startedAt: new Date(identity.startedAt).toISOString(),
    finishedAt,
    datasets: tally.datasets().map((counts) => ({
      ...counts,
      missing: report.missing.filter(({ dataset }) => dataset === counts.dataset).map(({ line }) => line),
    })),
    checks,
    ...(report.keys.length > 0 ? { keys: report.keys } : {}),
    ...(report.watches.length > 0 ? { watches: report.watches } : {}),
    notes: notesOf(run, failure),
    next: nextCommands(run, conclusion, failure),
    conclusion,
  }
}

function notesOf({ report, tally }: Run, failure: unknown): string[] {
  const { rejected } = tally.total()
  return [
    ...report.lines,
    ...report.skipped,
    ...(failure instanceof CandlehouseError ? [failure.message] : []),
    ...(rejected > 0
      ? [`${counted(rejected, 'record was', 'records were')} rejected and stored in ops.quarantine`]
      : []),
  ]
}

/** What the conclusion advises, and what a run that did not fail has to show. */
function nextCommands({ identity, tally }: Run, { next }: Conclusion, failure: unknown): string[] {
  const advised = next.map(adviceLine)
  return failure === undefined ? [...advised, ...lookAt(identity.job, tally)] : advised
}

/** Commands that show what a run brought: nothing has to be done. */
function lookAt(job: string, tally: Tally): string[] {
  if (job === 'replay') return ['candlehouse publish']
  const isDeclared = tally.datasets().some(({ dataset }) => dataset === 'corporateActions')
  return [isDeclared ? SEE_ACTIONS : (SEE[job] ?? SEE_MARKET), 'candlehouse status']
}
