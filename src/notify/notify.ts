import { TimeIsUp, withinTime } from 'candlehouse-foundation/timers'
import { visible } from 'candlehouse-foundation/visible'
import type { Effects } from '../effects.js'
import type { RunSummary } from '../night/summary.js'
import { openVariables, type Settings } from '../settings/index.js'
import { type CommandPlace, runCommand } from './command.js'
import { postDocument } from './webhook.js'

/** A command or webhook that does not end by then is stopped. */
const LIMIT_MS = 30_000

/** After a signal: the process ends 4.5 s after it (`src/cli/process.ts`), and a service manager kills it at some time. */
const LIMIT_AFTER_SIGNAL_MS = 3_000

/** Characters of a command's last line that a warning shows; the log has more. */
const MOST_WORDS = 300

/** Set for the command: a run that it starts itself notifies nobody. */
const MARK = 'CANDLEHOUSE_NOTIFYING'

/**
 * Variables that the command gets, besides those of the run. All others stay: keys of `[[accounts]]` have names that the user
 * chooses, and what else is in the environment may be a secret of another program.
 */
const PASSED = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TMPDIR',
  'TZ',
  'LANG',
  'LANGUAGE',

  'SystemRoot',
  'ComSpec',
  'PATHEXT',
  'TEMP',
  'USERPROFILE',
  ...openVariables,
]

function passedOf(environment: CommandPlace['environment']): CommandPlace['environment'] {
  const isPassed = (name: string): boolean => PASSED.includes(name) || name.startsWith('LC_')
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isPassed(name)))
}

export interface EndedRunNotice {
  readonly summary: RunSummary
  /** The summary as JSON, without secrets. */
  readonly document: string
}

/** Where the command runs, and the signal that stops the program. */
export interface NotifyPlace extends CommandPlace {
  readonly signal: AbortSignal
}

type Hooks = Pick<Settings, 'home' | 'notifyCommand' | 'notifyUrl'>

/**
 * Gives the result of a run to the command and the webhook of the settings. It never throws: a failure or a delay is a
 * warning, and the run stays as it ended.
 *
 * @returns whether each of them has it
 */
export async function notify(
  ended: EndedRunNotice,
  hooks: Hooks,
  place: NotifyPlace,
  effects: Effects,
): Promise<boolean> {
  const { notifyCommand: command, notifyUrl: url } = hooks
  if (place.environment[MARK]) return false
  const isStopped = place.signal.aborted
  const limit = isStopped ? LIMIT_AFTER_SIGNAL_MS : LIMIT_MS
  const stop = isStopped ? undefined : place.signal
  const within = (work: (signal: AbortSignal) => Promise<boolean>): Promise<boolean> =>
    withinTime(limit, stop, work, effects)
  const failed = (words: string): false => {
    effects.log.warn(words)
    return false
  }
  const delivered = await Promise.all([
    command === undefined
      ? true
      : within((signal) => notifyCommand(command, ended, hooks.home, place, signal, effects)).catch(
          (error: unknown) => failed(`CANDLEHOUSE_NOTIFY_COMMAND failed: ${reasonOf(error)}`),
        ),
    url === undefined
      ? true
      : within((signal) => notifyUrl(url, ended, signal, effects)).catch((error: unknown) =>
          failed(`CANDLEHOUSE_NOTIFY_URL failed: ${new URL(url).host} was not reached: ${reasonOf(error)}`),
        ),
  ])
  return delivered.every(Boolean)
}

async function notifyCommand(
  command: string,
  { summary, document }: EndedRunNotice,
  home: string,
  { folder, environment }: CommandPlace,
  signal: AbortSignal,
  effects: Effects,
): Promise<boolean> {
  const { log } = effects
  const place = {
    folder,
    environment: {
      ...passedOf(environment),
      [MARK]: '1',
      CANDLEHOUSE_HOME: home,
      CANDLEHOUSE_RUN_JOB: summary.job,
      CANDLEHOUSE_RUN_DATE: summary.tradingDate,
      CANDLEHOUSE_RUN_OUTCOME: summary.outcome,
      CANDLEHOUSE_RUN_EXIT_CODE: String(summary.exitCode),
      CANDLEHOUSE_RUN_CONCLUSION: headlineOf(document),
    },
  }
  const { failure, output } = await runCommand(command, document, place, signal, effects)
  log.info(`CANDLEHOUSE_NOTIFY_COMMAND ended with ${failure ?? 'exit 0'}`, { output })
  if (failure === undefined) return true
  const lastLine = output.split('\n').at(-1) ?? ''
  const words = lastLine.length > MOST_WORDS ? `${lastLine.slice(0, MOST_WORDS)}…` : lastLine
  log.warn(`CANDLEHOUSE_NOTIFY_COMMAND failed with ${failure}${words ? `: ${words}` : ''}`)
  return false
}

/** From the document, which has no secrets any more; a variable cannot have every character. */
function headlineOf(document: string): string {
  return visible((JSON.parse(document) as RunSummary).conclusion.headline)
}

async function notifyUrl(
  url: string,
  { document }: EndedRunNotice,
  signal: AbortSignal,
  effects: Effects,
): Promise<boolean> {
  const { log } = effects
  const refusal = await postDocument(url, document, signal, effects)
  const { host } = new URL(url)
  if (refusal === undefined) log.info(`CANDLEHOUSE_NOTIFY_URL: ${host} has received the result`)
  else log.warn(`CANDLEHOUSE_NOTIFY_URL failed: ${host} ${refusal}`)
  return refusal === undefined
}

/** Why a hook failed, in a few words. `fetch` has the reason of the network in its cause. */
function reasonOf(error: unknown): string {
  if (error instanceof TimeIsUp) return `it had not ended after ${error.ms / 1000} s and was stopped`
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || (cause as NodeJS.ErrnoException).code || cause.name
}
