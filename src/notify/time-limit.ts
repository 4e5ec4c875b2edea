import type { Effects } from '../effects.js'

/** The reason of a signal that aborts because the time is up. */
export class TimeIsUp extends Error {
  constructor(readonly ms: number) {
    super(`no end after ${ms / 1000} s`)
    this.name = 'TimeIsUp'
  }
}

/** Runs work whose signal aborts after `ms`, or when `stop` aborts. */
export async function withinTime<T>(
  ms: number,
  stop: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
  effects: Pick<Effects, 'sleep'>,
): Promise<T> {
  const time = new AbortController()
  const ended = new AbortController()
  effects.sleep(ms, ended.signal).then(
    () => time.abort(new TimeIsUp(ms)),
    () => undefined,
  )
  try {
    return await work(stop ? AbortSignal.any([time.signal, stop]) : time.signal)
  } finally {
    ended.abort()
  }
}
