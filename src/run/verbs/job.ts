import type { Stage } from '../../plan/datasets.js'
import type { Goal } from '../../plan/goal.js'
import type { Plan } from '../../plan/stage-plan.js'
import type { RunningSandbox } from '../../sandbox/index.js'
import type { Settings } from '../../settings/index.js'
import { missingWindows } from '../../warehouse/missing.js'
import { accountsBesideMarket, requireTrading } from '../accounts/access.js'
import { takeSnapshot } from '../accounts/account-snapshot.js'
import type { RunSpec } from '../jobs/run-spec.js'
import type { RunIo } from '../lifecycle/run-io.js'
import { type EndedRun, type RunBody, withRun } from '../lifecycle/with-run.js'
import { RepairRounds } from '../repair/rounds.js'
import type { RunSummary } from '../report/summary.js'
import { whileSandboxStarts } from '../session/service.js'
import { type Fetching, withFetching } from '../stages/fetching.js'
import { runStages, stagesOf } from '../stages/stages.js'
import { type Unfinished, untilDeadline } from '../stages/until-deadline.js'
import { loadHistory } from './import.js'

/**
 * Runs nightly, backfill, snapshot, repair or import: fetches or reads what the spec wants, loads it, checks it and
 * publishes it.
 *
 * @throws LockedError, StorageError before any request · UsageError, SettingsError · ServiceError after what was closed has
 * been committed; then nothing new is published
 */
export async function runJob(settings: Settings, spec: RunSpec, io: RunIo): Promise<RunSummary> {
  const { name, tradingDate, override } = spec
  const frame = { job: name, kind: 'job', tradingDate, override } as const
  const run = (body: RunBody<void>): Promise<EndedRun<void>> => withRun(settings, frame, io, body)
  // An import opens no service, a repair only one that it has a request for.
  const { summary } = spec.history
    ? await run(importBody(spec.history))
    : spec.repair
      ? await run(repairBody(spec))
      : await whileSandboxStarts(settings, tradingDate, (sandbox) => run(goalBody(spec, sandbox)))
  return summary
}

function importBody(history: NonNullable<RunSpec['history']>): RunBody<void> {
  return { work: (run) => loadHistory(run, history) }
}

/** Nightly, backfill, snapshot: the stages of each goal, then the accounts. */
function goalBody(spec: RunSpec, sandbox: Promise<RunningSandbox> | undefined): RunBody<void> {
  return {
    async work(run) {
      run.report.addNotes(spec.notes ?? [])
      const unfinished = unfinishedOf(spec)
      const fetchAll = async (fetching: Fetching): Promise<void> => {
        if (spec.accounts === 'only') await requireTrading(fetching.service, run.io.signal)
        for (const goal of spec.goals) {
          await runStages(goal, fetching, (stage) => unfinished.delete(stageName(stage, goal)))
        }
        await readAccounts(fetching, spec.accounts)
      }
      const withAccounts = spec.accounts !== 'none'
      await untilDeadline(run, unfinished, () => withFetching(run, withAccounts, fetchAll, sandbox))
    },
    async review(run) {
      for (const goal of spec.goals) run.report.addMissing(await missingWindows(run.warehouse, goal))
    },
  }
}

function unfinishedOf({ goals, accounts }: RunSpec): Unfinished {
  const stages = goals.flatMap((goal) => stagesOf(goal).map((stage) => stageName(stage, goal)))
  return new Set([...stages, ...(accounts === 'none' ? [] : ['accounts'])])
}

function stageName(stage: Stage, { from, to }: Goal): string {
  return stage === 'lists' ? stage : `${stage} of ${from} to ${to}`
}

async function readAccounts(fetching: Fetching, accounts: RunSpec['accounts']): Promise<void> {
  const { run, service } = fetching
  if (accounts === 'none') return reportLostSession(fetching)
  const take = (): Promise<void> => takeSnapshot(fetching)
  await (accounts === 'only' ? take() : accountsBesideMarket(run, service, take))
}

/** Repair: round after round. The service is not opened where the first round requests nothing. */
function repairBody({ tradingDate, notes = [] }: RunSpec): RunBody<void> {
  const rounds = new RepairRounds(tradingDate)
  return {
    async work(run) {
      run.report.addNotes(notes)
      const first = await rounds.next(run)
      if (first.length === 0) return
      await untilDeadline(run, new Set(), () =>
        withFetching(run, false, (fetching) => repair(fetching, rounds, first)),
      )
    },
    async review(run) {
      const { missing, skipped, notes, problems } = await rounds.outcome(run.warehouse)
      run.report.addMissing(missing)
      run.report.addSkipped(skipped)
      run.report.addNotes(notes)
      run.report.addProblems(problems)
    },
  }
}

async function repair(fetching: Fetching, rounds: RepairRounds, first: readonly Plan[]): Promise<void> {
  for (let plans = first; plans.length > 0; plans = await rounds.next(fetching.run)) {
    for (const plan of plans) await fetching.ingest(plan)
  }
  reportLostSession(fetching)
}

function reportLostSession({ run, service }: Fetching): void {
  if (service.lostSession) run.report.addNotes([`${service.lostSession}: candlehouse login`])
}
