import { readRules } from '../audit/rule.js'
import { adviceLine, type Conclusion, type Reason, type ReasonKind } from '../night/conclusion.js'
import { DATASETS } from '../plan/datasets.js'

/** Kinds of reasons whose words are never about an account. */
const OF_MARKET: ReadonlySet<ReasonKind> = new Set([
  'outage',
  'storage',
  'stopped',
  'session_unseen',
  'deadline',
  'bucket',
])

/** What a conclusion says of the night, as an assistant may see it. */
export interface ShownConclusion {
  readonly job: string
  readonly trading_date: string
  readonly finished_at: string
  readonly complete: boolean
  readonly trusted: boolean
  readonly reasons: readonly string[]
  /** What to type; without accounts none, because commands can name them. */
  readonly next: readonly string[]
}

/** Without accounts, complete and trusted are about the market, and only its reasons are named. */
export function shownConclusion(conclusion: Conclusion, hasAccounts: boolean): ShownConclusion {
  const reasons = conclusion.reasons.filter((reason) => hasAccounts || isOfMarket(reason))
  const { job, tradingDate, finishedAt } = conclusion.night ?? conclusion.run
  const isFailed = conclusion.state === 'failed' || conclusion.state === 'stopped'
  return {
    job,
    trading_date: tradingDate,
    finished_at: finishedAt,
    complete: hasAccounts
      ? conclusion.complete
      : !isFailed && !reasons.some(({ against }) => against === 'complete'),
    trusted: hasAccounts
      ? conclusion.trusted
      : !isFailed && !reasons.some(({ against }) => against === 'trusted'),
    reasons: reasons.map(({ text }) => text),
    next: hasAccounts ? conclusion.next.map(adviceLine) : [],
  }
}

function isOfMarket({ kind, dataset, rule }: Reason): boolean {
  if (dataset !== undefined) return (DATASETS as readonly string[]).includes(dataset)
  if (rule !== undefined)
    return readRules().some(({ number, about }) => number === rule && about === 'market')
  return OF_MARKET.has(kind)
}
