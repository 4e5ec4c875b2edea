import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Effects } from '../effects.js'
import { readProgress } from '../read/progress.js'
import { readStatus, type Status } from '../read/status.js'
import type { RunProgress } from '../run-progress.js'
import { catalogStamp } from './live-catalog.js'

export interface Tonight {
  /** ISO 8601: pages have no clock of their own to compare with. */
  now: string
  home: string
  status: Status
  progress: RunProgress | null
}

/** State of the nights: read again only where a file of it has changed, because pages ask every few seconds. */
export class TonightView {
  #known: { stamp: string; status: Promise<Status> } | undefined

  constructor(
    private readonly home: string,
    private readonly effects: Effects,
  ) {}

  async read(): Promise<Tonight> {
    const lastRun = statSync(join(this.home, 'logs', 'last-run.json'), { throwIfNoEntry: false })
    const stamp = `${catalogStamp(this.home)} ${lastRun?.mtimeMs ?? ''}`
    if (this.#known?.stamp !== stamp) this.#known = { stamp, status: readStatus(this.home, this.effects) }
    const now = new Date(this.effects.now()).toISOString()
    try {
      return { now, home: this.home, status: await this.#known.status, progress: readProgress(this.home) }
    } catch (error) {
      this.#known = undefined
      throw error
    }
  }
}
