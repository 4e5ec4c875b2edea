import { Command } from 'commander'
import type { Effects } from '../effects.js'
import { packageVersion } from '../package.js'
import type { Edge } from './verb.js'
import { attachVerb } from './verbs/attach.js'
import { backfillVerb } from './verbs/backfill.js'
import { checkVerb } from './verbs/check.js'
import { configVerb } from './verbs/config.js'
import { ddlVerb } from './verbs/ddl.js'
import { exportVerb } from './verbs/export.js'
import { importVerb } from './verbs/import.js'
import { lakeVerb } from './verbs/lake.js'
import { keepaliveVerb, loginVerb, logoutVerb } from './verbs/login.js'
import { nightlyVerb } from './verbs/nightly.js'
import { planVerb } from './verbs/plan.js'
import { publishVerb } from './verbs/publish.js'
import { reconcileVerb } from './verbs/reconcile.js'
import { repairVerb } from './verbs/repair.js'
import { replayVerb } from './verbs/replay.js'
import { sandboxVerb } from './verbs/sandbox.js'
import { scheduleVerb } from './verbs/schedule.js'
import { snapshotVerb } from './verbs/snapshot.js'
import { sqlVerb } from './verbs/sql.js'
import { statusVerb } from './verbs/status.js'
import { traceVerb } from './verbs/trace.js'

/** Every verb, in the order in which someone new meets them. */
export function createProgram(edge: Edge, effects: Effects): Command {
  const program = new Command('candlehouse')
    .description(
      'Pages a brokerage’s market data into a DuckDB warehouse and publishes Parquet, every night.',
    )
    .version(packageVersion)
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
  for (const make of [
    nightlyVerb,
    sqlVerb,
    exportVerb,
    statusVerb,
    traceVerb,
    planVerb,
    backfillVerb,
    repairVerb,
    importVerb,
    snapshotVerb,
    loginVerb,
    logoutVerb,
    keepaliveVerb,
    checkVerb,
    reconcileVerb,
    publishVerb,
    replayVerb,
    lakeVerb,
    attachVerb,
    ddlVerb,
    sandboxVerb,
    scheduleVerb,
    configVerb,
  ]) {
    program.addCommand(make(edge, effects))
  }
  throwInsteadOfExit(program)
  return program
}

/** The process edge alone decides how the process ends. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => undefined })
  for (const child of command.commands) throwInsteadOfExit(child)
}
