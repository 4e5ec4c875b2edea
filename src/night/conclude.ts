import { counted } from 'candlehouse-foundation/number-text'
import { adviceFor } from './advice.js'
import type { Conclusion, Reason, ReasonKind } from './conclusion.js'
import { ACCOUNT_LIST, isFailure, isStopped, reasonsOf } from './reasons.js'
import type { NightRecord } from './record.js'

/** The conclusion that follows from the record of a night. */
export function conclude(record: NightRecord): Conclusion {
  const { run, failure } = record
  const reasons = withUnexplainedExit(reasonsOf(record), record)
  const complete = reasons.every(({ against }) => against !== 'complete')
  const trusted = reasons.every(({ against }) => against !== 'trusted')
  const [worst] = reasons
  const state =
    failure !== null
      ? isStopped(run.exitCode)
        ? 'stopped'
        : 'failed'
      : worst && isFailure(worst.kind)
        ? 'failed'
        : complete && trusted
          ? 'good'
          : 'attention'
  return {
    run,
    night: nightOf(record),
    state,
    headline: headlineOf(reasons),
    complete,
    trusted,
    reasons,
    next: adviceFor(reasons, record),
  }
}

/** A run that ended with 4 has a reason, also where nothing else names it. */
function withUnexplainedExit(reasons: readonly Reason[], { run }: NightRecord): readonly Reason[] {
  if (run.exitCode !== 4 || reasons.some(({ against }) => against !== null)) return reasons
  const text = `the ${run.job} for ${run.tradingDate} ended with exit 4: see its notes`
  return [{ kind: 'problem', text, against: 'complete', job: run.job }, ...reasons]
}

function nightOf({ run, from, again, before }: NightRecord): Conclusion['night'] {
  if (run.job !== 'nightly') return before?.night ?? null
  return { ...run, from: from ?? run.tradingDate, again }
}

/** What a kind of reason is called in the headline; null where the reason's own text is. */
const NAMES: Readonly<Partial<Record<ReasonKind, (reasons: readonly Reason[]) => string>>> = {
  key: () => 'a key failed',
  session_lost: () => 'the verified session is lost',
  accounts_failed: () => 'the accounts were not read',
  accounts_partial: (reasons) => {
    const lists = reasons.filter(({ code }) => code === ACCOUNT_LIST)
    const accounts = sum(reasons) - sum(lists)
    const partly = accounts > 0 ? [`${counted(accounts, 'account')} partly read`] : []
    return [...(lists.length > 0 ? ['the list of accounts was not read'] : []), ...partly].join(', ')
  },
  session_unseen: ([reason]) => `no answer has ${reason?.since ?? 'the trading date'}`,
  windows: (reasons) =>
    `${counted(sum(reasons), 'window')} missing (${[...new Set(reasons.map(({ dataset }) => dataset))].join(', ')})`,
  deadline: () => 'the deadline was reached',
  rejected: (reasons) => `${counted(sum(reasons), 'record')} in quarantine`,
  withheld: (reasons) => `not trusted: ${rules(reasons)} broken`,
  not_evaluable: (reasons) => `not trusted: ${rules(reasons)} could not be evaluated`,
  bucket: () => 'the bucket is behind',
}

/** One line: `complete`, or the reasons against it in a few words. */
function headlineOf(reasons: readonly Reason[]): string {
  const against = reasons.filter((reason) => reason.against !== null)
  const [worst] = against
  if (!worst) return 'complete'
  if (isFailure(worst.kind)) return worst.text
  const kinds = [...new Set(against.map(({ kind }) => kind))]
  return kinds
    .map((kind) => {
      const ofKind = against.filter((reason) => reason.kind === kind)
      return NAMES[kind]?.(ofKind) ?? ofKind[0]?.text
    })
    .join('; ')
}

function sum(reasons: readonly Reason[]): number {
  return reasons.reduce((total, { count = 1 }) => total + count, 0)
}

function rules(reasons: readonly Reason[]): string {
  const numbers = [...new Set(reasons.map(({ rule }) => rule))]
  return `${numbers.length === 1 ? 'rule' : 'rules'} ${numbers.join(', ')}`
}
