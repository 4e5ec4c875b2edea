import { UsageError } from 'candlehouse-foundation/errors'
import { nearestNames } from 'candlehouse-foundation/nearest-names'

/** @throws UsageError naming each unknown symbol with the known symbols that are spelled most like it */
export function refuseUnknownSymbols(unknown: readonly string[], known: readonly string[]): void {
  if (unknown.length === 0) return
  const lines = unknown.map((symbol) => {
    const nearest = nearestNames(symbol, known)
    return nearest.length > 0 ? `${symbol} (nearest: ${nearest.join(', ')})` : symbol
  })
  throw new UsageError(`--symbols: no such symbol: ${lines.join('; ')}`, {
    hint: 'correct the spelling, or add --allow-unknown to use it as it is',
  })
}
