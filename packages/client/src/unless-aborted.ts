import { onAbort } from 'candlehouse-foundation/on-abort'

/** What a promise gives, unless the signal aborts first. @throws the signal's reason, and what the promise rejects with */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await promise
  signal.throwIfAborted()
  let letGo: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    letGo = onAbort(signal, () => reject(signal.reason as Error))
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    letGo()
  }
}
