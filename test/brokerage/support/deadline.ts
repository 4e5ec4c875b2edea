import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import { onEnd } from '../../support/cleanup.js'

export interface HeldDeadline {
  /** For `deadlineMs` of a client: no other timer waits as long. */
  readonly ms: number
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
  const { setTimeout, clearTimeout } = timers
  const pending = new Map<unknown, () => void>()
  const replace = (replacement: object): void => {
    Object.assign(timers, replacement)
    syncBuiltinESMExports()
  }
  replace({
    setTimeout: (act: () => void, after: number) => {
      const timer = setTimeout(act, after)
      if (after === ms) pending.set(timer, act)
      return timer
    },
    clearTimeout: (timer: NodeJS.Timeout | undefined) => {
      pending.delete(timer)
      clearTimeout(timer)
    },
  })
  onEnd(() => replace({ setTimeout, clearTimeout }))
  return {
    ms,
    get waiting() {
      return pending.size
    },
    pass: () => {
      for (const act of pending.values()) act()
    },
  }
}
