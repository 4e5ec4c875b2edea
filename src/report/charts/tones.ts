import type { Tone } from '../../settings/index.js'
import type { SymbolDay } from '../model/market.js'

/** What a price did, in the words of the board. */
export function toneOf(part: number | null, limit: { at_ceiling: boolean; at_floor: boolean }): Tone {
  if (limit.at_ceiling) return 'ceiling'
  if (limit.at_floor) return 'floor'
  return toneOfChange(part)
}

export function toneOfSymbol(symbol: SymbolDay): Tone {
  return toneOf(symbol.change_part, symbol)
}

export function toneOfChange(part: number | null): Tone {
  return part === null || part === 0 ? 'reference' : part > 0 ? 'up' : 'down'
}

/** The sign that stands beside every colour. */
export const ARROWS: Readonly<Record<Tone, string>> = {
  up: '▲',
  down: '▼',
  ceiling: '⤒',
  floor: '⤓',
  reference: '■',
}

export const WORDS: Readonly<Record<Tone, string>> = {
  up: 'up',
  down: 'down',
  ceiling: 'at the ceiling',
  floor: 'at the floor',
  reference: 'unchanged',
}

export function colorOf(tone: Tone): string {
  return `var(--${tone})`
}

/** A tint for areas with text on them: the larger the move, the stronger. */
export function tintOf(tone: Tone, part: number | null): string {
  const size = Math.abs(part ?? 0)
  const step = tone === 'ceiling' || tone === 'floor' || size >= 0.03 ? 3 : size >= 0.01 ? 2 : 1
  return `var(--${tone}-${step})`
}
