import { counted } from 'candlehouse-foundation/number-text'
import { type CommandLine, FAILURES, REASON_KINDS, type Reason, type ReasonKind } from './conclusion.js'
import type { Failure, GapGroup, NightRecord, OpenError, Problem } from './record.js'

/** Keys that a reason names; the others are counted. */
const NAMED = 3

/** The reasons of a record, the most important first. */
export function reasonsOf(record: NightRecord): readonly Reason[] {
  const reasons = [
    ...failureOf(record),
    ...killedNightOf(record),
    // Broken rules of severity error are open findings of the ledger too.
    ...record.problems.filter(({ kind }) => kind !== 'withheld').map((problem) => ofProblem(problem, record)),
    ...record.ledger.gaps.map(ofGap),
    ...unlistedMissing(record),
    ...record.ledger.openErrors.map((error) => ofOpenError(error, record)),
    ...rejectedOf(record),
    ...unrequestedOf(record),
    ...driftOf(record),
    ...carried(record),
    ...record.notes.map((text): Reason => ({ kind: 'note', text, against: null })),
  ]
  const shown = reasons.filter(
    (reason, index) =>
      reasons.findIndex(({ kind, text }) => kind === reason.kind && text === reason.text) === index,
  )
  return shown.sort((left, right) => rank(left) - rank(right))
}

/** Reasons against the night come before those that only are worth knowing, each by its kind. */
function rank({ kind, against }: Reason): number {
  return REASON_KINDS.indexOf(kind) + (against === null ? REASON_KINDS.length : 0)
}

export function isFailure(kind: ReasonKind): boolean {
  return FAILURES.some((each) => each === kind)
}

const FAILURE_OF_EXIT: Readonly<Record<number, ReasonKind>> = {
  2: 'usage',
  3: 'settings',
  5: 'outage',
  6: 'storage',
  130: 'stopped',
  143: 'stopped',
}

/** Whether a run that ended with this code was stopped by a signal. */
export function isStopped(exitCode: number): boolean {
  return failureKind(exitCode) === 'stopped'
}

function failureKind(exitCode: number): ReasonKind {
  return FAILURE_OF_EXIT[exitCode] ?? 'bug'
}

function failureOf({ run, failure }: NightRecord): Reason[] {
  if (failure === null) return []
  return [
    {
      kind: failureKind(run.exitCode),
      text: `the ${run.job} for ${run.tradingDate} failed with exit ${run.exitCode}: ${withWords(failure)}`,
      against: 'complete',
      job: run.job,
    },
  ]
}

/** A nightly that was killed has written no conclusion. The next nightly does what it did not do; other runs do not. */
function killedNightOf({ run, ledger: { killedNight: day }, before }: NightRecord): Reason[] {
  const isShown = before?.reasons.some(({ kind, job }) => kind === 'stopped' && job === 'nightly') ?? false
  if (day === null || run.job === 'nightly' || isShown) return []
  const text = `the nightly for ${day} was killed before it ended`
  return [{ kind: 'stopped', text, against: 'complete', job: 'nightly', since: day }]
}

/**
 * Whether a hint is a command of this program, maybe with its reason behind a #: else it is words for a person. Outside quotes a
 * command has no punctuation of a sentence.
 */
export function isCommand(hint: string): hint is CommandLine {
  const unquoted = hint.replace(/\s# .*$/s, '').replaceAll(/'[^']*'|"[^"]*"/g, '""')
  return /^candlehouse [a-z]/.test(unquoted) && !/[,;:](?:\s|$)|[()]/.test(unquoted)
}

/** The message of an error, with its hint where that is words: as a command it is advice. */
export function withWords({ message, hint }: Failure): string {
  return hint === undefined || isCommand(hint) ? message : `${message}: ${hint}`
}

/** Kinds that are only worth knowing: rules of severity warn withhold nothing, and accounts may be without a login. */
const REMARKS: readonly ReasonKind[] = ['accounts_skipped', 'unrepaired']

function ofProblem({ kind, text, key, rule }: Problem, { run }: NightRecord): Reason {
  return {
    kind,
    text,
    against: REMARKS.includes(kind) ? null : kind === 'not_evaluable' ? 'trusted' : 'complete',
    ...(key === undefined ? {} : { key }),
    ...(rule === undefined ? {} : { rule }),
    ...(kind === 'session_unseen' ? { since: run.tradingDate, until: run.tradingDate } : {}),
    job: run.job,
  }
}

/** Code of the gap of a list of accounts (`gap_groups.sql`). */
export const ACCOUNT_LIST = 'account_list'

function ofGap(gap: GapGroup): Reason {
  const { dataset, code, reason, windows, from, to, keys, keyCount, expiresOn, served, ofNight } = gap
  const days = from === to ? from : `${from} to ${to}`
  const named = listed(
    keys.filter((key) => !key.startsWith('*')),
    keyCount,
  )
  const which = named === '' ? '' : ` (${named})`
  const isSnapshot = dataset === 'snapshot'
  const what = !isSnapshot
    ? `${dataset}: ${counted(windows, 'window')} of ${days} incomplete`
    : code === ACCOUNT_LIST
      ? 'the list of accounts was not read, a new account may be missing'
      : `the latest snapshot of ${counted(windows, 'account')} is partial`
  const end = served && expiresOn !== null ? `; the service stops serving the first on ${expiresOn}` : ''
  return {
    kind: isSnapshot ? 'accounts_partial' : served ? 'windows' : 'expired',
    text: `${what}${which}: ${reason}${served ? '' : '; the service no longer serves them'}${end}`,
    against: served && ofNight ? 'complete' : null,
    dataset,
    code,
    count: windows,
    since: from,
    until: to,
    ...(expiresOn !== null && served ? { expiresOn } : {}),
  }
}

/** The first keys, and how many there are besides; empty without keys. */
function listed(keys: readonly string[], count: number): string {
  const others = count - NAMED
  const more = others > 0 ? ` and ${others} more` : ''
  return keys.length === 0 ? '' : `${keys.slice(0, NAMED).join(', ')}${more}`
}

/** Windows that the run reported as missing and that the ledger has not. */
function unlistedMissing({ missing, ledger, run }: NightRecord): Reason[] {
  const listed = new Set(ledger.gaps.filter(({ served }) => served).map(({ dataset }) => dataset))
  const datasets = [...new Set(missing.map(({ dataset }) => dataset))].filter((name) => !listed.has(name))
  return datasets.map((dataset) => {
    const lines = missing.filter((each) => each.dataset === dataset).map(({ line }) => line)
    const others = lines.length - NAMED
    return {
      kind: dataset === 'snapshot' ? 'accounts_partial' : 'windows',
      text: `${dataset}: ${lines.slice(0, NAMED).join('; ')}${others > 0 ? ` and ${others} more` : ''}`,
      against: 'complete',
      dataset,
      code: null,
      count: lines.length,
      job: run.job,
    }
  })
}

/** Past snapshots cannot be fetched again: a break in them is against the nights that have them. */
function ofOpenError(error: OpenError, { run, from: began }: NightRecord): Reason {
  const { rule, title, sessions, from, to, ofMarket } = error
  const days = from === to ? from : `${from} to ${to}`
  return {
    kind: 'withheld',
    text: `rule ${rule} is broken (${title}): readers see ${withheldRows(error)} as before (${days})`,
    against: ofMarket || to >= (began ?? run.tradingDate) ? 'trusted' : null,
    rule,
    count: sessions,
    since: from,
    until: to,
    // Past snapshots cannot be fetched again.
    ...(ofMarket ? {} : { dataset: 'snapshot' }),
  }
}

function withheldRows({ sessions, relations, keys, keyCount, ofMarket }: OpenError): string {
  const named = listed(keys, keyCount)
  if (named !== '') return `${relations.join(', ')} of ${named}`
  return `${counted(sessions, ofMarket ? 'session' : 'snapshot')} of ${relations.join(', ')}`
}

function rejectedOf({ ledger }: NightRecord): Reason[] {
  return ledger.rejected.map(({ dataset, reason, records }) => ({
    kind: 'rejected',
    text: `${dataset}: ${counted(records, 'record')} put into ops.quarantine (${reason})`,
    against: 'complete',
    dataset,
    count: records,
  }))
}

/** They are of no night: they change no answer about this one. */
function unrequestedOf({ ledger: { unrequested } }: NightRecord): Reason[] {
  if (unrequested === null) return []
  const { datasets, sessions, from, to, expiresOn } = unrequested
  const days = from === to ? from : `${from} to ${to}`
  const end = expiresOn === null ? '' : `; the service stops serving candles of the first on ${expiresOn}`
  return [
    {
      kind: 'unrequested',
      text: `${counted(sessions, 'session')} of ${days} never requested (${datasets.join(', ')})${end}`,
      against: null,
      ...(datasets.length === 1 ? { dataset: datasets[0] } : {}),
      count: sessions,
      since: from,
      until: to,
      ...(expiresOn === null ? {} : { expiresOn }),
    },
  ]
}

function driftOf({ ledger }: NightRecord): Reason[] {
  return ledger.drift.map(({ dataset, fields }) => ({
    kind: 'drift',
    text: `${dataset}: the service sends fields that the specification does not have: ${fields}`,
    against: null,
    dataset,
  }))
}

const ACCOUNT_KINDS: readonly ReasonKind[] = ['key', 'session_lost', 'accounts_failed', 'accounts_skipped']

/** What an earlier run reported and this one has not settled: a later import must not hide how the night ended. */
function carried({ run, keysRead, published, before }: NightRecord): Reason[] {
  if (before === null) return []
  return before.reasons.filter(({ kind, key, job }) => {
    if (kind === 'note') return false
    if (kind === 'bucket') return !published
    if (ACCOUNT_KINDS.includes(kind) && keysRead.some((name) => key === undefined || name === key))
      return false
    // Only a nightly does again what a nightly did. Of other runs only what they could not do with a key outlives the next run:
    // a snapshot that is advised needs to know it. Reasons of the ledger have no job, and every run reads them again.
    const outlives = job === 'nightly' || (job !== undefined && ACCOUNT_KINDS.includes(kind))
    return outlives && run.job !== 'nightly'
  })
}
