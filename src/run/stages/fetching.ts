import pLimit from 'p-limit'
import type { Effects } from '../../effects.js'
import { FaultScope } from '../../fetch/fault-scope.js'
import type { FetchContext } from '../../fetch/walk.js'
import { fetchWindow, type WindowContext } from '../../fetch/window.js'
import type { Journal } from '../../land/journal.js'
import { createLoader, type Loader } from '../../load/loader.js'
import type { Coverage } from '../../plan/coverage.js'
import type { Goal } from '../../plan/goal.js'
import type { WindowRequest } from '../../plan/request.js'
import type { Plan } from '../../plan/stage-plan.js'
import type { Settings } from '../../settings/index.js'
import { readCoverage, readFailedRuns } from '../../warehouse/read-coverage.js'
import { listedCount } from '../../warehouse/wanted-windows.js'
import { DeadlineReached } from '../lifecycle/deadline.js'
import type { Run } from '../lifecycle/run.js'
import { type RunKey, runKeyOf } from '../session/run-key.js'
import { openService, type Service, type ServiceOptions } from '../session/service.js'

/** Page walks made at the same time. The throttle limits the rate, not this number. */
const WORKERS = 8

/** A run while its service is open with one of its keys: fetches what plans request, and loads it. */
export class Fetching {
  /** Coverage read since the last load, by goal, so that a stage without requests does not read the same again. */
  private readonly coverage = new Map<string, Coverage>()
  /** See `WindowContext`. */
  private readonly edges: WindowContext['edges'] = new Map()

  constructor(
    readonly run: Run,
    readonly service: Service,
    readonly context: FetchContext,
    readonly key: RunKey,
    /** Accounts that a key of the run has read. */
    readonly accountsRead: Set<string>,
  ) {}

  /** Coverage of the goal's sessions, as stored now. */
  async readCoverage(goal: Goal): Promise<Coverage> {
    const { tradingDate, from, to, crossChecks, mustBeKnown } = goal
    const name = JSON.stringify([tradingDate, from, to, crossChecks, mustBeKnown])
    const known = this.coverage.get(name)
    if (known) return known
    const coverage = await readCoverage(this.run.warehouse, goal)
    this.coverage.set(name, coverage)
    return coverage
  }

  /**
   * Fetches and loads what a stage's plan requests. A window that fails is incomplete, and the others go on. An outage stops
   * them after their current page; page walks that were closed by then are loaded before it is thrown.
   *
   * @throws DeadlineReached with the windows that were not closed in time, after the others were loaded
   */
  async ingest(plan: Plan): Promise<void> {
    const { run, context } = this
    const { progress } = run.io
    this.coverage.clear()
    const loader = createLoader(run.warehouse, run.home, run.calendar, (loaded) => run.addLoaded(loaded))
    const stop = new AbortController()
    const stoppable: WindowContext = {
      ...context,
      listed: await listedCount(run.warehouse),
      failedRunsOf: await readFailedRuns(run.warehouse),
      edges: this.edges,
      signal: AbortSignal.any([context.signal, stop.signal]),
      onLanded: loader.landed,
    }
    const limit = pLimit(WORKERS)
    progress.phase(plan.stage, plan.requests.length)
    const endings = await Promise.all(
      plan.requests.map((request) =>
        limit(async () => {
          const fetched = this.fetchAndLoad(request, loader, stoppable).then(() => 'fetched' as const)
          return await fetched.catch((error: unknown) => {
            if (error instanceof DeadlineReached) return 'late'
            stop.abort(error)
            return 'failed'
          })
        }),
      ),
    )
    progress.done()
    context.signal.throwIfAborted()
    await loader.flush()
    stop.signal.throwIfAborted()
    const unfetched = plan.requests.filter((_, index) => endings[index] === 'late')
    if (unfetched.length > 0) throw new DeadlineReached(unfetched)
  }

  /** Marks what the answers so far contradict, so that the candles in doubt are requested in this run. */
  async weighEvidence(): Promise<void> {
    await this.run.weighEvidence({ beforeCandles: true })
    this.coverage.clear()
  }

  private async fetchAndLoad(request: WindowRequest, loader: Loader, context: WindowContext): Promise<void> {
    if (context.signal.aborted) return
    context.checkDeadline()
    const { tally, io } = this.run
    const walks = await fetchWindow(request, context)
    tally.addWindows(request.dataset)
    for (const walk of walks) await loader.add(walk)
    io.progress.advance(1, `${request.dataset} ${request.key}`)
  }
}

/** Objects that all keys of a run share while it fetches. */
export interface SharedFetching extends Omit<ServiceOptions, 'tradingDate'> {
  readonly journal: Journal
  /** Their waits end at the run's deadline. */
  readonly effects: Effects
  readonly count: FetchContext['count']
  /** Accounts that a key of the run has read: later keys skip them. */
  readonly accountsRead: Set<string>
}

/**
 * Opens the service with one key for as long as `work` takes.
 *
 * @param settings those of the key: `keysOf`
 * @throws SettingsError when others can read the stored API session · DeadlineReached
 */
export async function withFetching<T>(
  run: Run,
  settings: Settings,
  shared: SharedFetching,
  work: (fetching: Fetching) => Promise<T>,
): Promise<T> {
  const { home, identity, tradingDate, io } = run
  const { journal, count, effects } = shared
  const service = await openService(settings, { tradingDate, ...shared }, { ...io, effects })
  try {
    const context = {
      source: service.source,
      scope: new FaultScope(service.source),
      journal,
      home,
      run: identity.id,
      job: identity.job,
      tradingDate,
      keyName: settings.keyName,
      signal: io.signal,
      checkDeadline: () => run.deadline.throwIfReached(),
      listed: 0,
      count,
    }
    return await work(new Fetching(run, service, context, runKeyOf(settings), shared.accountsRead))
  } finally {
    await service.close()
  }
}
