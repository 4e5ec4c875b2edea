import type { Effects } from '../../effects.js'
import type { Progress } from '../../night/progress.js'
import type { RunSummary } from '../../night/summary.js'
import type { SourceKind } from '../../source/source.js'
import type { EmbeddedService } from '../session/embedded.js'

/** Inputs and outputs of a run: clock and random numbers, the signal that stops it, the progress that it shows. */
export interface RunIo {
  readonly effects: Effects
  readonly signal: AbortSignal
  readonly progress: Progress
  /** What jobs read. @default the brokerage */
  readonly source?: SourceKind | undefined
  /** For jobs without an address of a service. */
  readonly embedded?: EmbeddedService | undefined
  /** Called after the run has ended or failed, and its lock is released. */
  readonly onEnd?: ((summary: RunSummary) => void) | undefined
}
