import { reportFailure } from 'candlehouse-foundation/command-line/failure'
import { Command } from 'commander'
import type { Effects } from '../effects.js'
import { packageVersion } from '../package.js'
import { forHome } from './for-home.js'
import type { Edge, NewVerb } from './verb.js'
import { VERB_NAMES } from './verb-names.js'

/** @param program every verb, as the command line has them */
type CreateVerb = (verb: NewVerb, program: () => Promise<Command>) => Command

/** The module of every verb. */
const VERBS: Readonly<Record<(typeof VERB_NAMES)[number], () => Promise<CreateVerb>>> = {
  init: async () => (await import('./verbs/init.js')).initVerb,
  doctor: async () => (await import('./verbs/doctor.js')).doctorVerb,
  demo: async () => (await import('./verbs/demo.js')).demoVerb,
  nightly: async () => (await import('./verbs/nightly.js')).nightlyVerb,
  sql: async () => (await import('./verbs/sql.js')).sqlVerb,
  export: async () => (await import('./verbs/export.js')).exportVerb,
  console: async () => (await import('./verbs/console.js')).consoleVerb,
  docs: async () => (await import('./verbs/docs.js')).docsVerb,
  mcp: async () => (await import('./verbs/mcp.js')).mcpVerb,
  status: async () => (await import('./verbs/status.js')).statusVerb,
  report: async () => (await import('./verbs/report.js')).reportVerb,
  trace: async () => (await import('./verbs/trace.js')).traceVerb,
  plan: async () => (await import('./verbs/plan.js')).planVerb,
  backfill: async () => (await import('./verbs/backfill.js')).backfillVerb,
  repair: async () => (await import('./verbs/repair.js')).repairVerb,
  import: async () => (await import('./verbs/import.js')).importVerb,
  snapshot: async () => (await import('./verbs/snapshot.js')).snapshotVerb,
  login: async () => (await import('./verbs/login.js')).loginVerb,
  logout: async () => (await import('./verbs/login.js')).logoutVerb,
  keepalive: async () => (await import('./verbs/login.js')).keepaliveVerb,
  check: async () => (await import('./verbs/check.js')).checkVerb,
  reconcile: async () => (await import('./verbs/reconcile.js')).reconcileVerb,
  publish: async () => (await import('./verbs/publish.js')).publishVerb,
  replay: async () => (await import('./verbs/replay.js')).replayVerb,
  raw: async () => (await import('./verbs/raw.js')).rawVerb,
  mine: async () => (await import('./verbs/mine.js')).mineVerb,
  lake: async () => (await import('./verbs/lake.js')).lakeVerb,
  attach: async () => (await import('./verbs/attach.js')).attachVerb,
  ddl: async () => (await import('./verbs/ddl.js')).ddlVerb,
  sandbox: async () => (await import('./verbs/sandbox.js')).sandboxVerb,
  schedule: async () => (await import('./verbs/schedule.js')).scheduleVerb,
  config: async () => (await import('./verbs/config.js')).configVerb,
  completion: async () => (await import('./verbs/completion.js')).completionVerb,
}

/**
 * The program with only the verb that is called. If the first word is not a verb, the program has all verbs, for the help
 * text and for suggestions. A verb's module declares it; what the verb runs is imported when it runs.
 *
 * @param firstWord of the command line
 */
export async function createProgram(
  edge: Edge,
  effects: Effects,
  firstWord: string | undefined,
): Promise<Command> {
  const program = new Command('candlehouse')
    .description(
      'Fetch a brokerage’s market data and accounts into a DuckDB warehouse and publish them as Parquet, every night.',
    )
    .version(packageVersion)
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
    .helpCommand('help [command]', 'Show the help of a command')
  const whole = (): Promise<Command> => createProgram(edge, effects, undefined)
  for (const name of verbsFor(firstWord)) {
    // Loaded only for a verb: --version needs neither settings nor the calendar.
    const { Verb } = await import('./verb.js')
    const verb: NewVerb = (...words) => new Verb(...words, edge, effects)
    program.addCommand((await VERBS[name]())(verb, whole))
  }
  throwInsteadOfExit(program, edge)
  return program
}

function verbsFor(firstWord: string | undefined): readonly (typeof VERB_NAMES)[number][] {
  if (asksVersion(firstWord)) return []
  const called = VERB_NAMES.filter((name) => name === firstWord)
  return called.length > 0 ? called : VERB_NAMES
}

function asksVersion(firstWord: string | undefined): boolean {
  return firstWord === '--version' || firstWord === '-V'
}

/** Only `process.ts` decides how the process ends. */
function throwInsteadOfExit(command: Command, edge: Edge): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => void edge.terminal.data(text),
    writeErr: (text) => edge.terminal.complain(text.replace(/\n$/, '')),
    outputError: () => undefined,
  })
  for (const child of command.commands) throwInsteadOfExit(child, edge)
}

/**
 * Runs one command line. It never throws: failures are reported on the terminal.
 *
 * @param words after the name of the program
 * @returns exit code
 */
export async function invoke(
  words: readonly string[],
  edge: Omit<Edge, 'endWith'>,
  effects: Effects,
): Promise<number> {
  let code = 0
  const endWith = (exitCode: number): void => {
    code = exitCode
  }
  let program: Command | undefined
  const args = await inOrder(words)
  try {
    program = await createProgram({ ...edge, endWith }, effects, args[0])
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    const verb = (program && namesOf(program, args).join(' ')) || undefined
    const home = homeOf(args)
    const hinted = (hint: string): string => forHome(hint, home)
    return await reportFailure(error, { json: args.includes('--json'), verb, hinted }, edge.terminal)
  }
}

/** What the command line names with --home; commander takes the last one too. */
function homeOf(args: readonly string[]): string | undefined {
  const at = args.findLastIndex((word) => word === '--home' || word.startsWith('--home='))
  return args[at] === '--home' ? args[at + 1] : args[at]?.slice('--home='.length)
}

/** The words in the order in which commander takes them: the verb, options, a statement. */
async function inOrder(words: readonly string[]): Promise<readonly string[]> {
  const [first] = words
  if (!first?.startsWith('--') || asksVersion(first)) return withStatementLast(words)
  const { withVerbFirst } = await import('./verb.js')
  return withStatementLast(withVerbFirst(words))
}

/** A statement may begin with a comment, which looks like an option: `candlehouse sql "$(cat query.sql)"`. */
function withStatementLast(args: readonly string[]): readonly string[] {
  const isStatement = (word: string): boolean => /^--(\s|.*\n)/.test(word)
  if (args[0] !== 'sql' || args.includes('--') || !args.some(isStatement)) return args
  return [...args.filter((word) => !isStatement(word)), '--', ...args.filter(isStatement)]
}

/** The verb that was called, and the command below it: `schedule print`. */
function namesOf(parent: Command, [first, ...rest]: readonly string[]): string[] {
  const command = parent.commands.find((each) => each.name() === first)
  return command ? [command.name(), ...namesOf(command, rest)] : []
}
