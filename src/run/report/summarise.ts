import { CandlehouseError } from 'candlehouse-foundation/errors'
import type { Day } from 'candlehouse-foundation/market/day'
import { adviceLine, type Conclusion } from '../../night/conclusion.js'
import type { Checks, KeySummary, RunOutcome, RunSummary } from '../../night/summary.js'
import type { SkippedWindows } from '../../plan/request.js'
import type { MissingWindow } from '../../warehouse/missing.js'
import type { Tally } from '../lifecycle/tally.js'

/** What the exit code of a run follows from, where it did not fail. */
export interface Outcome {
  readonly tally: Tally
  readonly missing: readonly MissingWindow[]
  readonly problems: readonly unknown[]
  readonly checks: Checks | null
}

/**
 * Exit code of a run: that of its failure, else 4 when anything was rejected, is missing or was skipped, or a rule of
 * severity `error` is broken and nobody has overridden it: in this run's data, or in older data of the market, whose rows
 * are still withheld; else 0.
 */
export function outcomeOf(failure: unknown, { tally, missing, problems, checks }: Outcome): number {
  if (failure instanceof CandlehouseError) return failure.exitCode
  if (failure !== undefined) return 1
  const gaps = tally.total().rejected > 0 || missing.length > 0 || problems.length > 0
  return gaps || isBroken(checks) ? 4 : 0
}

function outcomeWord(exitCode: number): RunOutcome {
  if (exitCode === 0) return 'complete'
  if (exitCode === 4) return 'attention'
  return exitCode === 130 || exitCode === 143 ? 'stopped' : 'failed'
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

export interface Facts {
  readonly job: string
  readonly runId: string
  readonly tradingDate: Day
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly finishedAt: number
  readonly exitCode: number
  readonly tally: Tally
  readonly missing: readonly MissingWindow[]
  readonly checks: Checks | null
  readonly skipped: readonly SkippedWindows[]
  readonly keys: readonly KeySummary[]
  /** Notes and problems. */
  readonly lines: readonly string[]
  readonly failure: unknown
  readonly conclusion: Conclusion
}

/** What a person reads at the end: counts per dataset, what is missing and why, what to type next. */
export function summarise(facts: Facts): RunSummary {
  const { job, runId, tradingDate, exitCode, tally, missing, checks } = facts
  return {
    job,
    runId,
    tradingDate,
    outcome: outcomeWord(exitCode),
    exitCode,
    startedAt: new Date(facts.startedAt).toISOString(),
    finishedAt: new Date(facts.finishedAt).toISOString(),
    datasets: tally.datasets().map((counts) => ({
      ...counts,
      missing: missing.filter(({ dataset }) => dataset === counts.dataset).map(({ line }) => line),
    })),
    checks,
    ...(facts.keys.length > 0 ? { keys: facts.keys } : {}),
    notes: notesOf(facts),
    next: nextCommands(facts),
    conclusion: facts.conclusion,
  }
}

function notesOf({ lines, skipped, tally, failure }: Facts): string[] {
  const { rejected } = tally.total()
  return [
    ...lines,
    ...skipped.map(({ why, from, to }) => `${why} (${from} to ${to} skipped)`),
    ...(failure instanceof CandlehouseError ? [failure.message] : []),
    ...(rejected > 0 ? [`${rejected} records were rejected and stored in ops.quarantine`] : []),
  ]
}

/** What the conclusion advises, and what a run that did not fail has to show. */
function nextCommands({ job, tally, conclusion, failure }: Facts): string[] {
  const advised = conclusion.next.map(adviceLine)
  if (failure !== undefined) return advised
  return [...advised, ...lookAt(job, tally)]
}

/** Commands that show what a run brought: nothing has to be done. */
function lookAt(job: string, tally: Tally): string[] {
  return job === 'replay' ? ['candlehouse publish'] : [seeAlso(job, tally), 'candlehouse status']
}

/** A command that shows what the job brought. */
function seeAlso(job: string, tally: Tally): string {
  const isDeclared = tally.datasets().some(({ dataset }) => dataset === 'corporateActions')
  return isDeclared ? SEE_ACTIONS : (SEE[job] ?? SEE_MARKET)
}
