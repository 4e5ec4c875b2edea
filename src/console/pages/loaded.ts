import { useLayoutEffect, useState } from 'preact/hooks'

export interface Loaded<T> {
  value: T | undefined
  error: Error | undefined
}

/**
 * What `load` resolves to, loaded again when one of `inputs` changes. An answer that comes too late is dropped. Until an answer
 * is there the last one stays on the page, which says `aria-busy`: what it shows is not yet what the address names.
 *
 * @param load its signal aborts where nobody waits for the answer any more
 */
export function useLoaded<T>(load: (gone: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: undefined, error: undefined })
  // Before the browser draws: no picture has the new address and, unsaid, the former data.
  useLayoutEffect(() => {
    let isCurrent = true
    const gone = new AbortController()
    const end = beginLoad()
    load(gone.signal)
      .then(
        (value) => isCurrent && setLoaded({ value, error: undefined }),
        (error: Error) => isCurrent && setLoaded((before) => ({ ...before, error })),
      )
      .finally(end)
    return () => {
      isCurrent = false
      gone.abort()
      end()
    }
  }, inputs)
  return loaded
}

const underWay = new Set<symbol>()

/** Until its end is called, the page is busy. */
function beginLoad(): () => void {
  const load = Symbol()
  const say = () => document.getElementById('main')?.setAttribute('aria-busy', String(underWay.size > 0))
  underWay.add(load)
  say()
  return () => {
    underWay.delete(load)
    say()
  }
}
