import type { Effects } from '../../effects.js'
import type { Progress } from './progress.js'

/** The outside of a run: clock and random numbers, the signal that stops it, the progress that is shown. */
export interface RunIo {
  readonly effects: Effects
  readonly signal: AbortSignal
  readonly progress: Progress
}
