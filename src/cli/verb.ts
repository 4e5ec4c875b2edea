import type { Readable } from 'node:stream'
import { whole } from 'candlehouse-foundation/command-line/argument'
import type { Terminal } from 'candlehouse-foundation/command-line/terminal'
import { UsageError } from 'candlehouse-foundation/errors'
import { Command, Option } from 'commander'
import type { Opener } from '../console/browser.js'
import type { Machine } from '../doctor/index.js'
import { type Effects, silentLog } from '../effects.js'
import type { Progress } from '../night/progress.js'
import type { OverrideRequest } from '../run/checks/override-findings.js'
import { type ResolvedSettings, resolveSettings } from '../settings/index.js'
import { createProgress } from './progress.js'

/** Input and output of the process, which `process.ts` passes to every verb. */
export interface Edge {
  terminal: Terminal
  environment: Readonly<Record<string, string | undefined>>
  /** Working folder: `.env` and `candlehouse.toml` are looked for here. */
  folder: string
  /** Read for a statement or a one-time password that the command line does not give. */
  stdin: Readable & { isTTY?: boolean; setRawMode?: (isRaw: boolean) => unknown }
  /** Aborts at the first SIGINT or SIGTERM. */
  signal: AbortSignal
  /** Sets the message for the person who presses Ctrl-C: what the run still finishes. @default 'stopping' */
  whenStopped(words: string): void
  /** Sets a function that Ctrl-C calls instead of ending the program; undefined: Ctrl-C ends the program again. */
  takeInterrupts(handler: (() => void) | undefined): void
  /** Facts of another machine for the doctor, in tests. @default this machine */
  machine?: Partial<Machine>
  /** Opens a file in the user's browser. @default the system's command for it */
  opener?: Opener
  /** Whether a nightly writes its report, which takes a sixth of a night on a small market. @default true */
  writesReport?: boolean
  /** Sets the exit code of a verb that prints its answer and still does not end with 0. */
  endWith(code: number): void
}

/** Options that every verb takes. */
export interface CommonOptions {
  json?: true
  quiet?: true
  home?: string
  baseUrl?: string
  maxRps?: string
  retain?: string
  maxHours?: string
}

/** One call of a verb: its settings, and where it reads and writes. */
export interface Call extends ResolvedSettings {
  terminal: Terminal
  json: boolean
  /** Whether only data and errors are printed. */
  quiet: boolean
  progress: Progress
  signal: AbortSignal
  /** Working folder. */
  folder: string
  environment: Edge['environment']
  effects: Effects
  writesReport: boolean
  endWith(code: number): void
  whenStopped(words: string): void
  /** Prints one JSON document on stdout with --json, else the text that `render` returns for a terminal of that width. */
  answer(value: unknown, render: (width: number | undefined) => string): Promise<void>
}

/** The beginning of a verb: its name and the options that all verbs share. */
export function verb(name: string, about: string): Command {
  return new Command(name)
    .description(about)
    .addOption(new Option('--json', 'print one JSON document on stdout'))
    .addOption(new Option('--quiet', 'print only data and errors, no progress and no messages'))
    .addOption(
      new Option('--home <folder>', 'CANDLEHOUSE_HOME: folder of the warehouse, the catalog and the lake'),
    )
    .addOption(new Option('--base-url <address>', 'BROKER_BASE_URL: base address of the service'))
    .addOption(new Option('--max-rps <number>', 'BROKER_MAX_RPS: most requests per second'))
}

/** The option of verbs that publish. */
export function retainOption(): Option {
  return new Option('--retain <days>', 'CANDLEHOUSE_RETAIN_DAYS: days to keep replaced lake files')
}

/** The option of verbs that take `--symbols`. */
export function allowUnknownOption(): Option {
  return new Option('--allow-unknown', 'accept symbols in --symbols that no list and no stored row has')
}

/** The option of verbs that fetch. */
export function maxHoursOption(): Option {
  return new Option('--max-hours <hours>', 'CANDLEHOUSE_MAX_HOURS: hours that the run may fetch')
}

/** The options by which a person overrides a rule. */
export function withAccept(command: Command): Command {
  return command
    .option('--accept <rule>', 'publish despite breaks of this rule (recorded)', whole(1, 999))
    .option('--because <words>', 'reason for the override; required with --accept')
}

export interface AcceptOptions {
  accept?: number
  because?: string
}

/** The override that the options of `withAccept` give. @throws UsageError if only one of the two is given */
export function acceptOf({ accept, because }: AcceptOptions): OverrideRequest | undefined {
  if (accept === undefined && because === undefined) return undefined
  if (accept === undefined || !because?.trim()) {
    throw new UsageError(
      '--accept and --because must be given together: the number of the rule, and the reason',
      {
        hint: 'candlehouse publish --accept 8 --because "the broker confirmed the volume"',
      },
    )
  }
  return { rule: accept, because: because.trim() }
}

/**
 * As `prepareCall`, for a verb that only reads: it needs no credentials, so a `.env` of another user does not stop it, and
 * it shows warnings without writing them to the log.
 */
export function prepareReading(options: CommonOptions, edge: Edge, effects: Effects): Call {
  const resolved = settingsOf(options, edge)
  const { terminal } = edge
  if (resolved.unread) terminal.words(`warning: ${resolved.unread.message}; its settings are not used`)
  return callOf(options, edge, resolved, {
    ...effects,
    log: { ...silentLog, warn: (message) => terminal.words(`warning: ${message}`) },
  })
}

/** Reads the settings and prepares a call. @throws SettingsError */
export async function prepareCall(options: CommonOptions, edge: Edge, effects: Effects): Promise<Call> {
  const resolved = settingsOf(options, edge)
  if (resolved.unread) throw resolved.unread
  // Loaded only here: a verb that only reads starts without the library that writes the log.
  const { createLog } = await import('./log.js')
  const log = createLog(resolved.settings.home, resolved.secrets, edge.terminal)
  return callOf(options, edge, resolved, { ...effects, log })
}

function settingsOf(options: CommonOptions, { terminal, environment, folder }: Edge): ResolvedSettings {
  const resolved = resolveSettings({
    flags: {
      CANDLEHOUSE_HOME: options.home,
      BROKER_BASE_URL: options.baseUrl,
      BROKER_MAX_RPS: options.maxRps,
      CANDLEHOUSE_RETAIN_DAYS: options.retain,
      CANDLEHOUSE_MAX_HOURS: options.maxHours,
    },
    environment,
    folder,
  })
  terminal.keepSecret(resolved.secrets)
  if (options.quiet) terminal.silence()
  return resolved
}

function callOf(
  options: CommonOptions,
  { terminal, signal, folder, environment, endWith, whenStopped, writesReport = true }: Edge,
  resolved: ResolvedSettings,
  effects: Effects,
): Call {
  return {
    ...resolved,
    terminal,
    signal,
    folder,
    environment,
    endWith,
    whenStopped,
    writesReport,
    json: options.json === true,
    quiet: options.quiet === true,
    progress: createProgress(terminal, options.quiet === true, effects),
    effects,
    async answer(value, render) {
      if (options.json) await terminal.data(`${JSON.stringify(value, null, 2)}\n`)
      else if (!options.quiet) await terminal.data(`${render(terminal.width)}\n`)
    },
  }
}
