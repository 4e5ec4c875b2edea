import { setMaxListeners } from 'node:events'

/** One signal may end many waits at once: more than ten listeners are no leak that Node should warn of. */
export function heardByMany(signal: AbortSignal): void {
  setMaxListeners(0, signal)
}

/** Calls `stop` when the signal aborts, until the function that it returns is called. */
export function onAbort(signal: AbortSignal, stop: () => void): () => void {
  heardByMany(signal)
  signal.addEventListener('abort', stop, { once: true })
  return () => signal.removeEventListener('abort', stop)
}
