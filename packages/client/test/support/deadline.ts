import { type Effects, systemEffects } from 'candlehouse-foundation/effects'

export interface HeldDeadline {
  /** For `deadlineMs` of a client: no other timer waits as long. */
  readonly ms: number
  /** The timers of a client whose deadline is held: part of its effects. */
  readonly after: Effects['after']
  /** Attempts that are under way. */
  readonly waiting: number
  /** Lets it pass for the attempts that are under way. */
  pass(): void
}

/**
 * A deadline that passes when the test says so: nobody waits for it, and a slow machine does not meet it too early.
 *
 * @param ms no other timer may wait as long
 */
export function heldDeadline(ms = 54_321): HeldDeadline {
  const pending = new Set<() => void>()
  return {
    ms,
    after: (wait, run) => {
      if (wait !== ms) return systemEffects.after(wait, run)
      pending.add(run)
      return () => pending.delete(run)
    },
    get waiting() {
      return pending.size
    },
    pass: () => {
      for (const run of [...pending]) run()
    },
  }
}
