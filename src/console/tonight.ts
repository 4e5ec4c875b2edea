import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Effects } from '../effects.js'
import { type LastRuns, readLastRuns } from '../night/last-run.js'
import { type RunProgress, readProgress } from '../night/progress.js'
import { catalogStamp } from '../read/live-catalog.js'
import { readStatus, type Status } from '../read/status.js'

export interface Tonight {
  /** ISO 8601: pages have no clock of their own to compare with. */
  now: string
  home: string
  status: Status
  runs: LastRuns
  progress: RunProgress | null
}

/** State of the nights: read again only where a file of it has changed, because pages ask every few seconds. */
export class TonightView {
  #known: { stamp: string; status: Promise<Status>; runs: LastRuns } | undefined

  constructor(
    private readonly home: string,
    private readonly effects: Effects,
  ) {}

  async read(): Promise<Tonight> {
    // Before all else: a run writes how it ended and only then removes its progress. Read after them, a run that ends
    // meanwhile would be neither under way nor ended.
    const progress = readProgress(this.home)
    const stamps = ['last-run.json', 'conclusion.json'].map(
      (name) => statSync(join(this.home, 'logs', name), { throwIfNoEntry: false })?.mtimeMs ?? '',
    )
    const stamp = [catalogStamp(this.home), ...stamps].join(' ')
    if (this.#known?.stamp !== stamp) {
      const status = readStatus(this.home, this.effects)
      this.#known = { stamp, status, runs: readLastRuns(this.home) }
    }
    const { status, runs } = this.#known
    const now = new Date(this.effects.now()).toISOString()
    try {
      return { now, home: this.home, status: await status, runs, progress }
    } catch (error) {
      this.#known = undefined
      throw error
    }
  }
}
