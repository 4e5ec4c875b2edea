import { useState } from 'preact/hooks'
import { useLoaded } from '../loaded.js'
import { keepWatched, readWatched } from '../watched.js'

/** Puts the symbol on the user's watchlist, or takes it off. */
export function WatchButton({ symbol }: { symbol: string }) {
  const [changes, setChanges] = useState(0)
  const [refused, setRefused] = useState('')
  const { value } = useLoaded(readWatched, [changes])
  const isWatched = value?.includes(symbol) ?? false
  const toggle = async () => {
    try {
      const list = await readWatched()
      const others = list.filter((other) => other !== symbol)
      await keepWatched(others.length < list.length ? others : [...list, symbol])
      setRefused('')
      setChanges(changes + 1)
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <>
      <button type="button" aria-pressed={isWatched} disabled={symbol === ''} onClick={() => void toggle()}>
        {isWatched ? '★' : '☆'} watch
      </button>
      {refused && <span role="alert">{refused}</span>}
    </>
  )
}
