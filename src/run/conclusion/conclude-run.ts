import { CandlehouseError } from 'candlehouse-foundation/errors'
import type { Day } from 'candlehouse-foundation/market/day'
import { reasonOf } from 'candlehouse-foundation/system-fault'
import { conclude } from '../../night/conclude.js'
import type { CommandLine, ConcludedRun, Conclusion } from '../../night/conclusion.js'
import { readConclusion } from '../../night/conclusion-file.js'
import { readLedger } from '../../night/ledger.js'
import { EMPTY_LEDGER, type LedgerFacts, type NightRecord } from '../../night/record.js'
import type { Run } from '../lifecycle/run.js'

/** The parts of a run's frame that its conclusion needs. */
export interface Asked {
  /** The command line that repeats the run. @default `candlehouse JOB` */
  readonly again?: CommandLine | undefined
  /** First session that the run is for. */
  readonly from?: Day | undefined
}

/** What a run that is ending concludes. */
export async function concludeRun(
  run: Run,
  ended: ConcludedRun,
  asked: Asked,
  failure: unknown,
): Promise<Conclusion> {
  const { report } = run
  const before = readConclusion(run.home)
  return conclude({
    run: ended,
    from: asked.from ?? null,
    again: asked.again ?? `candlehouse ${ended.job}`,
    dateOption: dateOption(run),
    failure: failureOf(failure),
    problems: [...report.remarks, ...report.problems],
    notes: [...report.notes, ...report.skipped],
    asks: report.next,
    missing: report.missing,
    keysRead: report.keysRead,
    published: report.hasPublished,
    ledger: await ledgerOf(run, asked, before),
    before,
  })
}

/** A run whose warehouse cannot be read any more concludes from what it knows itself. */
async function ledgerOf(run: Run, { from }: Asked, before: Conclusion | null): Promise<LedgerFacts> {
  const night = run.identity.job === 'nightly' ? null : (before?.night ?? null)
  const starts = [from, night?.from].filter((day) => day !== undefined)
  const scope = {
    tradingDate: run.tradingDate,
    from: starts.sort()[0] ?? run.tradingDate,
    sinceRun: night?.runId ?? run.identity.id,
    calendar: run.planningCalendar,
  }
  try {
    return await readLedger(run.warehouse, scope)
  } catch (error) {
    run.io.effects.log.warn(`the ledger was not read for the conclusion: ${reasonOf(error)}`)
    return EMPTY_LEDGER
  }
}

/** Commands take the latest closed session by themselves; another trading date has to be named. */
function dateOption({ planningCalendar, tradingDate, io }: Run): string {
  return tradingDate === planningCalendar.latestClosedSession(io.effects.now())
    ? ''
    : ` --date ${tradingDate}`
}

function failureOf(failure: unknown): NightRecord['failure'] {
  if (failure === undefined) return null
  if (failure instanceof CandlehouseError) return { message: failure.message, hint: failure.hint }
  return { message: `this is a bug: ${reasonOf(failure)}`, hint: undefined }
}
