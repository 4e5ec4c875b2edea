import { doubtsWith } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import { sqlFile } from '../../duckdb/sqlfile.js'
import type { RunSummary } from '../../night/summary.js'
import type { Stage } from '../../plan/datasets.js'
import { driftLine } from '../../plan/field-drift.js'
import type { Goal } from '../../plan/goal.js'
import type { Plan } from '../../plan/stage-plan.js'
import { calendarAdvice, readCalendarStatus } from '../../settings/calendar-status.js'
import type { Settings } from '../../settings/index.js'
import type { SourceKind } from '../../source/source.js'
import { driftOfRun } from '../../warehouse/drift.js'
import { isUnseen, missingWindows } from '../../warehouse/missing.js'
import { accountsAlone, accountsBesideMarket, reportLaterLoss } from '../accounts/account-access.js'
import { doubtNotes } from '../jobs/doubts.js'
import type { RunSpec } from '../jobs/run-spec.js'
import type { Run } from '../lifecycle/run.js'
import type { RunIo } from '../lifecycle/run-io.js'
import { type RunBody, withRun } from '../lifecycle/with-run.js'
import { gapsSince, planOlderGaps, unfinishedGoal } from '../repair/older-gaps.js'
import { RepairRounds } from '../repair/rounds.js'
import { sourceOf } from '../session/service.js'
import type { Fetching } from '../stages/fetching.js'
import { type KeyWork, withKeys } from '../stages/keys.js'
import {
  runStages,
  STAGES,
  STAGES_BEFORE_ACCOUNTS,
  STAGES_OF_UNFINISHED,
  type StageProgress,
  stagesOf,
} from '../stages/stages.js'
import { type Unfinished, untilDeadline } from '../stages/until-deadline.js'
import { loadHistory } from './import.js'

/**
 * Runs nightly, backfill, snapshot, repair or import: fetches the data of the spec or reads the user's file, then loads, checks
 * and publishes.
 *
 * @throws LockedError, StorageError before any request · UsageError, SettingsError · ServiceError after the closed page walks
 * have been committed; then nothing new is published
 */
export async function runJob(settings: Settings, spec: RunSpec, io: RunIo): Promise<RunSummary> {
  const { name, tradingDate, override, again, history, repair } = spec
  const kind = spec.publishes === false ? 'part' : 'job'
  const frame = { job: name, kind, tradingDate, override, again, from: firstSessionOf(spec) } as const
  // An import opens no service, a repair only one that it has a request for.
  const ofRest = repair ? repairBody(spec) : goalBody(servedBy(sourceOf(io), spec))
  const body = history ? { work: (run: Run) => loadHistory(run, history) } : ofRest
  // Its modules load while the warehouse is opened.
  if (!history && !repair && settings.baseUrl === undefined) void io.embedded?.start(tradingDate)
  const { summary } = await withRun(settings, frame, io, body)
  return summary
}

/** First session that the run is for; undefined where it fetches no sessions. A repair is for everything that is stored. */
function firstSessionOf(spec: RunSpec): Day | undefined {
  return spec.repair ? '0001-01-01' : spec.goals.map((goal) => startOf(goal, spec)).sort()[0]
}

/** First day whose incomplete windows the run requests. */
function startOf(goal: Goal, { name }: RunSpec): Day {
  return name === 'nightly' ? gapsSince(goal) : goal.from
}

/** The spec without what the source does not have. */
function servedBy({ datasets }: SourceKind, spec: RunSpec): RunSpec {
  const served = new Set<string>(datasets)
  const goals = spec.goals.map((goal) => ({
    ...goal,
    datasets: goal.datasets.filter((name) => served.has(name)),
  }))
  return { ...spec, goals }
}

/** Nightly, backfill, snapshot: the stages of each goal, and the accounts before the candles. */
function goalBody(spec: RunSpec): RunBody<void> {
  return {
    async work(run) {
      run.report.notes.push(...(spec.notes ?? []))
      for (const goal of spec.goals) run.report.notes.push(...(await doubtNotes(goal, run, run.warehouse)))
      const unfinished = unfinishedOf(spec)
      const finished = spec.goals.map(() => new Set<Stage>())
      const runGoals = async (fetching: Fetching, stages: readonly Stage[]): Promise<void> => {
        for (const [index, goal] of spec.goals.entries()) {
          const progress: StageProgress = {
            isFinished: (stage) => finished[index]?.has(stage) === true,
            onFinished: (stage) => {
              finished[index]?.add(stage)
              unfinished.delete(stageName(stage, goal))
            },
          }
          await runStages(goal, fetching, progress, stages)
        }
      }
      const work: KeyWork = {
        beforeAccounts: (fetching) => runGoals(fetching, STAGES_BEFORE_ACCOUNTS),
        accounts: readerOf(spec.accounts, unfinished),
        async market(fetching) {
          await runGoals(fetching, STAGES)
          if (spec.name === 'nightly') for (const goal of spec.goals) await fetchOlderGaps(goal, fetching)
          reportLaterLoss(fetching)
        },
        isForAccounts: spec.accounts === 'only',
      }
      await untilDeadline(run, unfinished, () => withKeys(run, work))
    },
    async review(run) {
      for (const goal of spec.goals) {
        const from = startOf(goal, spec)
        run.report.missing.push(...(await missingWindows(run.warehouse, { ...goal, from })))
      }
      if (spec.name === 'nightly') {
        await reportUnseenSession(run)
        await reportEndOfCalendar(run)
      }
      await reportDrift(run)
    },
  }
}

/**
 * A nightly whose trading date no answer has is not complete, although nothing failed; unless the calendar leaves open whether the
 * day is a session.
 */
async function reportUnseenSession({ warehouse, tradingDate, userDays, report }: Run): Promise<void> {
  if (!(await isUnseen(warehouse, tradingDate))) return
  const doubt = doubtsWith(userDays)(tradingDate)
  if (doubt !== undefined) {
    const text = `no answer has trades of ${tradingDate}, and ${doubt}: taken as a holiday; the next session decides`
    report.notes.push(text)
    return
  }
  const text =
    `no answer has trades of ${tradingDate}: the service does not have the session yet, or the exchanges were closed ` +
    '(then name the day in calendar.csv); the next session decides'
  report.addProblems([text], { kind: 'session_unseen' })
}

/** The first nightly of a week says that the calendar ends soon: in every night the line would not be read. */
async function reportEndOfCalendar(run: Run): Promise<void> {
  const { warehouse, identity, tradingDate, report } = run
  const calendar = readCalendarStatus(run.home, run.io.effects)
  if (!calendar.isEnding) return
  const earlier = await warehouse.rows(sqlFile('warehouse/nightly_of_week.sql'), [tradingDate, identity.id])
  if (earlier.length === 0) report.notes.push(calendarAdvice(calendar))
}

async function fetchOlderGaps(goal: Goal, fetching: Fetching): Promise<void> {
  const { warehouse, planningCalendar } = fetching.run
  const unfinished = await unfinishedGoal(goal, warehouse, planningCalendar)
  if (unfinished) await runStages(unfinished, fetching, {}, STAGES_OF_UNFINISHED)
  const { plans } = await planOlderGaps(goal, warehouse, planningCalendar)
  for (const plan of plans) await fetching.ingest(plan)
}

function unfinishedOf({ goals, accounts }: RunSpec): Unfinished {
  const stages = goals.flatMap((goal) => stagesOf(goal).map((stage) => stageName(stage, goal)))
  return new Set([...stages, ...(accounts === 'none' ? [] : ['accounts'])])
}

function stageName(stage: Stage, { from, to }: Goal): string {
  return stage === 'lists' ? stage : `${stage} of ${from} to ${to}`
}

function readerOf(accounts: RunSpec['accounts'], unfinished: Unfinished): KeyWork['accounts'] {
  if (accounts === 'none') return undefined
  return async (fetching) => {
    const ended = await (accounts === 'only' ? accountsAlone(fetching) : accountsBesideMarket(fetching))
    unfinished.delete('accounts')
    return ended
  }
}

/** Repair: round after round. The service is not opened where the first round requests nothing. */
function repairBody({ tradingDate, notes = [] }: RunSpec): RunBody<void> {
  const rounds = new RepairRounds(tradingDate)
  return {
    async work(run) {
      run.report.notes.push(...notes)
      const plans = [...(await rounds.next(run))]
      if (plans.length === 0) return
      const market = (fetching: Fetching): Promise<void> => repair(fetching, rounds, plans)
      await untilDeadline(run, new Set(), () => withKeys(run, { market, isForAccounts: false }))
    },
    async review(run) {
      const { missing, skipped, notes, problems } = await rounds.outcome(run.warehouse)
      run.report.missing.push(...missing)
      run.report.addSkipped(skipped)
      run.report.notes.push(...notes)
      for (const { text, rule, severity } of problems) {
        if (severity === 'error') run.report.addProblems([text], { kind: 'withheld', rule })
        else run.report.remarks.push({ kind: 'unrepaired', text, rule })
      }
      await reportDrift(run)
    },
  }
}

/** Fields that differ from the specification are no fault by themselves, and one line per dataset. */
async function reportDrift({ warehouse, identity, report }: Run): Promise<void> {
  report.notes.push(...(await driftOfRun(warehouse, identity.id)).map(driftLine))
}

/** @param plans those left to fetch: if this key fails, the next one continues with them */
async function repair(fetching: Fetching, rounds: RepairRounds, plans: Plan[]): Promise<void> {
  for (; plans.length > 0; plans.push(...(await rounds.next(fetching.run)))) {
    for (let [plan] = plans; plan; [plan] = plans) {
      await fetching.ingest(plan)
      plans.shift()
    }
  }
  reportLaterLoss(fetching)
}
