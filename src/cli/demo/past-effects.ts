import type { Effects } from '../../effects.js'

/** Effects of runs on days of the past, and their clock. */
export interface PastEffects {
  readonly effects: Effects
  /** Sets the clock to this instant (epoch milliseconds); from there it goes on. */
  begin(instant: number): void
}

/**
 * What a run stores says when it was received: a demo that was fetched today would have been known on none of its evenings. No wait
 * takes time, the clock goes on instead: a retry after 30 s is as in a real night, and nobody waits for it.
 */
export function pastEffects(present: Effects): PastEffects {
  let skipped = 0
  let begun = { instant: 0, monotonic: 0 }
  const monotonic = (): number => present.monotonic() + skipped
  return {
    effects: {
      ...present,
      monotonic,
      now: () => Math.round(begun.instant + monotonic() - begun.monotonic),
      sleep: async (ms, signal) => {
        await present.sleep(0, signal)
        skipped += ms
      },
    },
    begin(instant) {
      begun = { instant, monotonic: monotonic() }
    },
  }
}
