import type { PageRecord, PartWalk } from '../../land/journal.js'
import type { Steps } from '../steps.js'
import type { AccountPage } from './page-records.js'

/** Every account walk of a key in one run, with what the steps of their loading need. */
export interface ReceivedSnapshot {
  readonly steps: Steps
  readonly walks: readonly PartWalk[]
  /** Those of the walks. */
  readonly pages: readonly PageRecord[]
  /** What the pages hold, by their ids. */
  readonly read: ReadonlyMap<string, AccountPage>
  /** Accounts of the key's list that another key of the run has read: they are left to it. */
  readonly others: readonly string[]
}
