import { useEffect, useState } from 'preact/hooks'

export interface Loaded<T> {
  value: T | undefined
  error: Error | undefined
}

/** What `load` resolves to, loaded again when one of `inputs` changes. An answer that comes too late is dropped. */
export function useLoaded<T>(load: () => Promise<T>, inputs: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: undefined, error: undefined })
  useEffect(() => {
    let isCurrent = true
    load().then(
      (value) => isCurrent && setLoaded({ value, error: undefined }),
      (error: Error) => isCurrent && setLoaded((before) => ({ ...before, error })),
    )
    return () => {
      isCurrent = false
    }
  }, inputs)
  return loaded
}
