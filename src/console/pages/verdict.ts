import type { Tonight } from '../tonight.js'

export interface Verdict {
  level: 'good' | 'look' | 'bad' | 'running' | 'none'
  title: string
  reasons: string[]
  /** Commands, the most urgent first. */
  next: string[]
}

/** The parts of `logs/last-run.json` that a page shows. */
export interface LastRun {
  job: string
  tradingDate: string
  exitCode: number
  startedAt: string
  finishedAt: string
  datasets: {
    dataset: string
    windows: number
    requests: number
    rows: number
    changed: number
    rejected: number
    missing: string[]
  }[]
  checks: {
    pass: number
    soft: number
    break: number
    notEvaluable: number
    breaks: {
      rule: number
      title: string
      subject: string
      tradingDate: string
      severity: string
      offenders: number
    }[]
    withheld: unknown[]
  } | null
  notes: string[]
  next: string[]
}

/** Whether the night is good, why not, and what to type. */
export function verdictOf({ status, progress }: Tonight): Verdict {
  const run = status.lastRun as LastRun | null
  if (progress) {
    return {
      level: 'running',
      title: `A ${progress.job} is running for ${progress.tradingDate}`,
      reasons: [],
      next: [],
    }
  }
  if (!run) {
    return {
      level: 'none',
      title: 'No run has ended yet',
      reasons: [],
      next: ['candlehouse plan', 'candlehouse nightly'],
    }
  }
  const reasons = reasonsOf(run, status)
  const next = run.next.length > 0 ? run.next : []
  if (run.exitCode === 0) {
    const title = `The ${run.job} for ${run.tradingDate} is complete`
    return reasons.length === 0
      ? { level: 'good', title, reasons: goodReasons(run), next }
      : { level: 'look', title, reasons, next }
  }
  if (run.exitCode === 4) {
    return {
      level: 'look',
      title: `The ${run.job} for ${run.tradingDate} ended with something missing`,
      reasons,
      next: withRepair(next),
    }
  }
  return {
    level: 'bad',
    title: `The ${run.job} for ${run.tradingDate} failed (exit ${run.exitCode})`,
    reasons: [...run.notes, ...reasons],
    next,
  }
}

function goodReasons({ checks }: LastRun): string[] {
  return checks ? [`${checks.pass} rules pass, ${checks.soft} are worth a look, none is broken`] : []
}

function reasonsOf({ datasets, checks }: LastRun, status: Tonight['status']): string[] {
  const missing = datasets.reduce((sum, dataset) => sum + dataset.missing.length, 0)
  const rejected = datasets.reduce((sum, dataset) => sum + dataset.rejected, 0)
  return [
    ...(missing > 0 ? [`${missing} windows are incomplete`] : []),
    ...(rejected > 0 ? [`${rejected} records were rejected into ops.quarantine`] : []),
    ...(checks && checks.break > 0 ? [`${checks.break} rules are broken`] : []),
    ...(status.withheld.length > 0
      ? [`${status.withheld.length} sessions are withheld: readers see them as they were before`]
      : []),
    ...status.expiring
      .slice(0, 1)
      .map((each) => `${each.windows} incomplete windows expire within ${each.withinDays} days`),
  ]
}

function withRepair(next: string[]): string[] {
  return next.some((command) => command.startsWith('candlehouse repair'))
    ? next
    : ['candlehouse repair', ...next]
}
