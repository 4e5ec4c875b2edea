import { dayOf } from 'candlehouse-foundation/market/day'
import type { Effects } from '../effects.js'
import { type LastRuns, readLastRuns } from '../night/last-run.js'
import { type RunProgress, readProgress } from '../night/progress.js'
import { catalogStamp } from '../read/live-catalog.js'
import { type Figures, readEnded, readFigures, type Status } from '../read/status.js'

export interface Tonight {
  /** ISO 8601: pages have no clock of their own to compare with. */
  now: string
  home: string
  status: Status
  runs: LastRuns
  progress: RunProgress | null
  /** The margin of each account that has one: `sql/console/account_margins.sql`. */
  margins: Record<string, unknown>[]
}

/** State of the nights: the catalog is read again only where it has changed, because pages ask every few seconds. */
export class TonightView {
  private known:
    | { stamp: string; figures: Promise<Figures>; margins: Promise<Tonight['margins']> }
    | undefined

  constructor(
    private readonly home: string,
    private readonly effects: Effects,
    private readonly readMargins: () => Promise<Tonight['margins']>,
  ) {}

  async read(): Promise<Tonight> {
    // Before all else: a run writes how it ended and only then removes its progress. Read after them, a run that ends
    // meanwhile would be neither under way nor ended.
    const progress = readProgress(this.home)
    const ended = readEnded(this.home)
    const runs = readLastRuns(this.home)
    const now = this.effects.now()
    // Figures count days from today.
    const stamp = `${catalogStamp(this.home)} ${dayOf(now)}`
    if (this.known?.stamp !== stamp) this.known = { stamp, ...this.ask() }
    try {
      const [figures, margins] = await Promise.all([this.known.figures, this.known.margins])
      const status = { ...figures, ...ended }
      return { now: new Date(now).toISOString(), home: this.home, status, runs, progress, margins }
    } catch (error) {
      this.known = undefined
      throw error
    }
  }

  private ask(): { figures: Promise<Figures>; margins: Promise<Tonight['margins']> } {
    const figures = readFigures(this.home, this.effects)
    const margins = figures.then(({ publication }) => (publication ? this.readMargins() : []))
    return { figures, margins }
  }
}
