import { useState } from 'preact/hooks'
import { type Row, view } from '../api.js'

let listed: Promise<Row[]> | undefined

/** All symbols and indexes, asked for once, when a field needs them: the chart does not wait for them. */
export function useSymbols(): { symbols: readonly Row[]; load(): void } {
  const [symbols, setSymbols] = useState<readonly Row[]>([])
  const load = () => {
    listed ??= view('symbols')
    listed.then(setSymbols, () => {
      // The next focus asks again; typed symbols work without the list.
      listed = undefined
    })
  }
  return { symbols, load }
}
