import type { Effects } from './effects.js'

/** The reason of a signal that aborts because the time is up. */
export class TimeIsUp extends Error {
  constructor(readonly ms: number) {
    super(`no end after ${ms / 1000} s`)
    this.name = 'TimeoutError'
  }
}

/** Runs work whose signal aborts after `ms`, or when `stop` aborts. */
export async function withinTime<T>(
  ms: number,
  stop: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
  effects: Pick<Effects, 'after'>,
): Promise<T> {
  const time = new AbortController()
  const cancel = effects.after(ms, () => time.abort(new TimeIsUp(ms)))
  try {
    return await work(stop ? AbortSignal.any([time.signal, stop]) : time.signal)
  } finally {
    cancel()
  }
}

/** Runs something every `ms`, until the function that it returns is called. */
export function every(ms: number, run: () => void, effects: Pick<Effects, 'after'>): () => void {
  const again = (): void => {
    cancel = effects.after(ms, again)
    run()
  }
  let cancel = effects.after(ms, again)
  return () => cancel()
}
