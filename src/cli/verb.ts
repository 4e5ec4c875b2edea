import type { Readable } from 'node:stream'
import { whole } from 'candlehouse-foundation/command-line/argument'
import { type Terminal, terminalWith } from 'candlehouse-foundation/command-line/terminal'
import { UsageError } from 'candlehouse-foundation/errors'
import { TIMEFRAMES } from 'candlehouse-foundation/market/timeframe'
import { Command, Option } from 'commander'
import type { Opener } from '../console/browser.js'
import type { Machine } from '../doctor/index.js'
import { type Effects, silentLog } from '../effects.js'
import type { Progress } from '../night/progress.js'
import type { OverrideRequest } from '../run/checks/override-findings.js'
import { type ResolvedSettings, resolveSettings } from '../settings/index.js'
import { symbolList } from './argument.js'
import type { Story } from './demo/story.js'
import { forHome } from './for-home.js'
import { createProgress } from './progress.js'

/** Exit code for pages or files that are missing or not as they were written: storage. */
export const DAMAGED = 6

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
  /** What `demo` makes, in tests. @default sixty sessions, twenty of them with a night */
  story?: Story
  /** Sets the exit code of a verb that prints its answer and still does not end with 0. */
  endWith(code: number): void
}

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
export interface Call extends ResolvedSettings, Edge {
  json: boolean
  /** Whether only data and errors are printed. */
  quiet: boolean
  progress: Progress
  effects: Effects
  /** Prints one JSON document on stdout with --json, else the text that `render` returns for a terminal of that width. */
  answer(value: unknown, render: (width: number | undefined) => string): Promise<void>
  /** Prints a text that another program reads as it is, also with --quiet; with --json one line of JSON. */
  print(value: unknown, text: string): Promise<void>
}

/** Options that all verbs have. */
const SHARED = [
  new Option('--json', 'print one JSON document on stdout'),
  new Option('--quiet', 'print only data and errors, no progress and no messages'),
  new Option('--home <folder>', 'CANDLEHOUSE_HOME: folder of the warehouse, the catalog and the lake'),
  new Option('--base-url <address>', 'BROKER_BASE_URL: base address of the service'),
  new Option('--max-rps <number>', 'BROKER_MAX_RPS: most requests per second'),
]

/** The words of a command line with the shared options that stand before a verb behind it: `status --home x`. */
export function withVerbFirst(args: readonly string[]): readonly string[] {
  let place = 0
  for (let word = args[0]; word?.startsWith('--'); word = args[place]) {
    const [name, value] = word.split('=', 2)
    const option = SHARED.find(({ long }) => long === name)
    if (!option) return args
    place += option.required && value === undefined ? 2 : 1
  }
  const [shared, rest] = [args.slice(0, place), args.slice(place)]
  // A verb may have two words, as `config show`.
  const options = rest.findIndex((word) => word.startsWith('-'))
  const behind = options < 0 ? rest.length : options
  return [...rest.slice(0, behind), ...shared, ...rest.slice(behind)]
}

export type NewVerb = (name: string, about: string) => Verb

/** A verb of the program: the options that all verbs share, those that several have, and what it does. */
export class Verb extends Command {
  constructor(
    name: string,
    about: string,
    private readonly edge: Edge,
    private readonly effects: Effects,
  ) {
    super(name)
    this.description(about)
    for (const option of SHARED) this.addOption(option)
  }

  retain(): this {
    return this.option('--retain <days>', 'CANDLEHOUSE_RETAIN_DAYS: days to keep replaced lake files')
  }

  fetches(): this {
    return this.retain().option('--max-hours <hours>', 'CANDLEHOUSE_MAX_HOURS: hours that the run may fetch')
  }

  dryRun(): this {
    return this.option('--dry-run', 'show which requests would be sent and why; send none')
  }

  symbols(about: string): this {
    return this.option(
      '--symbols <list>',
      `${about} only these symbols, separated by commas`,
      symbolList,
    ).option('--allow-unknown', 'accept symbols in --symbols that no list and no stored row has')
  }

  timeframe(about: string): this {
    return this.addOption(new Option('--timeframe <length>', about).choices(TIMEFRAMES))
  }

  accept(): this {
    return this.option(
      '--accept <rule>',
      'publish despite breaks of this rule (recorded)',
      // Rules of the user's own have numbers from 1000 on.
      whole(1, 999_999),
    ).option('--because <words>', 'reason for the override; required with --accept')
  }

  /** What the verb does, given its arguments and options as commander gives them. It needs all settings. */
  writes<Given extends unknown[]>(work: (call: Call, ...given: Given) => Promise<void>): this {
    return this.action(async (...given: Given) => {
      await work(await prepareCall(this.opts(), this.edge, this.effects), ...given)
    })
  }

  /** As `writes`, for a verb that only reads. */
  reads<Given extends unknown[]>(work: (call: Call, ...given: Given) => Promise<void>): this {
    return this.action(async (...given: Given) => {
      await work(prepareReading(this.opts(), this.edge, this.effects), ...given)
    })
  }

  /** As `writes`, for a verb that prepares its call by itself, or has none. */
  works(work: (options: CommonOptions, edge: Edge, effects: Effects) => Promise<void>): this {
    return this.action(async () => await work(this.opts(), this.edge, this.effects))
  }
}

export interface AcceptOptions {
  accept?: number
  because?: string
}

/** The override that the options of `Verb.accept` give. @throws UsageError if only one of the two is given */
export function acceptOf({ accept, because }: AcceptOptions): OverrideRequest | undefined {
  if (accept === undefined && because === undefined) return undefined
  if (accept === undefined || !because?.trim()) {
    throw new UsageError(
      '--accept and --because must be given together: the number of the rule, and the reason',
      { hint: 'candlehouse publish --accept 8 --because "the broker confirmed the volume"' },
    )
  }
  return { rule: accept, because: because.trim() }
}

/**
 * As `prepareCall`, for a verb that only reads: it needs no credentials, so a `.env` of another user does not stop it, and
 * it shows warnings without writing them to the log.
 */
export function prepareReading(options: CommonOptions, given: Edge, effects: Effects): Call {
  const edge = edgeForHome(given, options.home)
  const resolved = settingsOf(options, edge)
  const { terminal } = edge
  const unread = resolved.unread ? [`${resolved.unread.message}; its settings are not used`] : []
  for (const warning of [...unread, ...resolved.mistyped]) terminal.words(`warning: ${warning}`)
  return callOf(options, edge, resolved, {
    ...effects,
    log: { ...silentLog, warn: (message) => terminal.words(`warning: ${message}`) },
  })
}

/** Reads the settings and prepares a call. @throws SettingsError */
export async function prepareCall(options: CommonOptions, given: Edge, effects: Effects): Promise<Call> {
  const edge = edgeForHome(given, options.home)
  const resolved = settingsOf(options, edge)
  if (resolved.unread) throw resolved.unread
  // Loaded only here: a verb that only reads starts without the library that writes the log.
  const { createLog } = await import('./log.js')
  const log = createLog(resolved.settings.home, resolved.secrets, edge.terminal)
  for (const warning of resolved.mistyped) log.warn(warning)
  return callOf(options, edge, resolved, { ...effects, log })
}

/** An edge whose messages name commands as they must be typed for the home. */
function edgeForHome(edge: Edge, home: string | undefined): Edge {
  const { words, complain } = edge.terminal
  const terminal = terminalWith(edge.terminal, {
    words: (text) => words(forHome(text, home)),
    complain: (text) => complain(forHome(text, home)),
  })
  return { ...edge, terminal }
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

function callOf(options: CommonOptions, edge: Edge, resolved: ResolvedSettings, effects: Effects): Call {
  const { terminal } = edge
  return {
    ...resolved,
    ...edge,
    json: options.json === true,
    quiet: options.quiet === true,
    progress: createProgress(terminal, options.quiet === true, effects),
    effects,
    async answer(value, render) {
      if (options.json) await terminal.data(`${JSON.stringify(value, null, 2)}\n`)
      else if (!options.quiet) await terminal.data(`${forHome(render(terminal.width), options.home)}\n`)
    },
    async print(value, text) {
      await terminal.data(options.json ? `${JSON.stringify(value)}\n` : text)
    },
  }
}
