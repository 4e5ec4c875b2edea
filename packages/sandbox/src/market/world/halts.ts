import { mix, unit } from './hash.js'
import { boardAt, type Instrument, isListedAt } from './instrument.js'

/** Halts are drawn once in so many sessions. */
const HALT_BLOCK = 120

interface Halt {
  from: number
  to: number
}

/** Sessions of a long halt: more than the market's rule for the wider band after it needs. */
const LONG_HALT = 28

/**
 * The halt of a block of sessions, if it has one. Only calm names are halted, and briefly on HOSE, because
 * the first price after a halt still has to lie inside the band; long halts end in the wide band.
 */
function haltOf(instrument: Instrument, block: number): Halt | undefined {
  const { path, kind, calm } = instrument
  if (kind !== 'stock' || !calm || unit(path, block, 51) > 0.25) return undefined
  const from = block * HALT_BLOCK + 10 + (mix(path, block, 52) % 60)
  const long = unit(path, block, 53) < 0.08
  const short = boardAt(instrument, from) === 'HOSE' ? 2 : 5
  const length = long ? LONG_HALT : 1 + (mix(path, block, 54) % short)
  return { from, to: from + length - 1 }
}

export function isHalted(instrument: Instrument, session: number): boolean {
  const halt = haltOf(instrument, Math.floor(session / HALT_BLOCK))
  return halt !== undefined && session >= halt.from && session <= halt.to
}

/** Whether any trade happens. At least every fifth session does, and those around a halt. */
export function hasTrade(instrument: Instrument, session: number, isExDate: boolean): boolean {
  if (!isListedAt(instrument, session)) return false
  const { path, tradeChance, kind } = instrument
  if (kind === 'stock' && instrument.calm) {
    const halt = haltOf(instrument, Math.floor(session / HALT_BLOCK))
    if (halt) {
      if (session >= halt.from && session <= halt.to) return false
      if (session === halt.from - 1 || session === halt.to + 1) return true
    }
  }
  if (tradeChance >= 1 || isExDate || session === instrument.first) return true
  return session % 5 === path % 5 || unit(path, session, 55) < tradeChance
}
