import { ServiceError } from 'candlehouse-foundation/errors'
import type { LastResponse, NoAnswerError, Source, WalkLimits } from '../source/source.js'

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

/** Failures of an endpoint since its last answer. */
interface Failures {
  readonly windows: number
  readonly timeouts: number
  readonly last: LastResponse | undefined
}

/**
 * Decides what a window that failed for good shows: something about this window, its endpoint, or the service. The key of the
 * API is the session's subject: the source throws a SettingsError where it is refused, and a 401 of one resource is an answer like
 * any refusal.
 *
 * - window: the default. It is incomplete, everything else goes on.
 * - endpoint: `FAILING` windows in a row failed. Its other windows are requested without retries; one answer ends that.
 * - service: it cannot be reached, nobody can sign in, or several endpoints fail and `Source.isAnswering` finds none that answers.
 */
export class FaultScope {
  private readonly failures = new Map<string, Failures>()
  /** Failures in a row, of all endpoints, after which the service is suspected next. */
  private suspectAt = SUSPECT
  private suspectAgain = SUSPECT_AGAIN
  private inARow = 0
  /** Under way: windows that fail at the same time ask once. */
  private probe: Promise<boolean> | undefined

  constructor(private readonly source: Pick<Source, 'isAnswering'>) {}

  /**
   * How often pages of a window are requested. A window that is on its way when its endpoint turns out to be failing gives up, too:
   * eight windows are requested at the same time, and only one of them retries.
   *
   * @param failedRuns runs in a row in which the window failed
   */
  limitsOf(endpoint: string, failedRuns: number): WalkLimits {
    const limit = ATTEMPTS[Math.min(failedRuns, ATTEMPTS.length - 1)]
    const attempts = (): number | undefined => (this.of(endpoint).windows >= FAILING ? 1 : limit)
    return { attempts, retries: RETRIES_PER_WALK }
  }

  /** Why windows of an endpoint are not requested any more; undefined where they are. */
  skipped(endpoint: string): LastResponse | undefined {
    const { timeouts, last } = this.of(endpoint)
    if (timeouts < HANGING || !last) return undefined
    return {
      ...last,
      attempts: 0,
      problem: `not requested, after ${timeouts} others in a row: ${last.problem}`,
    }
  }

  answered(endpoint: string): void {
    this.failures.delete(endpoint)
    this.inARow = 0
    this.suspectAt = SUSPECT
    this.suspectAgain = SUSPECT_AGAIN
  }

  /** A window of the endpoint failed for good. @throws ServiceError if that is the service's fault */
  async failed(endpoint: string, error: NoAnswerError, signal: AbortSignal): Promise<void> {
    const { isOutage, isTimeout, last } = error.about
    if (isOutage) throw error
    const { windows, timeouts } = this.of(endpoint)
    this.failures.set(endpoint, {
      windows: windows + 1,
      timeouts: isTimeout ? timeouts + 1 : 0,
      last,
    })
    this.inARow += 1
    const isSuspect = windows + 1 === FAILING || (this.failures.size > 1 && this.inARow >= this.suspectAt)
    if (!isSuspect && this.inARow < this.suspectAgain) return
    this.probe ??= this.probed(signal).finally(() => {
      this.probe = undefined
    })
    if (await this.probe) return
    throw new ServiceError(
      `the service fails: ${[...this.failures.keys()].join(', ')}; the last: ${error.message}`,
      {
        hint: error.hint,
        cause: error,
      },
    )
  }

  /** Whether the service answers; then it is suspected later. */
  private async probed(signal: AbortSignal): Promise<boolean> {
    if (!(await this.source.isAnswering(new Set(this.failures.keys()), signal))) return false
    if (this.suspectAt !== SUSPECT) this.suspectAgain *= 2
    this.suspectAt = this.suspectAgain
    this.inARow = 0
    return true
  }

  private of(endpoint: string): Failures {
    return this.failures.get(endpoint) ?? { windows: 0, timeouts: 0, last: undefined }
  }
}
