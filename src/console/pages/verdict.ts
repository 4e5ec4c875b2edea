import type { LastRun, Tonight } from '../tonight.js'
import { counted, exchangeTime, grouped } from './words.js'

export interface Verdict {
  level: 'good' | 'look' | 'bad' | 'running' | 'none'
  title: string
  reasons: string[]
  /** What ran after the night. */
  since?: string
  /** Commands, the most urgent first. */
  next: string[]
}

/** The run that the verdict is about: the last nightly, else the last run of another job. */
export function runOf({ runs: { nightly, later } }: Tonight): LastRun | null {
  return nightly ?? later
}

/** Whether the night is good, why not, what ran since, and what to type. */
export function verdictOf(tonight: Tonight): Verdict {
  const { progress, runs } = tonight
  if (progress) {
    return {
      level: 'running',
      title: `A ${progress.job} is running for ${progress.tradingDate}`,
      reasons: [],
      next: [],
    }
  }
  const run = runOf(tonight)
  if (!run) {
    return {
      level: 'none',
      title: 'No run has ended yet',
      reasons: [],
      next: ['candlehouse plan', 'candlehouse nightly'],
    }
  }
  const verdict = verdictOn(run, tonight)
  const later = runs.nightly ? runs.later : null
  if (!later) return verdict
  const asked = later.exitCode === 0 ? [] : later.next
  return { ...verdict, since: sinceWords(later), next: [...new Set([...verdict.next, ...asked])] }
}

function verdictOn(run: LastRun, tonight: Tonight): Verdict {
  const name = `The ${run.job} for ${run.tradingDate}`
  const reasons = reasonsOf(run, tonight)
  if (run.exitCode !== 0 && run.exitCode !== 4) {
    const title = `${name} failed (exit ${run.exitCode})`
    return { level: 'bad', title, reasons: [...run.notes, ...reasons], next: run.next }
  }
  if (run.exitCode === 4 && (reasons.length > 0 || !tonight.runs.later)) {
    const title = `${name} ended with something missing`
    return {
      level: 'look',
      title,
      reasons: reasons.length > 0 ? reasons : run.notes,
      next: withRepair(run.next),
    }
  }
  const title = `${name} is complete`
  return reasons.length === 0
    ? { level: 'good', title, reasons: goodReasons(run), next: run.exitCode === 0 ? run.next : [] }
    : { level: 'look', title, reasons, next: run.next }
}

function goodReasons({ checks }: LastRun): string[] {
  if (!checks) return []
  const broken = checks.break === 0 ? 'none is broken' : `${checks.break} of severity warn broken`
  const soft = `${grouped(checks.soft)} ${checks.soft === 1 ? 'is' : 'are'} worth a look`
  return [
    `${counted(checks.pass, 'check')} of this run ${checks.pass === 1 ? 'passes' : 'pass'}, ${soft}, ${broken}`,
  ]
}

/** `repair of 2025-03-14 18:40 is done: 3 windows, 120 rows changed`. */
function sinceWords({ job, exitCode, finishedAt, datasets }: LastRun): string {
  const ending = exitCode === 0 ? 'is done' : `ended with exit ${exitCode}`
  const sum = (figure: 'windows' | 'changed'): number =>
    datasets.reduce((total, dataset) => total + dataset[figure], 0)
  const work = `${counted(sum('windows'), 'window')}, ${counted(sum('changed'), 'row')} changed`
  return `${job} of ${exchangeTime(finishedAt)} ${ending}: ${work}`
}

/** What is not good now: a later run may have closed what the night left open. */
function reasonsOf({ datasets, checks }: LastRun, { status, runs }: Tonight): string[] {
  const left = datasets.reduce((sum, dataset) => sum + dataset.missing.length, 0)
  const missing = runs.later ? Math.min(left, status.gapCount) : left
  const rejected = datasets.reduce((sum, dataset) => sum + dataset.rejected, 0)
  const errors = (checks?.breaks ?? []).filter(
    ({ severity, accepted }) => severity === 'error' && accepted === null,
  )
  const broken = runs.later ? 0 : errors.length
  return [
    ...(missing > 0 ? [`${counted(missing, 'window')} ${missing === 1 ? 'is' : 'are'} incomplete`] : []),
    ...(rejected > 0 ? [`${counted(rejected, 'record')} rejected into ops.quarantine`] : []),
    ...(broken > 0 ? [`${counted(broken, 'rule')} of severity error broken`] : []),
    ...(status.withheld.length > 0
      ? [`withheld, so that readers see them as they were before: ${withheldWords(status.withheld)}`]
      : []),
    ...status.expiring
      .slice(0, 1)
      .map((each) => `${counted(each.windows, 'incomplete window')} expire within ${each.withinDays} days`),
  ]
}

function withRepair(next: string[]): string[] {
  return next.some((command) => command.startsWith('candlehouse repair'))
    ? next
    : ['candlehouse repair', ...next]
}

/** `market.daily_summary 2025-03-14: CVRE2505 (rule 1)`, the first three. */
function withheldWords(withheld: Tonight['status']['withheld']): string {
  const words = withheld.slice(0, 3).map(({ relation, tradingDate, keys, rule }) => {
    const named =
      keys === null ? 'whole session' : `${keys.slice(0, 5).join(', ')}${keys.length > 5 ? ' …' : ''}`
    return `${relation} ${tradingDate}: ${named} (rule ${rule})`
  })
  return `${words.join('; ')}${withheld.length > 3 ? ` and ${withheld.length - 3} more` : ''}`
}
