import { CandlehouseError } from '../../errors.js'
import type { Day } from '../../market/day.js'
import type { LeftOut } from '../../plan/request.js'
import type { MissingWindow } from '../../warehouse/missing.js'
import type { Tally } from '../lifecycle/tally.js'
import type { Checks, RunSummary } from './summary.js'

/** How a run ended that did not fail. */
export interface Ended {
  readonly tally: Tally
  readonly missing: readonly MissingWindow[]
  readonly problems: readonly string[]
  readonly checks: Checks | null
}

/**
 * Exit code of a run: its failure's, else 4 when anything was rejected, is missing or was skipped, or a rule of severity
 * `error` broke and nobody accepted it, else 0.
 */
export function outcomeOf(failure: unknown, { tally, missing, problems, checks }: Ended): number {
  if (failure instanceof CandlehouseError) return failure.exitCode
  if (failure !== undefined) return 1
  const gaps = tally.total().rejected > 0 || missing.length > 0 || problems.length > 0
  return gaps || isBroken(checks) ? 4 : 0
}

/** Whether a rule of severity `error` broke that nobody accepted. */
export function isBroken(checks: Checks | null): boolean {
  return checks?.breaks.some(({ severity, accepted }) => severity === 'error' && accepted === null) ?? false
}

const SEE_MARKET = 'candlehouse sql "select board, count(*) from market.security group by 1"'
const SEE: Readonly<Record<string, string>> = {
  snapshot: 'candlehouse sql "select account_no, as_of, state, missing from account.snapshot"',
  import:
    'candlehouse sql "select dataset, key, min(window_from), max(window_to) from ops.coverage where state = \'imported\' group by all"',
}

export interface Facts {
  job: string
  runId: string
  tradingDate: Day
  startedAt: number
  finishedAt: number
  exitCode: number
  tally: Tally
  missing: readonly MissingWindow[]
  checks: Checks | null
  leftOut: readonly LeftOut[]
  notes: readonly string[]
  /** Commands to type next, beside those that follow from the facts. */
  next: readonly string[]
  failure: unknown
}

/** What a person reads at the end: counts a dataset, what is missing and why, what to type next. */
export function summarise(facts: Facts): RunSummary {
  const { tally, missing, failure } = facts
  const rejected = tally.total().rejected
  const notes = [
    ...facts.notes,
    ...facts.leftOut.map((left) => `${left.why} (${left.from} to ${left.to} left out)`),
  ]
  const next: string[] = [...facts.next]
  if (failure instanceof CandlehouseError) {
    notes.push(failure.message)
    if (failure.hint) next.push(failure.hint)
  }
  if (rejected > 0) {
    notes.push(`${rejected} records could not be believed and wait in ops.quarantine`)
    next.push('candlehouse sql "select dataset, reason, payload from ops.quarantine"')
  }
  const [withheld] = facts.checks?.withheld ?? []
  if (withheld)
    next.push(
      `candlehouse sql "from recon.offender where rule = ${withheld.rule}"    # every row that breaks it`,
      ...(facts.job === 'repair' ? [] : ['candlehouse repair    # asks again what may have been faulty']),
      `candlehouse publish --accept ${withheld.rule} --because "…"    # publishes it as it is`,
    )
  if (missing.length > 0) next.push(`candlehouse ${facts.job}    # asks the missing windows again`)
  if (failure === undefined) {
    next.push(SEE[facts.job] ?? SEE_MARKET, 'candlehouse status')
  }
  return {
    job: facts.job,
    runId: facts.runId,
    tradingDate: facts.tradingDate,
    exitCode: facts.exitCode,
    startedAt: new Date(facts.startedAt).toISOString(),
    finishedAt: new Date(facts.finishedAt).toISOString(),
    datasets: tally.datasets().map((each) => ({
      ...each,
      missing: missing.filter((window) => window.dataset === each.dataset).map((window) => window.line),
    })),
    checks: facts.checks,
    notes,
    next,
  }
}
