import { Command } from 'commander'
import type { Effects } from '../effects.js'
import { packageVersion } from '../package.js'
import type { Edge } from './verb.js'

type Make = (edge: Edge, effects: Effects) => Command

/** Every verb, in the order in which someone new meets them, and where it is made. */
const VERBS: Readonly<Record<string, () => Promise<Make>>> = {
  nightly: async () => (await import('./verbs/nightly.js')).nightlyVerb,
  sql: async () => (await import('./verbs/sql.js')).sqlVerb,
  export: async () => (await import('./verbs/export.js')).exportVerb,
  status: async () => (await import('./verbs/status.js')).statusVerb,
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
  lake: async () => (await import('./verbs/lake.js')).lakeVerb,
  attach: async () => (await import('./verbs/attach.js')).attachVerb,
  ddl: async () => (await import('./verbs/ddl.js')).ddlVerb,
  sandbox: async () => (await import('./verbs/sandbox.js')).sandboxVerb,
  schedule: async () => (await import('./verbs/schedule.js')).scheduleVerb,
  config: async () => (await import('./verbs/config.js')).configVerb,
}

/**
 * The program, with the one verb that is asked for or, where it is none, with all of them: for help, and to say what was
 * meant. Loading them all takes 0.44 s, `sql` alone 0.21.
 *
 * @param asked first word of the command line
 */
export async function createProgram(
  edge: Edge,
  effects: Effects,
  asked: string | undefined,
): Promise<Command> {
  const program = new Command('candlehouse')
    .description(
      'Pages a brokerage’s market data into a DuckDB warehouse and publishes Parquet, every night.',
    )
    .version(packageVersion)
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
  const names = asked !== undefined && Object.hasOwn(VERBS, asked) ? [asked] : Object.keys(VERBS)
  for (const name of names) {
    const make = await VERBS[name]?.()
    if (make) program.addCommand(make(edge, effects))
  }
  throwInsteadOfExit(program)
  return program
}

/** The process edge alone decides how the process ends. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => undefined })
  for (const child of command.commands) throwInsteadOfExit(child)
}
