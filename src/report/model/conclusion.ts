import { type Withheld, withheldWords } from '../../lake/withheld.js'
import type { Day } from '../../market/day.js'
import { date, instant, plural } from '../figures.js'
import type { Account } from './accounts.js'
import type { Coverage, Gap } from './coverage.js'
import type { Findings } from './findings.js'
import type { LaterRun, RunFigures } from './run.js'

export interface Answer {
  readonly holds: boolean
  readonly words: string
}

/** A command to type next, and why. */
export interface NextCommand {
  readonly command: string
  readonly why: string
}

/** What one glance should show: whether the night is good, and what to do. */
export interface Conclusion {
  readonly state: 'good' | 'attention' | 'failed'
  readonly headline: string
  readonly complete: Answer
  readonly trusted: Answer
  /** What ran after the night, in words; null where nothing did. */
  readonly since: string | null
  /** Most urgent first; empty where nothing is to be done. */
  readonly next: readonly NextCommand[]
}

export interface Evidence {
  readonly day: Day
  readonly run: RunFigures | null
  readonly later: LaterRun | null
  readonly coverage: Coverage
  readonly findings: Findings
  readonly withheld: readonly Withheld[]
  readonly accounts: readonly Account[]
}

/** A gap that expires sooner is shown as urgent. */
export const URGENT_DAYS = 14

export function concludeFrom(evidence: Evidence): Conclusion {
  const complete = isComplete(evidence)
  const trusted = isTrusted(evidence)
  const hasFailed = failed(evidence.run)
  const state = hasFailed ? 'failed' : complete.holds && trusted.holds ? 'good' : 'attention'
  return {
    state,
    headline: headlineOf(evidence.run, complete.holds, trusted.holds),
    complete,
    trusted,
    since: evidence.later && sinceWords(evidence.later),
    next: nextCommands(evidence),
  }
}

function headlineOf(run: RunFigures | null, isWhole: boolean, areTrusted: boolean): string {
  const name = run === null || run.job === 'nightly' ? 'night' : run.job
  if (failed(run)) return `The ${run?.job === 'nightly' ? 'run' : name} failed: nothing new was published`
  if (isWhole && areTrusted) return `The ${name} is complete and its data can be trusted`
  if (isWhole) return 'Complete, but some of the data cannot be trusted'
  return areTrusted
    ? 'Published, but something is missing'
    : 'Something is missing, and some data cannot be trusted'
}

function sinceWords({ job, exitCode, finishedAt, windows, changed, rejected }: LaterRun): string {
  const ending = exitCode === 0 ? 'is done' : `ended with exit ${exitCode}`
  const bad = rejected > 0 ? `, ${plural(rejected, 'record')} rejected` : ''
  const work = `${plural(windows, 'window')}, ${plural(changed, 'row')} changed${bad}`
  return `${job} of ${instant(finishedAt)} ${ending}: ${work}`
}

/** Codes other than done (0) and gaps (4) end a run before it publishes. */
function failed(run: RunFigures | null): boolean {
  return run !== null && run.exitCode !== 0 && run.exitCode !== 4
}

/** Windows that are still missing: what the night left open, unless a later run has closed it. */
function missingNow({ run, later, coverage }: Evidence): number {
  const left = run?.missing?.length ?? coverage.gapCount
  return later ? Math.min(left, coverage.gapCount) : left
}

function isComplete(evidence: Evidence): Answer {
  const { run, accounts } = evidence
  const partial = accounts.filter(({ latest }) => latest.state !== 'complete').length
  const missing = missingNow(evidence)
  const rejected = run?.rejected ?? 0
  const reasons = [
    ...(run === null ? ['no run of this day is in the ledger'] : []),
    ...(failed(run) ? [`the run ended with exit ${run?.exitCode}`] : []),
    ...(missing > 0 ? [`${plural(missing, 'window')} missing`] : []),
    ...(rejected > 0 ? [`${plural(rejected, 'record')} rejected`] : []),
    ...(partial > 0 ? [`the snapshot of ${plural(partial, 'account')} is partial`] : []),
  ]
  if (reasons.length > 0) return { holds: false, words: reasons.join('; ') }
  return { holds: true, words: 'Every window that the run wanted was answered, and no record was rejected' }
}

function isTrusted({ findings, withheld, day }: Evidence): Answer {
  const errors = findings.open.filter(({ state, severity }) => state === 'break' && severity === 'error')
  if (withheld.length > 0 || errors.length > 0) {
    const rules = [...new Set([...withheld.map(({ rule }) => rule), ...errors.map(({ rule }) => rule)])]
    const rows = [...new Set(withheld.map(withheldWords))]
    const more = rows.length > 3 ? ` and ${rows.length - 3} more` : ''
    const broken = `${rules.length === 1 ? 'rule' : 'rules'} ${rules.join(', ')} ${rules.length === 1 ? 'is' : 'are'} broken`
    return {
      holds: false,
      words:
        rows.length > 0 ? `${broken}; readers see as before: ${rows.slice(0, 3).join('; ')}${more}` : broken,
    }
  }
  if (findings.ofDay.length === 0) return { holds: false, words: `no rule was checked for ${date(day)}` }
  const passed = findings.ofDay.filter(({ state }) => state === 'pass').length
  const soft = findings.ofDay.filter(({ state }) => state === 'soft').length
  const warned = findings.open.filter(({ state }) => state === 'break').length
  const look = [
    ...(warned > 0 ? [`${warned} of severity warn ${warned === 1 ? 'is' : 'are'}`] : []),
    ...(soft > 0 ? [`${soft} worth a look`] : []),
  ]
  const none = warned > 0 ? 'none of severity error is broken' : 'none is broken'
  return {
    holds: true,
    words: [`${plural(passed, 'check')} of this session passed and ${none}`, ...look].join('; '),
  }
}

function nextCommands(evidence: Evidence): NextCommand[] {
  const { day, run, later, coverage, withheld, accounts } = evidence
  if (run === null) return [{ command: `candlehouse nightly --date ${day}`, why: 'completes this day' }]
  if (failed(run)) {
    const why = 'the run failed; it continues where it stopped'
    return [...saidBy('run', run.next), { command: `candlehouse ${run.job} --date ${day}`, why }]
  }
  const [rule] = withheld.map((each) => each.rule)
  const missing = missingNow(evidence)
  const urgent = coverage.gaps.find(
    ({ expiresInDays }) => expiresInDays !== null && expiresInDays >= 0 && expiresInDays <= URGENT_DAYS,
  )
  const isPartial = accounts.some(({ latest }) => latest.state !== 'complete')
  return [
    ...(rule === undefined ? [] : commandsForBreak(rule)),
    ...(missing > 0 || urgent ? [{ command: 'candlehouse repair', why: whyRepair(missing, urgent) }] : []),
    ...(run.rejected > 0
      ? [
          {
            command: 'candlehouse sql "select dataset, reason, payload from ops.quarantine"',
            why: 'shows the rejected records',
          },
        ]
      : []),
    ...(isPartial ? [{ command: 'candlehouse snapshot', why: 'reads the accounts again' }] : []),
    ...(later && later.exitCode !== 0 ? saidBy(later.job, later.next) : []),
  ].filter(({ command }, index, all) => all.findIndex((each) => each.command === command) === index)
}

/** The commands that a run itself names at its end, without their comments. */
function saidBy(job: string, next: readonly string[]): NextCommand[] {
  return next.slice(0, 2).map((command) => ({
    command: command.replace(/\s+#.*$/, ''),
    why: `what the ${job} itself asks for`,
  }))
}

function commandsForBreak(rule: number): NextCommand[] {
  return [
    { command: 'candlehouse repair', why: 'fetches the sessions of the breaks again' },
    {
      command: `candlehouse sql "from recon.offender where rule = ${rule}"`,
      why: 'shows every row that breaks the rule',
    },
    {
      command: `candlehouse publish --accept ${rule} --because "…"`,
      why: 'publishes the rows despite the break, if you know that their values are right',
    },
  ]
}

function whyRepair(missing: number, urgent: Gap | undefined): string {
  const expiry = urgent ? `; the first expires in ${plural(urgent.expiresInDays ?? 0, 'day')}` : ''
  return `fetches ${plural(missing, 'missing window')}${expiry}`
}
