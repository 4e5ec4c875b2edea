import type { Effects } from '../../effects.js'
import type { RunSummary } from '../report/summary.js'
import type { Progress } from './progress.js'

/** The outside of a run: clock and random numbers, the signal that stops it, the progress that is shown. */
export interface RunIo {
  readonly effects: Effects
  readonly signal: AbortSignal
  readonly progress: Progress
  /** Called when the run has ended, also where it failed; its lock is released. */
  readonly onEnd?: ((summary: RunSummary) => void) | undefined
}
