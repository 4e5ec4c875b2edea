import { onAbort } from 'candlehouse-foundation/on-abort'

interface Work<T> {
  readonly done: Promise<T>
  readonly stop: AbortController
  waiting: number
}

/**
 * One piece of work that several callers wait for, each until its own signal. It is given up when the last of them gave up; that
 * one then waits for its end, since what it began may have to be stored.
 */
export class SharedWork<T> {
  private work: Work<T> | undefined

  /** Waits for the work that is under way; undefined when there is none. */
  join(signal: AbortSignal | undefined): Promise<T> | undefined {
    return this.work && wait(this.work, signal)
  }

  /** Joins the work that is under way, or starts it. */
  run(start: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (!this.work) {
      signal?.throwIfAborted()
      const stop = new AbortController()
      const done = start(stop.signal).finally(() => {
        this.work = undefined
      })
      this.work = { done, stop, waiting: 0 }
    }
    return wait(this.work, signal)
  }
}

async function wait<T>(work: Work<T>, signal: AbortSignal | undefined): Promise<T> {
  work.waiting++
  if (!signal) return await work.done
  return await new Promise<T>((resolve, reject) => {
    const leave = (): void => {
      work.waiting--
      if (work.waiting > 0) reject(signal.reason as Error)
      else work.stop.abort(signal.reason)
    }
    let letGo: () => void = () => undefined
    if (signal.aborted) leave()
    else letGo = onAbort(signal, leave)
    work.done.then(resolve, reject).finally(letGo)
  })
}
