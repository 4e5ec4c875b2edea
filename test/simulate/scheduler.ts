import { settled } from './native.js'

interface Event {
  /** Virtual milliseconds since the start. */
  readonly at: number
  readonly order: number
  readonly fire: () => void
}

/**
 * Virtual time. Requests, waits and deadlines are events; the next one comes when nothing else is under way. So the order
 * of everything follows from the delays, and those from the seed.
 */
export class Scheduler {
  private time = 0
  private order = 0
  private events: Event[] = []

  /** Milliseconds since the start of the simulation. */
  get now(): number {
    return this.time
  }

  /** Time passes, as between two nights. */
  passUntil(at: number): void {
    this.time = Math.max(this.time, at)
    this.events = []
  }

  /** @returns how to cancel it */
  schedule(delayMs: number, fire: () => void): () => void {
    const event: Event = { at: this.time + Math.max(0, delayMs), order: this.order++, fire }
    const before = this.events.findIndex((other) => other.at > event.at)
    this.events.splice(before < 0 ? this.events.length : before, 0, event)
    return () => {
      const at = this.events.indexOf(event)
      if (at >= 0) this.events.splice(at, 1)
    }
  }

  /**
   * Lets time pass until the work is done.
   *
   * @throws Error where nothing is left that could go on: a deadline is lost
   */
  async drive<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const ended = work.finally(() => {
      isDone = true
    })
    ended.catch(() => undefined)
    for (let idle = 0; ; ) {
      await settled()
      if (isDone) return await ended
      const next = this.events.shift()
      if (next) {
        idle = 0
        this.time = Math.max(this.time, next.at)
        next.fire()
      } else if (++idle > 2_000) {
        throw new Error('nothing is under way, and the program waits: a deadline is lost')
      }
    }
  }
}
