import type {
  Client,
  Endpoint,
  LastResponse,
  Query,
  ReadLimits,
  UnansweredError,
} from 'candlehouse-client/reading'
import { createRetryBudget } from 'candlehouse-client/reading'
import { ServiceError } from 'candlehouse-foundation/errors'

/** Windows of one endpoint that fail in a row, after which it counts as failing: its other windows are requested once each. */
const FAILING = 3

/** Windows of a failing endpoint that time out in a row, after which its others are not requested: each takes a minute. */
const HANGING = 16

/** Windows of several endpoints that fail in a row, after which the service is suspected. */
const SUSPECT = 4

/** Windows that fail in a row from one suspicion to the next, where the service was found to answer; doubled each time. */
const SUSPECT_AGAIN = 25

/** Retries of one page walk, at most: 1,000 pages that fail once each are a service that does not work. */
const RETRIES_PER_WALK = 30

/** Attempts of a window by the number of runs in a row in which it failed; the last is for all later runs. */
const ATTEMPTS: readonly (number | undefined)[] = [undefined, 3, 2, 1]

/** Attempts of a probe: a single fault must not look like an outage. */
const PROBE_ATTEMPTS = 3

/** Cheap requests that show whether the service answers at all. */
const PROBES: readonly (readonly [Endpoint, Query])[] = [
  ['indexList', {}],
  ['securitiesByBoard', { board: 'HOSE' }],
  ['masterdata', { pageIndex: '1', pageSize: '10' }],
]

/** Failures of an endpoint since its last answer. */
interface Failures {
  readonly windows: number
  readonly timeouts: number
  readonly last: LastResponse | undefined
}

/**
 * Decides what a window that failed for good shows: something about this window, its endpoint, or the service. The key of the
 * API is the session's subject: it throws a SettingsError if the service refuses it (`brokerage/session`), and a 401 of one
 * resource is an answer like any refusal (`brokerage/reader.ts`).
 *
 * - window: the default. It is incomplete, everything else goes on.
 * - endpoint: `FAILING` windows in a row failed. Its other windows are requested without retries; one answer ends that.
 * - service: it cannot be reached, nobody can sign in, or several endpoints fail and none of `PROBES` is answered.
 */
export class FaultScope {
  readonly #failures = new Map<Endpoint, Failures>()
  /** Failures in a row, of all endpoints, after which the service is suspected next. */
  #suspectAt = SUSPECT
  #suspectAgain = SUSPECT_AGAIN
  #inARow = 0
  /** Under way: windows that fail at the same time ask once. */
  #probe: Promise<boolean> | undefined

  constructor(private readonly client: Pick<Client, 'market'>) {}

  /** How often pages of a window are requested. @param failedRuns runs in a row in which the window failed */
  limitsOf(endpoint: Endpoint, failedRuns: number): ReadLimits {
    const isFailing = this.#of(endpoint).windows >= FAILING
    const attempts = isFailing ? 1 : ATTEMPTS[Math.min(failedRuns, ATTEMPTS.length - 1)]
    const budget = createRetryBudget(RETRIES_PER_WALK)
    return attempts === undefined ? { budget } : { attempts, budget }
  }

  /** Why windows of an endpoint are not requested any more; undefined where they are. */
  skipped(endpoint: Endpoint): LastResponse | undefined {
    const { timeouts, last } = this.#of(endpoint)
    if (timeouts < HANGING || !last) return undefined
    return {
      ...last,
      attempts: 0,
      problem: `not requested, after ${timeouts} others in a row: ${last.problem}`,
    }
  }

  answered(endpoint: Endpoint): void {
    this.#failures.delete(endpoint)
    this.#inARow = 0
    this.#suspectAt = SUSPECT
    this.#suspectAgain = SUSPECT_AGAIN
  }

  /** A window of the endpoint failed for good. @throws ServiceError if that is the service's fault */
  async failed(endpoint: Endpoint, error: UnansweredError, signal: AbortSignal): Promise<void> {
    if (error.reach === 'service') throw error
    const { windows, timeouts } = this.#of(endpoint)
    this.#failures.set(endpoint, {
      windows: windows + 1,
      timeouts: error.kind === 'timeout' ? timeouts + 1 : 0,
      last: error.last,
    })
    this.#inARow += 1
    const isSuspect = windows + 1 === FAILING || (this.#failures.size > 1 && this.#inARow >= this.#suspectAt)
    if (!isSuspect && this.#inARow < this.#suspectAgain) return
    this.#probe ??= this.#probed(signal).finally(() => {
      this.#probe = undefined
    })
    if (await this.#probe) return
    throw new ServiceError(
      `the service fails: ${[...this.#failures.keys()].join(', ')}; the last: ${error.message}`,
      {
        hint: error.hint,
        cause: error,
      },
    )
  }

  /** Whether the service answers; then it is suspected later. */
  async #probed(signal: AbortSignal): Promise<boolean> {
    if (!(await this.#isAnswering(signal))) return false
    if (this.#suspectAt !== SUSPECT) this.#suspectAgain *= 2
    this.#suspectAt = this.#suspectAgain
    this.#inARow = 0
    return true
  }

  /** Whether an endpoint that is not failing answers. */
  async #isAnswering(signal: AbortSignal): Promise<boolean> {
    for (const [endpoint, query] of PROBES) {
      if (this.#failures.has(endpoint)) continue
      try {
        await this.client.market.get(endpoint as 'indexList', query, signal, { attempts: PROBE_ATTEMPTS })
        return true
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
      }
    }
    return false
  }

  #of(endpoint: Endpoint): Failures {
    return this.#failures.get(endpoint) ?? { windows: 0, timeouts: 0, last: undefined }
  }
}
