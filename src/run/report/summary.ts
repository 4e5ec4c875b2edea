import type { TrustedRule } from '../../audit/index.js'
import type { Withheld } from '../../lake/withheld.js'

/** What a run did to one dataset. */
export interface DatasetSummary {
  dataset: string
  windows: number
  requests: number
  rows: number
  changed: number
  rejected: number
  /** Windows that are not complete, with the reason. */
  missing: string[]
}

/** A rule that does not hold, with its worst offender. */
export interface BrokenRule {
  rule: number
  title: string
  severity: 'error' | 'warn'
  /** `market`, or an account. */
  subject: string
  tradingDate: string
  offenders: number
  /** Relation and key of the worst offender: what `candlehouse trace` takes. */
  relation: string | null
  key: string | null
  expected: string | null
  actual: string | null
  residual: string | null
  /** Why a person has overridden it; null when nobody has. */
  accepted: string | null
}

/** What the rules say of what a run brought: findings by state, and those that broke. */
export interface Checks {
  pass: number
  soft: number
  break: number
  notEvaluable: number
  breaks: BrokenRule[]
  /** All withheld sessions, also from earlier runs. */
  withheld: Withheld[]
  /** What a person could list in `data/reference/strict_rules.csv`: a break would then be a break, not soft. */
  couldBeListed: TrustedRule[]
}

/** How a run ended, as printed, as `--json`, and as `logs/last-run.json`. Instants are ISO 8601, UTC. */
export interface RunSummary {
  job: string
  runId: string
  tradingDate: string
  exitCode: number
  startedAt: string
  finishedAt: string
  datasets: DatasetSummary[]
  /** Null where nothing was judged: the run failed before. */
  checks: Checks | null
  notes: string[]
  /** Commands to type next. */
  next: string[]
}
