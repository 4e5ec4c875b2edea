import type { Effects } from '../../effects.js'
import type { Progress } from './progress.js'

/** The outside of a run: clock and chance, the signal that stops it, the person who watches. */
export interface RunIo {
  readonly effects: Effects
  readonly signal: AbortSignal
  readonly progress: Progress
}
