import type { Effects } from '../../effects.js'
import type { WindowRequest } from '../../plan/request.js'
import type { Settings } from '../../settings/index.js'

const HOUR_MS = 3_600_000

/** Hours that a run may fetch by default: a nightly that starts in the evening ends before the next session opens. */
const DEFAULT_HOURS = 8

/** The run may fetch no longer. The run has not failed: closed walks are loaded, checked and published. */
export class DeadlineReached extends Error {
  /** @param unfetched windows of the current stage that were not fetched */
  constructor(readonly unfetched: readonly WindowRequest[] = []) {
    super('the run has reached its deadline')
    this.name = 'DeadlineReached'
  }
}

/** How long a run may fetch: measured by the monotonic clock from its start, waits included. */
export class Deadline {
  /** Undefined for none. */
  readonly hours: number | undefined
  private readonly endsAt: number
  private readonly effects: Effects

  constructor(job: string, settings: Pick<Settings, 'maxHours'>, effects: Effects) {
    this.hours = settings.maxHours ?? (job === 'backfill' ? undefined : DEFAULT_HOURS)
    this.endsAt = effects.monotonic() + (this.hours ?? Number.POSITIVE_INFINITY) * HOUR_MS
    this.effects = effects
  }

  /** @throws DeadlineReached */
  throwIfReached(): void {
    if (this.effects.monotonic() >= this.endsAt) throw new DeadlineReached()
  }

  /** Effects whose waits end at the deadline. Their `sleep` throws DeadlineReached there. */
  limit(effects: Effects): Effects {
    return {
      ...effects,
      sleep: async (ms, signal) => {
        const left = this.endsAt - effects.monotonic()
        await effects.sleep(Math.max(0, Math.min(ms, left)), signal)
        if (ms >= left) throw new DeadlineReached()
      },
    }
  }
}
