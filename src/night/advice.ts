import type { Advice, CommandLine, Reason, ReasonKind } from './conclusion.js'
import { isCommand } from './reasons.js'
import type { NightRecord } from './record.js'

/** What closes a gap: commands in the order in which they are typed. */
type Adviser = (reason: Reason, record: NightRecord, others: readonly Reason[]) => readonly Advice[]

/** @param command null where nothing can be typed */
function advise(command: CommandLine | null, why: string): Advice {
  return { command, why }
}

const NOTHING: Adviser = () => []

const CONTINUES = 'continues where the run stopped'

const AGAIN: Adviser = (reason, record) => [advise(commandOf(reason, record), CONTINUES)]

const UNCHANGED = 'the service returned the same values; fetching again changes nothing'

const QUARANTINE = 'candlehouse sql "select dataset, reason, payload from ops.quarantine"'

/** What to type for each kind of reason. */
export const ADVISERS: Readonly<Record<ReasonKind, Adviser>> = {
  settings: (reason, record) => [
    ...hintOf(reason, record),
    advise('candlehouse doctor', 'checks the settings and credentials, and says what to correct'),
    advise(commandOf(reason, record), 'runs again once they are corrected'),
  ],
  outage: (reason, record) => [
    advise(commandOf(reason, record), 'continues where the run stopped, once the service answers again'),
  ],
  storage: (reason, record) => [
    ...hintOf(reason, record),
    advise(commandOf(reason, record), 'continues where the run stopped, once the storage is repaired'),
  ],
  usage: (reason, record) => hintOf(reason, record),
  bug: AGAIN,
  // Only a nightly that was killed has a day: the command line before it is of another one.
  stopped: (reason, record) =>
    reason.since === undefined ? AGAIN(reason, record, []) : [advise(nightly(reason, record), CONTINUES)],
  key: ({ key }) => [
    advise('candlehouse doctor', 'checks the credentials of every key'),
    advise(`candlehouse snapshot${keyOption(key)}`, 'reads the accounts of the key once it works'),
  ],
  session_lost: login,
  accounts_skipped: login,
  accounts_failed: ({ key }) => [
    advise(`candlehouse snapshot${keyOption(key)}`, 'reads the accounts once the service answers again'),
  ],
  accounts_partial: (_, __, others) => [
    // Without a session that may read accounts the command would end with 3.
    ...others.filter(({ kind }) => kind === 'session_lost' || kind === 'accounts_skipped').flatMap(login),
    advise('candlehouse snapshot', 'reads the accounts again; past snapshots cannot be fetched again'),
  ],
  session_unseen: (reason, record) => [
    advise(
      dated(commandOf(reason, record), reason),
      'requests the session again; once the service has it, or calendar.csv names the day, the night is complete',
    ),
  ],
  windows: (reason, record) => [
    advise(
      `candlehouse repair${dateOf(reason, record)}`,
      reason.expiresOn === undefined
        ? 'fetches the incomplete windows again'
        : `fetches the incomplete windows again; the first expires on ${reason.expiresOn}`,
    ),
  ],
  deadline: AGAIN,
  withheld: (reason, record) => [...refetch(reason, record), ...override(reason)],
  unrepaired: (reason) => [ofRule(reason, UNCHANGED), ...offendersOf(reason)],
  not_evaluable: (reason, record) => [
    advise(`candlehouse repair${record.dateOption}`, 'fetches again what the rule needs'),
    ...lackOf(reason),
  ],
  rejected: () => [
    advise(QUARANTINE, 'shows the records, and why they are there'),
    advise(
      null,
      'records in quarantine: only a later answer of the service replaces them, or a corrected file that you import again',
    ),
  ],
  bucket: (reason, record) => [
    ...hintOf(reason, record),
    advise('candlehouse publish', 'brings the bucket what it lacks'),
  ],
  problem: (reason, record) => [advise(commandOf(reason, record), 'does again what the run could not do')],
  unrequested: (reason, record) => [
    advise(
      `candlehouse backfill ${reason.dataset ?? 'all'} --from ${reason.since} --to ${reason.until}${dateOf(reason, record)}`,
      'requests the sessions that no run has requested',
    ),
  ],
  expired: (reason) => [advise(null, `${reason.dataset} of ${reason.since}: cannot be fetched any more`)],
  drift: NOTHING,
  note: NOTHING,
}

/** Commands for the reasons, the most urgent first, each once; then those that the run itself asks for. */
export function adviceFor(reasons: readonly Reason[], record: NightRecord): readonly Advice[] {
  const all = [
    ...reasons.flatMap((reason) => ADVISERS[reason.kind](reason, record, reasons)),
    ...record.asks.map(ofAsk),
  ]
  return all.filter(({ command, why }, index) => {
    const same = (each: Advice): boolean => (command === null ? each.why === why : each.command === command)
    return all.findIndex(same) === index
  })
}

function login({ key }: Reason): readonly Advice[] {
  return [
    advise(
      `candlehouse login${keyOption(key)}`,
      'once, with a one-time password: later runs read the accounts too',
    ),
    advise(`candlehouse snapshot${keyOption(key)}`, 'then reads the accounts'),
  ]
}

/** The command of the run that reported it, where that is this run; else of a nightly. */
function commandOf({ job }: Reason, { run, again, before }: NightRecord): CommandLine {
  if (job === undefined || job === run.job) return again
  return before?.night?.again ?? `candlehouse ${job}`
}

/** The command for the trading date that the reason is about: typed on another day, it would take the latest one. */
function dated(command: CommandLine, { since }: Reason): CommandLine {
  return since === undefined || command.includes(' --date ') ? command : `${command} --date ${since}`
}

/** A nightly for the trading date that the reason is about. */
function nightly({ since }: Reason, { run, dateOption }: NightRecord): CommandLine {
  return `candlehouse nightly${since === run.tradingDate ? dateOption : ` --date ${since}`}`
}

function keyOption(key: string | undefined): string {
  return key === undefined ? '' : ` --key ${key}`
}

/** Repair works up to its trading date: the latest closed session unless the command names another one. */
function dateOf({ until }: Reason, { run, dateOption }: NightRecord): string {
  return until !== undefined && until > run.tradingDate ? '' : dateOption
}

function refetch(reason: Reason, record: NightRecord): Advice[] {
  if (reason.dataset === 'snapshot')
    return [ofRule(reason, 'past snapshots cannot be fetched again; the next one is checked anew')]
  if (record.run.job === 'repair') return [ofRule(reason, UNCHANGED)]
  return [advise(`candlehouse repair${dateOf(reason, record)}`, 'fetches the sessions of the breaks again')]
}

/** That nothing can be typed, and why. */
function ofRule({ rule }: Reason, why: string): Advice {
  return advise(null, `rule ${rule}: ${why}`)
}

function lackOf({ rule }: Reason): Advice[] {
  if (rule === undefined) return []
  return [
    advise(
      `candlehouse sql "from recon.finding where rule = ${rule} and state = 'not_evaluable'"`,
      'shows what the rule lacks',
    ),
  ]
}

function offendersOf({ rule }: Reason): Advice[] {
  if (rule === undefined) return []
  const command = `candlehouse sql "from recon.offender where rule = ${rule}"` as const
  return [advise(command, 'shows every row that breaks the rule')]
}

function override(reason: Reason): Advice[] {
  const { rule } = reason
  if (rule === undefined) return []
  return [
    ...offendersOf(reason),
    advise(
      `candlehouse publish --accept ${rule} --because "…"`,
      'publishes despite the break, if you know that the values are right',
    ),
  ]
}

/** The hint of the failure, where it is a command of this program. */
function hintOf({ job }: Reason, { run, failure }: NightRecord): Advice[] {
  const hint = failure?.hint
  if (job !== run.job || hint === undefined || !isCommand(hint)) return []
  return [ofAsk(hint)]
}

/** A command with its reason behind a #. */
function ofAsk(line: CommandLine): Advice {
  const [command = line, why = 'what the run itself asks for'] = line.split(/\s+# /) as [CommandLine, string?]
  return advise(command, why)
}
